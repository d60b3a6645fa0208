internal import Foundation

/// An item to be merged into the store.
struct IncomingItem: Equatable {
  /// The key that distinguishes it within its source.
  var identity: String
  /// The identifier that the source gave it.
  var identifier: String?
  var address: String
  var date: Date?
  var title: String
  var text: String
  var author: String?
  var icon: LinkIcon?
  var imageAddress: String?
}

/// The result of merging items into the store.
public struct MergeCounts: Equatable, Sendable {
  /// Items that were added.
  public var new = 0
  /// Items whose title, text or link changed.
  public var changed = 0
  /// Items removed to make room for newer ones.
  public var removed = 0

  /// Creates counts; zero by default.
  public init(new: Int = 0, changed: Int = 0, removed: Int = 0) {
    self.new = new
    self.changed = changed
    self.removed = removed
  }
}
