package import ExtensionMessages

/// What handles a browser's events: the principal class of a Safari app extension.
package protocol BrowserEventHandling: AnyObject {
  /// Handles an event, on the main queue.
  func handle(_ event: BrowserEvent)
}

/// Something that happened in the browser.
package struct BrowserEvent: Sendable {
  /// What happened.
  package let name: String
  private let members: [String: MessageValue]

  /// Reads an event; `nil` for anything else.
  package init?(_ value: MessageValue) {
    guard let members = value.dictionary, members["type"]?.string == "event",
      let name = members["event"]?.string
    else { return nil }
    self.name = name
    self.members = members
  }

  /// A member of the event.
  package subscript(key: String) -> MessageValue? { members[key] }

  /// The dictionary that a script sent along.
  package var userInfo: [String: Any]? { members["userInfo"]?.dictionary?.mapValues(\.object) }

  /// Answers an event that asks for something; only the first answer counts.
  package func answer() -> @Sendable ([String: MessageValue]) -> Void {
    let (once, id) = (Once(), members["id"])
    return { answer in
      guard let id, once.first() else { return }
      var answer = answer
      answer["type"] = .string("validated")
      answer["id"] = id
      _ = BrowserConnection.send(.dictionary(answer))
    }
  }
}
