internal import Crypto
internal import Foundation

/// Decides which items of one source are the same.
///
/// A key is prefixed with the kind of its content, so that a link never equals an identifier:
///
/// - `guid:` the identifier that the feed gives;
/// - `link:` the link's address, http and https alike;
/// - `text:` the digest of title and date, or of title and text if there is no date;
/// - `own:` the identifier that an extension gives.
///
/// The automatic rule takes the first of guid, link and text that the document does not contradict:
/// an identifier shared by items with different links identifies nothing, and neither does a link
/// shared by items with different titles.
enum ItemIdentity {
  /// Returns the keys of a document's items.
  ///
  /// - Returns: One key an item, in the document's order. Equal keys mean the same item.
  static func keys(of entries: [FeedEntry], rule: LinkSource.IdentityRule) -> [String] {
    guard rule == .automatic else { return entries.map { key(of: $0, rule: rule) } }
    var linksOfIdentifier: [String: String] = [:]
    var titlesOfLink: [String: String] = [:]
    var doubtful: Set<String> = []
    for entry in entries {
      if let guid = guidKey(entry) {
        let other = linkKey(entry) ?? entry.title
        if linksOfIdentifier[guid, default: other] != other { doubtful.insert(guid) }
        linksOfIdentifier[guid] = linksOfIdentifier[guid] ?? other
      }
      if let link = linkKey(entry) {
        if titlesOfLink[link, default: entry.title] != entry.title { doubtful.insert(link) }
        titlesOfLink[link] = titlesOfLink[link] ?? entry.title
      }
    }
    return entries.map { entry in
      for key in [guidKey(entry), linkKey(entry)] {
        if let key, !doubtful.contains(key) { return key }
      }
      return textKey(entry)
    }
  }

  /// Returns the key of a single item by an explicit rule.
  private static func key(of entry: FeedEntry, rule: LinkSource.IdentityRule) -> String {
    switch rule {
    case .automatic, .guid: guidKey(entry) ?? linkKey(entry) ?? textKey(entry)
    case .link: linkKey(entry) ?? guidKey(entry) ?? textKey(entry)
    case .title:
      entry.title.isEmpty
        ? guidKey(entry) ?? linkKey(entry) ?? textKey(entry) : "text:" + digest(entry.title)
    }
  }

  /// Returns the key of an item's identifier; an address loses its scheme, since sites move from
  /// http to https.
  private static func guidKey(_ entry: FeedEntry) -> String? {
    entry.identifier.map { "guid:" + LinkAddress.key($0) }
  }

  private static func linkKey(_ entry: FeedEntry) -> String? {
    entry.address.map { "link:" + LinkAddress.key($0) }
  }

  private static func textKey(_ entry: FeedEntry) -> String {
    let second = entry.date.map { "\(Int64($0.timeIntervalSince1970))" } ?? entry.text
    return "text:" + digest("\(entry.title)\u{0}\(second)")
  }

  /// Returns the first half of a text's SHA-256, in hexadecimal.
  static func digest(_ text: String) -> String {
    hexadecimal(SHA256.hash(data: Data(text.utf8)).prefix(16))
  }

  /// Returns the SHA-256 of bytes, in hexadecimal.
  static func digest(_ bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
