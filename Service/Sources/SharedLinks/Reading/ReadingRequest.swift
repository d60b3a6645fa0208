internal import ExtensionMessages

/// A stranger's document, for the process that reads it.
struct ReadingRequest: Equatable, Sendable {
  /// What the document is expected to be.
  enum Kind: String, Sendable {
    /// A feed, or a page that names feeds.
    case feed
    /// A subscription list.
    case subscriptions
  }

  var kind: Kind
  /// The document, decompressed.
  var bytes: [UInt8]
  /// The address it was fetched from.
  var address = ""
  /// The Content-Type header.
  var contentType = ""
  var limits: LinkLimits

  /// Reads the document, in this process.
  ///
  /// - Returns: Its contents, or why it cannot be read.
  func answer() -> ReadingAnswer {
    do {
      switch kind {
      case .subscriptions:
        return .subscriptions(try SubscriptionList(opml: bytes, limits: limits))
      case .feed:
        return .feed(
          try FeedReader.read(bytes, address: address, contentType: contentType, limits: limits)
        )
      }
    } catch let error as LinkError {
      guard kind == .feed, error.code == .notAFeed, bytes.count <= limits.documentBytes else {
        return .refused(error)
      }
      let text = FeedEncoding.decode(bytes, charset: FeedEncoding.charset(contentType))
      guard FeedReader.isPage(text) else { return .refused(error) }
      return .page(PageHead(page: String(decoding: text, as: UTF8.self), address: address), error)
    } catch {
      return .refused(LinkError(.notAFeed, "\(address): \(error)"))
    }
  }
}

// MARK: On the wire

extension ReadingRequest {
  private static let limitKeys: [(String, any WritableKeyPath<LinkLimits, Int> & Sendable)] = [
    ("documentBytes", \.documentBytes), ("itemsPerDocument", \.itemsPerDocument),
    ("depth", \.depth), ("titleCharacters", \.titleCharacters),
    ("textCharacters", \.textCharacters), ("fieldBytes", \.fieldBytes),
    ("addressBytes", \.addressBytes), ("notes", \.notes),
  ]

  /// The request in its wire format.
  var value: MessageValue {
    var numbers: [String: MessageValue] = [:]
    for (name, path) in Self.limitKeys { numbers[name] = .integer(Int64(limits[keyPath: path])) }
    return .dictionary([
      "kind": .string(kind.rawValue), "bytes": .data(bytes), "address": .string(address),
      "contentType": .string(contentType), "limits": .dictionary(numbers),
    ])
  }

  /// Decodes a request; nil when it is not one.
  init?(_ value: MessageValue) {
    guard let kind = value["kind"]?.string.flatMap(Kind.init),
      case .data(let bytes) = value["bytes"],
      let address = value["address"]?.string, let contentType = value["contentType"]?.string
    else { return nil }
    var limits = LinkLimits()
    for (name, path) in Self.limitKeys {
      guard let number = value["limits"]?[name]?.integer else { return nil }
      limits[keyPath: path] = Int(clamping: number)
    }
    self.init(
      kind: kind,
      bytes: bytes,
      address: address,
      contentType: contentType,
      limits: limits
    )
  }
}
