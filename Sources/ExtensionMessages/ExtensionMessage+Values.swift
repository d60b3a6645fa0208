// A message is a dictionary; `message` names its kind. A reader ignores keys it does not know,
// so that a later version can say more.

extension MessageToExtension {
  /// The message as a value.
  public var value: MessageValue {
    switch self {
    case .request(let request):
      [
        "message": .string("request"), "item": request.item.value,
        "groupContainers": .dictionary(request.groupContainers.mapValues(MessageValue.string)),
      ]
    case .session(let session):
      [
        "message": .string("session"),
        "groupContainers": .dictionary(session.groupContainers.mapValues(MessageValue.string)),
      ]
    case .event(let event):
      ["message": .string("event"), "event": event]
    case .reply(let reply):
      MessageValue.dictionary(["message": .string("reply"), "id": .integer(reply.id)]).merging(
        reply.result
      )
    }
  }

  /// Reads the message from a value.
  ///
  /// - Throws: ``ExtensionMessageError`` with code `.notAMessage`.
  public init(_ value: MessageValue) throws(ExtensionMessageError) {
    switch try value.required("message").string {
    case "request":
      self = .request(
        ExtensionRequest(
          item: try ExtensionItem(value.required("item")),
          groupContainers: Self.groupContainers(value)
        )
      )
    case "session":
      self = .session(ExtensionSession(groupContainers: Self.groupContainers(value)))
    case "event":
      self = .event(try value.required("event"))
    case "reply":
      self = .reply(HostReply(id: try value.requiredInteger("id"), result: try value.result()))
    default:
      throw ExtensionMessageError(
        .notAMessage,
        "an extension takes a request, a session, an event or a reply"
      )
    }
  }

  private static func groupContainers(_ value: MessageValue) -> [String: String] {
    (value["groupContainers"]?.dictionary ?? [:]).compactMapValues(\.string)
  }
}

extension MessageFromExtension {
  /// The message as a value.
  public var value: MessageValue {
    switch self {
    case .answer(let answer):
      [
        "message": .string("answer"),
        "items": answer.items.map { .array($0.map(\.value)) } ?? .null,
        "notes": .array(answer.notes.map(MessageValue.string)),
      ]
    case .cancel(let error):
      ["message": .string("cancel"), "error": error.value]
    case .call(let call):
      [
        "message": .string("call"), "id": .integer(call.id),
        "function": .string(call.function.name), "arguments": .dictionary(call.arguments),
      ]
    case .browser(let content):
      ["message": .string("browser"), "content": content]
    }
  }

  /// Reads the message from a value.
  ///
  /// - Throws: ``ExtensionMessageError`` with code `.notAMessage`.
  public init(_ value: MessageValue) throws(ExtensionMessageError) {
    switch try value.required("message").string {
    case "answer":
      var items: [ExtensionItem]?
      if let list = value["items"], list != .null {
        guard let list = list.array else {
          throw ExtensionMessageError(.notAMessage, "items is neither an array nor null")
        }
        var read: [ExtensionItem] = []
        for item in list { read.append(try ExtensionItem(item)) }
        items = read
      }
      let notes = value["notes"]?.array?.compactMap(\.string) ?? []
      self = .answer(ExtensionAnswer(items: items, notes: notes))
    case "cancel":
      self = .cancel(try ErrorReport(value.required("error")))
    case "call":
      self = .call(
        HostCall(
          id: try value.requiredInteger("id"),
          function: HostCall.Function(name: try value.requiredString("function")),
          arguments: value["arguments"]?.dictionary ?? [:]
        )
      )
    case "browser":
      self = .browser(try value.required("content"))
    default:
      throw ExtensionMessageError(
        .notAMessage,
        "a host takes an answer, a cancel, a call or what is for the browser"
      )
    }
  }
}

