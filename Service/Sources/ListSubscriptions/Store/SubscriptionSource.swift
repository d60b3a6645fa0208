internal import CurlTransfers
public import Foundation
internal import WebURL

/// Where a list comes from.
public enum SubscriptionSource: Hashable, Sendable {
  /// An http or https address, serialised.
  case address(String)
  /// A file's absolute path.
  case file(String)

  /// The longest address.
  private static let longestAddress = 2_000

  /// Reads what a person wrote: an address, or the path of a file that exists.
  ///
  /// - Parameters:
  ///   - text: The address or path; a relative path is of the current folder.
  ///   - folder: The current folder.
  /// - Throws: ``SubscriptionError`` with code `.badSource`.
  public init(
    _ text: String,
    in folder: URL = URL(
      filePath: FileManager.default.currentDirectoryPath,
      directoryHint: .isDirectory
    )
  ) throws(SubscriptionError) {
    if text.contains("://") {
      self = .address(try Self.address(text))
      return
    }
    let file = URL(filePath: text, relativeTo: folder).standardizedFileURL.path
    guard !text.isEmpty, FileManager.default.fileExists(atPath: file) else {
      // As in `easylist.to/easylist/easylist.txt`.
      let host = text.prefix { $0 != "/" }
      let isHost = host.contains(".") && !host.hasPrefix(".") && text.contains("/")
      throw SubscriptionError(
        .badSource,
        "there is no file \(text)"
          + (isHost
            ? "; if it is an address, write https://\(text)"
            : "; give an address that begins with https://, a file, or a name that is shown by: "
              + "tickbird lists catalogue")
      )
    }
    let kind =
      (try? FileManager.default.attributesOfItem(atPath: file))?[.type] as? FileAttributeType
    guard kind != .typeDirectory else {
      throw SubscriptionError(.badSource, "\(text) is a folder; give a file in it")
    }
    self = .file(file)
  }

  /// Checks an address, and returns it as it is kept.
  ///
  /// - Throws: ``SubscriptionError`` with code `.badSource`.
  public static func address(_ text: String) throws(SubscriptionError) -> String {
    guard text.utf8.count <= longestAddress, let url = WebURL(text),
      url.scheme == "http" || url.scheme == "https", let host = url.host, !host.isEmpty
    else {
      throw SubscriptionError(
        .badSource,
        "\(text.prefix(200)) is no address of a list: it has to begin with https:// or http://"
      )
    }
    guard url.username.isEmpty, url.password.isEmpty else {
      throw SubscriptionError(
        .badSource,
        "addresses with a user's name or password are not kept; fetch the list yourself, and add "
          + "the file"
      )
    }
    var plain = url
    plain.setFragment(nil)
    return plain.serialized
  }

  /// The address or path.
  public var text: String {
    switch self {
    case .address(let text), .file(let text): text
    }
  }

  /// The name of the file, without the ends that name formats; empty if there is none.
  var stem: String {
    var path = text
    if case .address(let address) = self {
      path = WebURL(address)?.path ?? ""
    }
    var name = path.split(separator: "/").last.map(String.init) ?? ""
    for end in [".gz", ".txt", ".json", ".list"] where name.lowercased().hasSuffix(end) {
      name.removeLast(end.count)
    }
    return name
  }
}

extension SubscriptionSource: Codable {
  private enum Key: String, CodingKey { case address, file }

  /// Decodes `{"address": …}` or `{"file": …}`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    if let address = try values.decodeIfPresent(String.self, forKey: .address) {
      self = .address(address)
    } else {
      self = .file(try values.decode(String.self, forKey: .file))
    }
  }

  /// Encodes `{"address": …}` or `{"file": …}`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .address(let text): try values.encode(text, forKey: .address)
    case .file(let text): try values.encode(text, forKey: .file)
    }
  }
}
