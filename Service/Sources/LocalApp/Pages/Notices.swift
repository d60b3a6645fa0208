internal import LoopbackServing
internal import Synchronization

/// What was done, in a sentence.
struct Notice: Sendable {
  var text: String
  /// Whether something is left to be done about it.
  var isWarning = false
}

/// What was done last, so that the page that is led to can say it.
///
/// An address carries a notice's number alone, so that none can put words on a page.
final class Notices: Sendable {
  private static let most = 100
  /// A page that is loaded again later does not say again what was done.
  private static let life = Duration.seconds(60)
  private let kept = Mutex<[(key: String, notice: Notice, end: ContinuousClock.Instant)]>([])

  /// Keeps a notice, and returns what it is asked for by.
  func add(_ notice: Notice) -> String {
    let key = String(Secret().text.prefix(16))
    kept.withLock { kept in
      kept.append((key, notice, .now + Self.life))
      if kept.count > Self.most { kept.removeFirst() }
    }
    return key
  }

  subscript(_ key: String) -> Notice? {
    kept.withLock { kept in kept.first { $0.key == key && $0.end > .now }?.notice }
  }
}
