internal import LoopbackServing
internal import PageTexts
internal import Synchronization

/// A sentence about what was done.
struct Notice: Sendable {
  var text: Phrase
  /// Whether the user has to do something about it.
  var isWarning = false
}

/// Recent notices, for the page that a form redirects to.
///
/// An address carries only a notice's number, so that nobody can put words on a page.
final class Notices: Sendable {
  private static let most = 100
  /// Reloading a page later does not repeat the notice.
  private static let life = Duration.seconds(60)
  private let kept = Mutex<[(key: String, notice: Notice, end: ContinuousClock.Instant)]>([])

  /// Stores a notice, and returns its key.
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