extension ExtensionItem {
  /// The item as a value.
  public var value: MessageValue {
    var members: [String: MessageValue] = ["userInfo": .dictionary(userInfo)]
    members["title"] = title.map(MessageValue.string)
    members["contentText"] = contentText.map(MessageValue.string)
    members["attachments"] = .array(attachments.map(\.value))
    return .dictionary(members)
  }

  /// Reads an item from a value.
  ///
  /// - Throws: ``ExtensionMessageError`` with code `.notAMessage`.
  public init(_ value: MessageValue) throws(ExtensionMessageError) {
    guard let members = value.dictionary else {
      throw ExtensionMessageError(.notAMessage, "an item is not a dictionary")
    }
    var attachments: [ExtensionAttachment] = []
    for attachment in members["attachments"]?.array ?? [] {
      attachments.append(try ExtensionAttachment(attachment))
    }
    self.init(
      userInfo: members["userInfo"]?.dictionary ?? [:],
      title: members["title"]?.string,
      contentText: members["contentText"]?.string,
      attachments: attachments
    )
  }
}

extension ExtensionAttachment {
  fileprivate var value: MessageValue {
    var members: [String: MessageValue] = [
      "representations": .array(
        representations.map { representation in
          MessageValue.dictionary(["type": .string(representation.typeIdentifier)]).merging(
            representation.content
          )
        }
      )
    ]
    members["name"] = suggestedName.map(MessageValue.string)
    return .dictionary(members)
  }

  fileprivate init(_ value: MessageValue) throws(ExtensionMessageError) {
    var representations: [Representation] = []
    for representation in try value.required("representations").array ?? [] {
      representations.append(
        Representation(
          typeIdentifier: try representation.requiredString("type"),
          content: try representation.result()
        )
      )
    }
    self.init(suggestedName: value["name"]?.string, representations: representations)
  }
}

extension ErrorReport {
  fileprivate var value: MessageValue {
    [
      "domain": .string(domain), "code": .integer(code), "description": .string(description),
      "userInfo": .dictionary(userInfo),
    ]
  }

  fileprivate init(_ value: MessageValue) throws(ExtensionMessageError) {
    self.init(
      domain: try value.requiredString("domain"),
      code: try value.requiredInteger("code"),
      description: value["description"]?.string ?? "",
      userInfo: value["userInfo"]?.dictionary ?? [:]
    )
  }
}

extension MessageValue: ExpressibleByDictionaryLiteral {
  /// Makes a dictionary; of equal keys the last one counts.
  public init(dictionaryLiteral elements: (String, MessageValue)...) {
    self = .dictionary([String: MessageValue](elements, uniquingKeysWith: { $1 }))
  }
}

extension MessageValue {
  /// Adds `value` or `error`.
  fileprivate func merging(_ result: Result<MessageValue, ErrorReport>) -> MessageValue {
    var members = dictionary ?? [:]
    switch result {
    case .success(let value): members["value"] = value
    case .failure(let error): members["error"] = error.value
    }
    return .dictionary(members)
  }

  fileprivate func result() throws(ExtensionMessageError) -> Result<MessageValue, ErrorReport> {
    if let error = self["error"] { return .failure(try ErrorReport(error)) }
    return .success(try required("value"))
  }

  fileprivate func required(_ key: String) throws(ExtensionMessageError) -> MessageValue {
    guard let value = self[key] else {
      throw ExtensionMessageError(.notAMessage, "\(key) is missing")
    }
    return value
  }

  fileprivate func requiredString(_ key: String) throws(ExtensionMessageError) -> String {
    guard let text = try required(key).string else {
      throw ExtensionMessageError(.notAMessage, "\(key) is not a string")
    }
    return text
  }

  fileprivate func requiredInteger(_ key: String) throws(ExtensionMessageError) -> Int64 {
    guard let number = try required(key).integer else {
      throw ExtensionMessageError(.notAMessage, "\(key) is not an integer")
    }
    return number
  }
}
