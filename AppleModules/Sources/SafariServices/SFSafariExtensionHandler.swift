// The names are Apple's.
public import AppKitCore
import ExtensionMessages

/// A handler of a browser's events; ``SFSafariExtensionHandler`` has its methods.
public protocol SFSafariExtensionHandling: NSObjectProtocol {}

/// The principal class of a Safari app extension.
///
/// Override what is needed. Each event is handled by a new object, on the main queue, one at a time: what
/// has to last longer is in statics.
open class SFSafariExtensionHandler: NSObject, NSExtensionRequestHandling, SFSafariExtensionHandling
{
  /// Makes a handler.
  public override init() {}

  /// Not called here: there is one profile, the default one.
  open func beginRequest(with context: NSExtensionContext) {
    context.completeRequest(returningItems: nil)
  }

  /// A script in a page has sent a message.
  open func messageReceived(
    withName messageName: String,
    from page: SFSafariPage,
    userInfo: [String: Any]? = nil
  ) {}

  /// The extension's app has sent a message.
  open func messageReceivedFromContainingApp(
    withName messageName: String,
    userInfo: [String: Any]? = nil
  ) {}

  /// The toolbar item was clicked.
  open func toolbarItemClicked(in window: SFSafariWindow) {}

  /// Says whether the toolbar item can be clicked, and its badge; by default it can.
  open func validateToolbarItem(
    in window: SFSafariWindow,
    validationHandler: @escaping (Bool, String) -> Void
  ) { validationHandler(true, "") }

  /// An item of the context menu was chosen.
  open func contextMenuItemSelected(
    withCommand command: String,
    in page: SFSafariPage,
    userInfo: [String: Any]? = nil
  ) {}

  /// Says whether to hide an item of the context menu, and its text; by default it is shown as
  /// `Info.plist` has it.
  open func validateContextMenuItem(
    withCommand command: String,
    in page: SFSafariPage,
    userInfo: [String: Any]? = nil,
    validationHandler: @escaping (Bool, String?) -> Void
  ) { validationHandler(false, nil) }

  /// The popover is about to be shown.
  open func popoverWillShow(in window: SFSafariWindow) {}

  /// The popover was closed.
  open func popoverDidClose(in window: SFSafariWindow) {}

  /// Not called: there are no views here.
  @preconcurrency @MainActor
  open func popoverViewController() -> SFSafariExtensionViewController {
    SFSafariExtensionViewController()
  }

  /// Says which headers a request for a page gets.
  @preconcurrency
  open func additionalRequestHeaders(
    for url: URL,
    completionHandler: @escaping @Sendable ([String: String]?) -> Void
  ) {
    let handler = Unshared(self)
    Task { completionHandler(await handler.value.additionalRequestHeaders(for: url)) }
  }

  /// Says which headers a request for a page gets; by default no others.
  open func additionalRequestHeaders(for url: URL) async -> [String: String]? { nil }

  /// A content blocker of the same app has blocked requests of a page.
  open func contentBlocker(
    withIdentifier contentBlockerIdentifier: String,
    blockedResourcesWith urls: [URL],
    on page: SFSafariPage
  ) {}

  /// A page is about to be left for another address; `nil` without access to it.
  open func page(_ page: SFSafariPage, willNavigateTo url: URL?) {}
}

/// The controller of a popover's view, which is never shown: there are no views here.
open class SFSafariExtensionViewController: NSViewController {
  /// Closes the popover.
  public func dismissPopover() { BrowserConnection.tell("dismissPopover") }
}
