package import TextScanning

/// Working memory for deciding loads, owned by the caller.
///
/// One scratch serves any number of lists, one load after the other, on one thread. It grows when
/// it meets a larger list or a longer URL than before, and allocates nothing otherwise.
public struct MatchScratch: ~Copyable {
  var text: URLText
  var memory: ScanMemory
  var entries: [MatchedEntry] = []
  /// The conditional entries of filters that always run, while a page's state is updated.
  var keys: [UInt64] = []
  /// The filters that always run, matched the last load, and hide elements whatever the load.
  ///
  /// Together with the page they determine ``CompiledRuleList/hidingEntries(_:_:)``: loads of a
  /// page with the same filters here hide the same.
  public internal(set) var hidingFilters: [Int] = []

  /// Creates a scratch for no list.
  public init() { self.init(scanCode: .best) }

  /// Creates a scratch for no list whose URLs are scanned in a certain way, which must be available.
  package init(scanCode: ScanCode) {
    precondition(scanCode.isAvailable, "the processor cannot scan like that")
    text = URLText(scan: scanCode)
    memory = ScanMemory(stampCount: 0, threadCount: 0, scanCode: scanCode)
    entries.reserveCapacity(64)
    keys.reserveCapacity(64)
  }

  /// Makes room for deciding with a list, which traps otherwise.
  ///
  /// Allocates only if the list needs more than any before, or is new to the cache of hosts.
  public mutating func prepare(for list: CompiledRuleList) {
    memory.hosts.add(list.identity)
    memory.reserve(
      stampCount: Int(list.info.stampCount),
      threadCount: Int(list.info.threadCount)
    )
  }

  /// Sets the URL of the next load.
  ///
  /// - Parameter url: The serialised URL in ASCII; a byte above 127 matches no character.
  /// - Complexity: O(*n*); allocates only for a URL longer than any before.
  public mutating func assign(_ url: Span<UInt8>) {
    text.assign(url)
  }

  /// Appends the URL of the present load.
  package func appendURL(to bytes: inout [UInt8]) {
    text.append(to: &bytes)
  }

  /// The rules of the last decision whose triggers matched, in no particular order, without those
  /// that hide whatever the load.
  public var matchedEntries: [MatchedEntry] { entries }
}
