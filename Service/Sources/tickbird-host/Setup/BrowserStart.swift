internal import BrowserSetup
internal import Foundation
internal import NativeMessaging
internal import TextOutput

/// Starts a browser after a setup, where there is a screen.
enum BrowserStart {
  /// Starts the first browser that has a program.
  ///
  /// - Parameters:
  ///   - found: The browsers, the first one preferred.
  ///   - page: A page of the user's own to open; nil leaves that to the extension.
  static func open(_ found: [FoundBrowser], page: URL?) {
    let environment = ProcessInfo.processInfo.environment
    let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
    guard hasScreen, let browser = found.first(where: { $0.program != nil }),
      let program = browser.program
    else { return }
    let process = Process()
    process.executableURL = program
    process.arguments = page.map { [$0.absoluteString] } ?? []
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      StandardOutput.line("\(browser.browser.title) is started.")
    } catch {
      Report.complain("\(browser.browser.title) could not be started (\(error)); start it yourself")
    }
  }
}
