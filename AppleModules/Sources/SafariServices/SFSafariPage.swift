// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
public import AppKitCore
import ExtensionMessages

/// A page of the browser, with all its frames.
public final class SFSafariPage: BrowserObject, @unchecked Sendable {
  /// Sends a message to the extension's scripts in the page.
  public func dispatchMessageToScript(
    withName messageName: String,
    userInfo: [String: Any]? = nil
  ) {
    var coding = ValueCoding()
    let userInfo = userInfo.map { coding.value(of: $0, at: "userInfo") } ?? .null
    for note in coding.notes { HandlerOutput.tell("\(messageName): \(note)") }
    BrowserConnection.tell(
      "dispatchMessage",
      ["page": value, "name": .string(messageName), "userInfo": userInfo]
    )
  }

  /// Gets what the page is; `nil` without access to it.
  @preconcurrency
  public func getPropertiesWithCompletionHandler(
    _ completionHandler: @escaping @Sendable (SFSafariPageProperties?) -> Void
  ) {
    BrowserConnection.call("properties", ["page": value]) {
      completionHandler(SFSafariPageProperties($0))
    }
  }

  /// What the page is; `nil` without access to it.
  public func properties() async -> SFSafariPageProperties? {
    SFSafariPageProperties(await BrowserConnection.call("properties", ["page": value]))
  }

  /// Loads the page again.
  public func reload() { BrowserConnection.tell("reload", ["page": value]) }

  /// Gets the page's tab.
  @preconcurrency
  public func getContainingTab(completionHandler: @escaping @Sendable (SFSafariTab) -> Void) {
    let gone = tabOfName
    BrowserConnection.call("containingTab", ["page": value]) {
      completionHandler(SFSafariTab($0) ?? gone)
    }
  }

  /// The page's tab.
  public func containingTab() async -> SFSafariTab {
    SFSafariTab(await BrowserConnection.call("containingTab", ["page": value])) ?? tabOfName
  }

  /// The tab in the page's name, for a page that is gone.
  private var tabOfName: SFSafariTab { SFSafariTab(id: String(id.prefix { $0 != ":" })) }

  /// Gets a picture of what the page shows.
  @preconcurrency
  public func getScreenshotOfVisibleArea(
    completionHandler: @escaping @Sendable (NSImage?) -> Void
  ) {
    BrowserConnection.call("screenshot", ["page": value]) { completionHandler(Self.image($0)) }
  }

  /// A picture of what the page shows.
  public func screenshotOfVisibleArea() async -> NSImage? {
    Self.image(await BrowserConnection.call("screenshot", ["page": value]))
  }

  private static func image(_ value: MessageValue) -> NSImage? {
    value.string.flatMap { Data(base64Encoded: $0) }.flatMap { NSImage(data: $0) }
  }
}

/// What a page is.
public final class SFSafariPageProperties: NSObject, Sendable {
  /// Its address.
  public let url: URL?
  /// Its title.
  public let title: String?
  /// Whether its window is private.
  public let usesPrivateBrowsing: Bool
  /// Whether its tab shows it.
  public let isActive: Bool

  init?(_ value: MessageValue) {
    guard value.dictionary != nil else { return nil }
    url = value["url"]?.string.flatMap { URL(string: $0) }
    title = value["title"]?.string
    usesPrivateBrowsing = value["private"] == .bool(true)
    isActive = value["active"] == .bool(true)
  }
}

/// The extension itself.
public final class SFSafariExtension: NSObject {
  @available(*, unavailable)
  private override init() {}

  /// Gets the address of the extension's resources in the browser.
  @preconcurrency
  public class func getBaseURI(completionHandler: @escaping @Sendable (URL?) -> Void) {
    BrowserConnection.call("baseURI") { completionHandler($0.string.flatMap { URL(string: $0) }) }
  }

  /// The address of the extension's resources in the browser.
  public class func baseURI() async -> URL? {
    await BrowserConnection.call("baseURI").string.flatMap { URL(string: $0) }
  }
}
