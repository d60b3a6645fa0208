/// Sources that wait to be fetched, of which each host is asked for a few at a time.
///
/// - Complexity: Each source takes constant time, however many wait for the same host.
struct FetchQueue {
  /// The sources of a host.
  private struct Line {
    var sources: [LinkSource] = []
    /// How many of them have been taken.
    var taken = 0
    /// How many are being fetched.
    var busy = 0

    var isWaiting: Bool { taken < sources.count }
  }

  private let limit: Int
  private var lines: [Line] = []
  private var places: [String: Int] = [:]
  /// The lines that may be asked, in turn; each is in it once at most.
  private var ready: [Int] = []
  private var nextReady = 0

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - sources: What waits.
  ///   - limit: How many sources of a host are fetched at a time.
  ///   - host: What sources compete for.
  init(_ sources: [LinkSource], limit: Int, host: (LinkSource) -> String) {
    self.limit = limit
    for source in sources {
      let name = host(source)
      let place = places[name] ?? lines.count
      if place == lines.count {
        lines.append(Line())
        places[name] = place
      }
      lines[place].sources.append(source)
    }
    ready = Array(lines.indices)
  }

  /// Takes a source that may be fetched now, and the number of its host; nil if none may.
  mutating func next() -> (source: LinkSource, host: Int)? {
    guard nextReady < ready.count else { return nil }
    let place = ready[nextReady]
    nextReady += 1
    let source = lines[place].sources[lines[place].taken]
    lines[place].taken += 1
    lines[place].busy += 1
    if lines[place].isWaiting, lines[place].busy < limit { ready.append(place) }
    return (source, place)
  }

  /// A source of a host is fetched.
  mutating func finish(_ host: Int) {
    if lines[host].isWaiting, lines[host].busy == limit { ready.append(host) }
    lines[host].busy -= 1
  }
}
