internal import Foundation

/// An item on its way into the store.
struct IncomingItem: Equatable {
  /// What distinguishes it from others of its source.
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

/// The outcome of putting items into the store.
public struct MergeCounts: Equatable, Sendable {
  /// Items that were not there before.
  public var new = 0
  /// Items whose title, text or link changed.
  public var changed = 0
  /// Items that made room for newer ones.
  public var removed = 0

  /// Counts what happened; without arguments nothing did.
  public init(new: Int = 0, changed: Int = 0, removed: Int = 0) {
    self.new = new
    self.changed = changed
    self.removed = removed
  }
}
