package import ExtensionMessages
import Foundation

extension NSExtensionItem {
  /// The item of a request.
  package convenience init(_ item: ExtensionItem) {
    self.init()
    // First, because assigning it replaces the other properties.
    if !item.userInfo.isEmpty {
      userInfo = Dictionary(
        uniqueKeysWithValues: item.userInfo.map { (AnyHashable($0.key), $0.value.object) }
      )
    }
    if let title = item.title { attributedTitle = NSAttributedString(string: title) }
    if let text = item.contentText { attributedContentText = NSAttributedString(string: text) }
    if !item.attachments.isEmpty { attachments = item.attachments.map(NSItemProvider.init) }
  }
}

extension NSItemProvider {
  fileprivate convenience init(_ attachment: ExtensionAttachment) {
    self.init()
    suggestedName = attachment.suggestedName
    for representation in attachment.representations {
      registerItem(forTypeIdentifier: representation.typeIdentifier) { completion, _, _ in
        switch representation.content {
        case .success(let value):
          if let item = value.secureObject {
            completion?(item, nil)
          } else {
            completion?(
              nil,
              NSError(
                domain: NSItemProvider.errorDomain,
                code: ErrorCode.unexpectedValueClassError.rawValue
              )
            )
          }
        case .failure(let error): completion?(nil, error.nsError)
        }
      }
    }
  }
}

extension MessageValue {
  fileprivate var secureObject: (any NSSecureCoding)? {
    switch self {
    case .string(let text): NSString(string: text)
    case .data(let bytes): Data(bytes) as NSData
    case .url(let text): URL(string: text).map { $0 as NSURL }
    default: object as? any NSSecureCoding
    }
  }
}

/// Loads everything that a handler returned, so that it can be sent.
struct ItemLoading {
  private(set) var coding = ValueCoding()
  private let itemKeys = [
    NSExtensionItemAttributedTitleKey, NSExtensionItemAttributedContentTextKey,
    NSExtensionItemAttachmentsKey,
  ]

  /// Converts returned objects to items; skips other objects with a note.
  mutating func items(of objects: [Any]) async -> (items: [ExtensionItem], notes: [String]) {
    var items: [ExtensionItem] = []
    var notes: [String] = []
    for (index, object) in objects.enumerated() {
      guard let item = object as? NSExtensionItem else {
        notes.append("items[\(index)] is a \(type(of: object)), not an NSExtensionItem")
        continue
      }
      items.append(await load(item, at: "items[\(index)]"))
    }
    return (items, notes + coding.notes)
  }

  private mutating func load(_ item: NSExtensionItem, at place: String) async -> ExtensionItem {
    var userInfo = item.userInfo ?? [:]
    for key in itemKeys { userInfo[key] = nil }
    var loaded = ExtensionItem(
      userInfo: coding.members(userInfo, at: "\(place).userInfo"),
      title: item.attributedTitle?.string,
      contentText: item.attributedContentText?.string
    )
    for (index, provider) in (item.attachments ?? []).enumerated() {
      let place = "\(place).attachments[\(index)]"
      var name = provider.suggestedName
      var representations: [ExtensionAttachment.Representation] = []
      for type in provider.registeredTypeIdentifiers {
        let content: Result<MessageValue, ErrorReport>
        do {
          let object = try await provider.loadItem(forTypeIdentifier: type)
          if name == nil, let url = (object as Any) as? URL, url.isFileURL {
            name = url.lastPathComponent
          }
          content = .success(try value(of: object, at: place))
        } catch {
          content = .failure(ErrorReport(of: error))
        }
        representations.append(.init(typeIdentifier: type, content: content))
      }
      loaded.attachments.append(
        ExtensionAttachment(suggestedName: name, representations: representations)
      )
    }
    return loaded
  }

  private mutating func value(
    of object: any NSSecureCoding,
    at place: String
  ) throws
    -> MessageValue
  {
    guard let url = (object as Any) as? URL, url.isFileURL else {
      return coding.value(of: object, at: place)
    }
    // Refuses pipes and devices, which may never end, and folders.
    let attributes = try FileManager.default.attributesOfItem(
      atPath: url.resolvingSymlinksInPath().path
    )
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw ErrorReport(.attachmentUnreadable, "\(place): \(url.path) is not a regular file")
    }
    let limit = ExtensionMessageLimits().bytes
    if let size = attributes[.size] as? NSNumber, size.intValue > limit {
      throw ErrorReport(.answerTooLarge, "\(place): \(url.path) exceeds \(limit) bytes")
    }
    return .data([UInt8](try Data(contentsOf: url)))
  }
}
