import Foundation

/// An extension of others that a user would have in Tickbird's place.
struct Peer {
  var folder: URL
  var identifier: String
  /// A page of it that does nothing.
  var page: String

  /// uBlock Origin for Firefox, unpacked; `nil` where `TICKBIRD_UBLOCK` names no folder.
  static let uBlockOrigin = ProcessInfo.processInfo.environment["TICKBIRD_UBLOCK"].map {
    Peer(folder: URL(filePath: $0), identifier: "uBlock0@raymondhill.net", page: "blank.html")
  }
}
