/// The browser extension that started a host.
///
/// > Source: observed; Chromium passes `[origin]`, Firefox `[manifest, id]` as arguments.
public struct NativeCaller: Equatable, Sendable {
  /// The family of the browser.
  public let family: BrowserFamily
  /// The extension's id.
  public let extensionID: String
  /// The manifest by which Firefox found the host.
  public let manifest: String?

  /// Parses the arguments of a process; `nil` if they are not those of a browser.
  ///
  /// - Parameter arguments: The arguments, without the program's name.
  public init?(arguments: [String]) {
    guard let first = arguments.first else { return nil }
    if first.hasPrefix("chrome-extension://") {
      var id = first.dropFirst("chrome-extension://".count)
      if id.last == "/" { id.removeLast() }
      guard BrowserFamily.chromium.isExtensionID(String(id)) else { return nil }
      family = .chromium
      extensionID = String(id)
      manifest = nil
    } else if arguments.count >= 2, first.hasPrefix("/"), first.hasSuffix(".json"),
      BrowserFamily.firefox.isExtensionID(arguments[1])
    {
      family = .firefox
      extensionID = arguments[1]
      manifest = first
    } else {
      return nil
    }
  }
}
