internal import BrowserPipe
internal import CommandInput
internal import CommandOutput
internal import Foundation

/// A browser with a private profile for the time of some work of a command.
enum PrivateBrowser {
  /// Starts a browser, does the work with it, and ends it, also after an error or an interruption.
  ///
  /// - Parameters:
  ///   - arguments: Further arguments of the browser.
  ///   - opensForeignPages: Whether pages of the network are opened, which the warning about the
  ///     missing sandbox then says.
  ///   - otherWay: What works without a browser; ends the message if there is none.
  ///   - work: What is done with the browser.
  /// - Returns: What the work returns.
  /// - Throws: ``InputError`` if there is no browser, or it fails; and what the work throws.
  static func run<Result>(
    arguments: [String] = [],
    opensForeignPages: Bool = true,
    otherWay: String,
    _ work: (DevToolsConnection) throws -> Result
  ) throws -> Result {
    do {
      let program = try BrowserProgram.path()
      if geteuid() == 0 {
        ConsoleMessage.warning(
          "Chromium runs without its sandbox, because this is root; run the command as another user"
            + (opensForeignPages ? " for pages that you do not trust" : "")
        )
      }
      Interruption.watch()
      defer { Interruption.unwatch() }
      let browser = try DevToolsConnection(program: program, arguments: arguments)
      defer { browser.close() }
      return try work(browser)
    } catch let error as BrowserFailure {
      throw InputError(error.message + (error.code == .missingBrowser ? "; \(otherWay)" : ""))
    }
  }
}
