internal import ExtensionMessages
internal import Foundation

/// The answer of the reader process.
enum ReadingAnswer: Equatable, Sendable {
  case feed(FeedDocument)
  /// A web page, and why it is not a feed.
  case page(PageHead, LinkError)
  case subscriptions(SubscriptionList)
  /// Why the document cannot be read.
  case refused(LinkError)
}

// MARK: On the wire

extension ReadingAnswer {
  /// The answer in its wire format.
  var value: MessageValue {
    switch self {
    case .feed(let document): .dictionary(["feed": document.value])
    case .page(let head, let error):
      .dictionary([
        "feeds": .array(head.feeds.map(\.value)),
        "icons": .array(head.icons.map(MessageValue.string)),
        "error": error.value,
      ])
    case .subscriptions(let list): .dictionary(["subscriptions": list.value])
    case .refused(let error): .dictionary(["error": error.value])
    }
  }

  /// Decodes an answer.
  ///
  /// The document may have taken over the process that wrote it. So all sizes are limited, texts
  /// are made plain again, and only web addresses are kept.
  ///
  /// - Returns: nil when it is not an answer.
  init?(_ value: MessageValue, limits: LinkLimits) {
    if let feed = value["feed"] {
      guard let document = FeedDocument(feed, limits: limits) else { return nil }
      self = .feed(document)
    } else if let list = value["subscriptions"] {
      self = .subscriptions(SubscriptionList(list))
    } else if let error = value["error"].flatMap(LinkError.init) {
      guard let feeds = value["feeds"]?.array else {
        self = .refused(error)
        return
      }
      var head = PageHead()
      head.feeds = feeds.prefix(PageHead.most).compactMap(FeedCandidate.init)
      head.icons = (value["icons"]?.array ?? []).prefix(PageHead.most).compactMap(\.webAddress)
      self = .page(head, error)
    } else {
      return nil
    }
  }
}

extension MessageValue {
  /// The value as an absolute web address, or nil.
  fileprivate var webAddress: String? { string.flatMap { LinkAddress.resolve($0) } }

  fileprivate func plain(_ limit: Int) -> String? {
    string.map { PlainText.collapsed($0, limit: limit) }
  }

  fileprivate static func texts(_ texts: [String]) -> MessageValue {
    .array(texts.map(Self.string))
  }

  fileprivate func plainTexts(most: Int, limit: Int) -> [String] {
    (array ?? []).prefix(most).compactMap { $0.plain(limit) }
  }
}

/// The limit on a message about a document, in characters.
private let sentenceLimit = 1_000

extension LinkError {
  fileprivate var value: MessageValue {
    .dictionary(["code": .string(code.rawValue), "message": .string(message)])
  }

  fileprivate init?(_ value: MessageValue) {
    let codes: [Code] = [.notAFeed, .badSubscriptions]
    guard let code = codes.first(where: { $0.rawValue == value["code"]?.string }),
      let message = value["message"]?.plain(sentenceLimit)
    else { return nil }
    self.init(code, message)
  }
}

extension FeedDocument {
  fileprivate var value: MessageValue {
    var members: [String: MessageValue] = [
      "format": .string(format.rawValue), "title": .string(title), "icons": .texts(iconAddresses),
      "entries": .array(entries.map(\.value)), "notes": .texts(notes),
    ]
    members["page"] = pageAddress.map(MessageValue.string)
    members["minutesToLive"] = minutesToLive.map { .integer(Int64($0)) }
    return .dictionary(members)
  }

  fileprivate init?(_ value: MessageValue, limits: LinkLimits) {
    guard let format = value["format"]?.string.flatMap(Format.init),
      let entries = value["entries"]?.array
    else { return nil }
    self.init(format: format)
    title = value["title"]?.plain(limits.titleCharacters) ?? ""
    pageAddress = value["page"]?.webAddress
    iconAddresses = (value["icons"]?.array ?? []).prefix(PageHead.most).compactMap(\.webAddress)
    minutesToLive = value["minutesToLive"]?.integer.map { Int(clamping: $0) }
    self.entries = entries.prefix(limits.itemsPerDocument).map { FeedEntry($0, limits: limits) }
    notes = value["notes"]?.plainTexts(most: 100, limit: sentenceLimit) ?? []
  }
}

extension FeedEntry {
  fileprivate var value: MessageValue {
    var members: [String: MessageValue] = ["title": .string(title), "text": .string(text)]
    members["identifier"] = identifier.map(MessageValue.string)
    members["address"] = address.map(MessageValue.string)
    // As a number, since a date would be rounded.
    members["date"] = date.map { .double($0.timeIntervalSinceReferenceDate) }
    members["author"] = author.map(MessageValue.string)
    members["image"] = imageAddress.map(MessageValue.string)
    return .dictionary(members)
  }

  fileprivate init(_ value: MessageValue, limits: LinkLimits) {
    self.init()
    identifier = value["identifier"]?.string.flatMap {
      $0.isEmpty || $0.utf8.count > limits.addressBytes ? nil : $0
    }
    address = value["address"]?.webAddress
    title = value["title"]?.plain(limits.titleCharacters) ?? ""
    text = value["text"]?.plain(limits.textCharacters) ?? ""
    let mostSeconds = 1e11
    if case .double(let seconds) = value["date"], abs(seconds) < mostSeconds {
      date = Date(timeIntervalSinceReferenceDate: seconds)
    }
    author = value["author"]?.plain(limits.titleCharacters)?.nonEmpty
    imageAddress = value["image"]?.webAddress
  }
}

extension FeedCandidate {
  fileprivate var value: MessageValue {
    .dictionary([
      "address": .string(address), "title": .string(title), "mediaType": .string(mediaType),
    ])
  }

  fileprivate init?(_ value: MessageValue) {
    guard let address = value["address"]?.webAddress else { return nil }
    self.init(
      address: address,
      title: value["title"]?.plain(200) ?? "",
      mediaType: value["mediaType"]?.plain(100) ?? ""
    )
  }
}

extension SubscriptionList {
  fileprivate var value: MessageValue {
    .dictionary([
      "entries": .array(
        entries.map { entry in
          var members: [String: MessageValue] = [
            "address": .string(entry.address), "title": .string(entry.title),
            "folder": .texts(entry.folder),
          ]
          members["page"] = entry.pageAddress.map(MessageValue.string)
          return .dictionary(members)
        }
      ),
      "notes": .texts(notes),
    ])
  }

  fileprivate init(_ value: MessageValue) {
    self.init([])
    entries = (value["entries"]?.array ?? []).prefix(Self.entryLimit).compactMap { value in
      guard let address = value["address"]?.webAddress else { return nil }
      return Entry(
        address: address,
        title: value["title"]?.plain(200) ?? "",
        pageAddress: value["page"]?.webAddress,
        folder: value["folder"]?.plainTexts(most: Self.folderLimit, limit: 100) ?? []
      )
    }
    notes = value["notes"]?.plainTexts(most: 200, limit: sentenceLimit) ?? []
  }
}
