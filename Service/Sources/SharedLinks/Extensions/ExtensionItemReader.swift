internal import ExtensionMessages
internal import Foundation

/// Reads the answer of a Shared Links extension.
///
/// `uniqueIdentifier`, `urlString` and `date` are required. An item that lacks one is skipped with
/// a note for the developer; the others stay. Of items with the same identifier the first one wins.
struct ExtensionItemReader {
  private(set) var items: [IncomingItem] = []
  private(set) var notes: [String] = []
  private let limits: LinkLimits
  private var identifiers: Set<String> = []
  private var iconBytes = 0

  /// The limit on the bytes of all icons of one answer.
  private static let allIconBytes = 16 << 20

  init(_ answer: [ExtensionItem], displayName: String, limits: LinkLimits) {
    self.limits = limits
    for (number, item) in answer.prefix(limits.itemsPerDocument).enumerated() {
      read(item, number: number, displayName: displayName)
    }
    if answer.count > limits.itemsPerDocument {
      note(
        "\(answer.count) items were returned; those after the first \(limits.itemsPerDocument) are "
          + "left out"
      )
    }
  }

  private mutating func read(_ item: ExtensionItem, number: Int, displayName: String) {
    let title = PlainText.collapsed(item.title ?? "", limit: limits.titleCharacters)
    let place = "item \(number)" + (title.isEmpty ? "" : " (\(title.prefix(40)))")
    guard let identifier = item.userInfo["uniqueIdentifier"]?.string, !identifier.isEmpty,
      identifier.utf8.count <= limits.addressBytes
    else {
      return note("\(place) is left out: userInfo[\"uniqueIdentifier\"] is not a string with text")
    }
    guard let text = Self.text(item.userInfo["urlString"]),
      let address = LinkAddress.resolve(text, limit: limits.addressBytes)
    else {
      return note(
        "\(place) is left out: userInfo[\"urlString\"] is not a string with an absolute http or "
          + "https address"
      )
    }
    guard case .date(let seconds) = item.userInfo["date"], seconds.isFinite,
      abs(seconds) < 1e12
    else {
      return note("\(place) is left out: userInfo[\"date\"] is not a date")
    }
    guard identifiers.insert(identifier).inserted else {
      return note(
        "\(place) is left out: an item before it has the uniqueIdentifier \(identifier.prefix(60)); "
          + "each item needs its own"
      )
    }
    let name = item.userInfo["displayName"]?.string.map { PlainText.collapsed($0, limit: 100) }
    items.append(
      IncomingItem(
        identity: "own:" + identifier,
        identifier: identifier,
        address: address,
        date: Date(timeIntervalSince1970: seconds),
        title: title,
        text: PlainText.collapsed(item.contentText ?? "", limit: limits.textCharacters),
        author: name == displayName ? nil : name?.nonEmpty,
        icon: icon(item.attachments.first, place)
      )
    )
  }

  private mutating func icon(_ attachment: ExtensionAttachment?, _ place: String) -> LinkIcon? {
    guard let attachment else { return nil }
    var reason = "it has no data"
    for representation in attachment.representations {
      switch representation.content {
      case .success(.data(let bytes)):
        guard let icon = LinkIcon(bytes, limit: limits.iconBytes) else {
          reason =
            bytes.count > limits.iconBytes
            ? "\(bytes.count) bytes exceed \(limits.iconBytes)"
            : "it is not a PNG, JPEG, GIF, ICO or WebP image"
          continue
        }
        guard iconBytes + bytes.count <= Self.allIconBytes else {
          reason = "the answer's icons exceed \(Self.allIconBytes) bytes"
          continue
        }
        iconBytes += bytes.count
        return icon
      case .success:
        continue
      case .failure(let error):
        reason = error.description
      }
    }
    note("\(place) has no icon: its first attachment is not used: \(reason)")
    return nil
  }

  private static func text(_ value: MessageValue?) -> String? {
    switch value {
    case .string(let text), .url(let text): text
    default: nil
    }
  }

  private mutating func note(_ text: String) {
    if notes.count < limits.notes { notes.append(text) }
  }
}
