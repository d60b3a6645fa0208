import ExtensionMessages
package import ExtensionRuntime

extension SFSafariExtensionHandler: BrowserEventHandling {
  /// Calls the method for an event.
  package func handle(_ event: BrowserEvent) {
    let window = event["window"].flatMap { SFSafariWindow($0) }
    let page = event["page"].flatMap { SFSafariPage($0) }
    let (name, command) = (event["name"]?.string, event["command"]?.string)
    switch (event.name, window, page) {
    case ("messageReceived", _, let page?):
      messageReceived(withName: name ?? "", from: page, userInfo: event.userInfo)
    case ("messageFromApp", _, _):
      messageReceivedFromContainingApp(withName: name ?? "", userInfo: event.userInfo)
    case ("toolbarItemClicked", let window?, _): toolbarItemClicked(in: window)
    case ("validateToolbarItem", let window?, _): validate(event, in: window)
    case ("contextMenuItemSelected", _, let page?):
      contextMenuItemSelected(withCommand: command ?? "", in: page, userInfo: event.userInfo)
    case ("validateContextMenuItem", _, let page?): validate(event, command ?? "", in: page)
    case ("popoverWillShow", let window?, _): popoverWillShow(in: window)
    case ("popoverDidClose", let window?, _): popoverDidClose(in: window)
    case ("willNavigate", _, let page?): self.page(page, willNavigateTo: Self.url(event["url"]))
    case ("blockedResources", _, let page?):
      contentBlocker(
        withIdentifier: event["contentBlocker"]?.string ?? "",
        blockedResourcesWith: (event["urls"]?.array ?? []).compactMap(Self.url),
        on: page
      )
    case ("additionalRequestHeaders", _, _): addHeaders(event)
    default: HandlerOutput.tell("the event \(event.name) is unknown, or lacks something")
    }
  }

  private static func url(_ value: MessageValue?) -> URL? {
    value?.string.flatMap { URL(string: $0) }
  }

  private func validate(_ event: BrowserEvent, in window: SFSafariWindow) {
    let answer = event.answer()
    validateToolbarItem(in: window) { isEnabled, badge in
      answer(["enabled": .bool(isEnabled), "badge": .string(badge)])
    }
  }

  private func validate(_ event: BrowserEvent, _ command: String, in page: SFSafariPage) {
    let answer = event.answer()
    validateContextMenuItem(
      withCommand: command,
      in: page,
      userInfo: event.userInfo
    ) { isHidden, text in
      answer(["hidden": .bool(isHidden), "text": text.map(MessageValue.string) ?? .null])
    }
  }

  private func addHeaders(_ event: BrowserEvent) {
    let answer = event.answer()
    guard let url = Self.url(event["url"]) else { return answer(["headers": .null]) }
    additionalRequestHeaders(for: url) { headers in
      let headers = headers?.mapValues(MessageValue.string)
      answer(["headers": headers.map(MessageValue.dictionary) ?? .null])
    }
  }
}
