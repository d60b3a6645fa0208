internal import Foundation

/// Reads JSON Feed 1 and 1.1.
///
/// The JSON has to be valid: nothing in a document that is broken anywhere can be relied on. A
/// value of the wrong type counts as missing.
enum JSONFeedReader {
  /// Reads a document in UTF-8.
  ///
  /// - Throws: ``LinkError`` with code `.notAFeed` and the position of the fault.
  static func read(_ bytes: [UInt8], address: String, limits: LinkLimits) throws -> FeedDocument {
    do {
      try JSONSyntax.check(bytes, depth: limits.depth)
    } catch {
      throw LinkError(.notAFeed, "\(address): this JSON is broken at \(error.sentence)")
    }
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: Data(bytes))
    } catch {
      throw LinkError(.notAFeed, "\(address): this is not JSON: \(reason(error))")
    }
    guard let feed = value as? [String: Any] else {
      throw LinkError(.notAFeed, "\(address): this JSON is not a JSON Feed: it is not an object")
    }
    let version = feed["version"] as? String ?? ""
    guard feed["items"] is [Any] || version.contains("jsonfeed.org") else {
      throw LinkError(
        .notAFeed,
        "\(address): this JSON is not a JSON Feed: it has neither version nor items"
      )
    }
    var document = FeedDocument(format: .jsonFeed)
    document.title = PlainText.collapsed(text(feed["title"]) ?? "", limit: limits.titleCharacters)
    document.pageAddress = link(feed["home_page_url"], address)
    document.iconAddresses = [link(feed["icon"], address), link(feed["favicon"], address)]
      .compactMap { $0 }
    let feedAuthor = author(feed)
    var dropped = 0
    for item in feed["items"] as? [Any] ?? [] {
      guard document.entries.count < limits.itemsPerDocument, let item = item as? [String: Any],
        var entry = entry(item, address, limits)
      else {
        dropped += 1
        continue
      }
      entry.author = entry.author ?? feedAuthor
      document.entries.append(entry)
    }
    if !version.contains("jsonfeed.org") {
      document.notes.append("version is missing or does not name jsonfeed.org")
    }
    if dropped > 0 {
      document.notes.append(
        "\(dropped) items are left out: more than \(limits.itemsPerDocument), or without title, "
          + "text and link"
      )
    }
    return document
  }

  private static func entry(
    _ item: [String: Any],
    _ address: String,
    _ limits: LinkLimits
  ) -> FeedEntry? {
    var entry = FeedEntry()
    entry.identifier = text(item["id"]).flatMap {
      $0.isEmpty || $0.utf8.count > limits.addressBytes ? nil : $0
    }
    // Some feeds give the page's address as the identifier and no other link.
    entry.address =
      link(item["url"], address) ?? link(item["external_url"], address)
      ?? entry.identifier.flatMap { LinkAddress.resolve($0) }
    entry.title = PlainText.collapsed(text(item["title"]) ?? "", limit: limits.titleCharacters)
    let plain = text(item["summary"])?.nonEmpty ?? text(item["content_text"])?.nonEmpty
    if let plain {
      entry.text = PlainText.collapsed(plain, limit: limits.textCharacters)
    } else if let html = text(item["content_html"]) {
      entry.text = PlainText.fromHTML(html, limit: limits.textCharacters)
    }
    entry.date =
      text(item["date_published"]).flatMap(FeedDate.parse)
      ?? text(item["date_modified"]).flatMap(FeedDate.parse)
    entry.author = author(item)
    entry.imageAddress = link(item["image"], address) ?? link(item["banner_image"], address)
    guard !entry.title.isEmpty || !entry.text.isEmpty || entry.address != nil else { return nil }
    return entry
  }

  /// Returns a string; a number is converted, as version 1 asks.
  private static func text(_ value: Any?) -> String? {
    if let text = value as? String { return text }
    guard let number = value as? NSNumber, !(value is Bool) else { return nil }
    return number.stringValue
  }

  private static func link(_ value: Any?, _ base: String) -> String? {
    (value as? String).flatMap { LinkAddress.resolve($0, base: base) }
  }

  private static func author(_ object: [String: Any]) -> String? {
    let first = (object["authors"] as? [Any])?.first as? [String: Any]
    let author = first ?? object["author"] as? [String: Any]
    return (author?["name"] as? String).flatMap {
      PlainText.collapsed($0, limit: 100).nonEmpty
    }
  }

  private static func reason(_ error: any Error) -> String {
    let error = error as NSError
    return error.userInfo[NSDebugDescriptionErrorKey] as? String ?? error.localizedDescription
  }
}
