#if !hasFeature(Embedded)
internal import CLibrary

/// Shares a row of blocks among threads so that all end at about the same time.
///
/// Each thread begins with a share of neighbours, and goes through it from front to back. When it has none
/// left, it takes over the second half of what another has left.
final class BlockShares: @unchecked Sendable {
  private let lock = Monitor()
  /// The blocks that each thread has left.
  private var left: [Range<Int>]

  init(blocks: Int, threads: Int) {
    left = (0..<threads).map { blocks * $0 / threads..<blocks * ($0 + 1) / threads }
  }

  /// Returns the block behind the one that a thread has, if it is the thread's own.
  func next(of thread: Int) -> Int? { lock.withLock { left[thread].popFirst() } }

  /// Returns a block that a thread is to go on with, its own or another's; `nil` when there are none.
  func anyNext(of thread: Int) -> Int? {
    lock.withLock {
      if left[thread].isEmpty, let other = left.indices.max(by: { left[$0].count < left[$1].count })
      {
        let blocks = left[other]
        let middle = blocks.lowerBound + blocks.count / 2
        left[other] = blocks.lowerBound..<middle
        left[thread] = middle..<blocks.upperBound
      }
      return left[thread].popFirst()
    }
  }

  /// Leaves no blocks to any thread.
  func giveUp() { lock.withLock { for thread in left.indices { left[thread] = 0..<0 } } }
}
#endif
