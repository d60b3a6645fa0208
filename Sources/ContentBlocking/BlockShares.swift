#if !hasFeature(Embedded)
internal import CLibrary

/// Shares a row of blocks among threads so that all end at about the same time.
///
/// Each thread begins with a share of neighbours, and goes through it from front to back. When it has none
/// left, it takes over the second half of what another has left. A run of neighbours is a piece.
final class BlockShares: @unchecked Sendable {
  private let lock = Monitor()
  private let count: Int
  /// The most states that all pieces may have together; with more they cannot be joined.
  private let mostStates: Int
  /// The blocks that each thread has left.
  private var left: [Range<Int>]
  /// The states that each thread's pieces have.
  private var states: [Int]
  /// The thread whose piece began with the first block and goes on, with the piece's last block so far.
  private var first: (thread: Int, block: Int)?
  /// Whether the rest is for the first piece alone.
  private var isForFirst = false

  init(blocks: Int, threads: Int, mostStates: Int) {
    count = blocks
    self.mostStates = mostStates
    left = (0..<threads).map { blocks * $0 / threads..<blocks * ($0 + 1) / threads }
    states = Array(repeating: 0, count: threads)
  }

  /// Returns the block with which a thread's piece goes on, if it is the thread's own.
  ///
  /// - Parameters:
  ///   - thread: The thread.
  ///   - states: How many states its pieces have so far.
  /// - Returns: The block's number; `nil` if the piece ends here.
  func next(of thread: Int, states: Int) -> Int? {
    lock.withLock {
      self.states[thread] = states
      if let first, !isForFirst, self.states.reduce(0, +) > mostStates {
        // What the others have made is of no use.
        isForFirst = true
        for thread in left.indices { left[thread] = 0..<0 }
        left[first.thread] = first.block + 1..<count
      }
      let block = left[thread].popFirst()
      if first?.thread == thread { first = block.map { (thread, $0) } }
      return block
    }
  }

  /// Returns the block with which a thread begins a piece, its own or another's; `nil` when there is none.
  func anyNext(of thread: Int) -> Int? {
    lock.withLock {
      if isForFirst { return nil }
      if left[thread].isEmpty,
        let other = left.indices.max(by: { left[$0].count < left[$1].count })
      {
        let blocks = left[other]
        let middle = blocks.lowerBound + blocks.count / 2
        left[other] = blocks.lowerBound..<middle
        left[thread] = middle..<blocks.upperBound
      }
      let block = left[thread].popFirst()
      if block == 0 { first = (thread, 0) }
      return block
    }
  }

  /// Leaves no blocks to any thread.
  func giveUp() {
    lock.withLock {
      isForFirst = true
      first = nil
      for thread in left.indices { left[thread] = 0..<0 }
    }
  }
}
#endif
