import BrowserDriving
import Foundation

/// Starts a browser with an extension, and does in it what lines of JSON on standard input say.
///
///     {"do": "load", "url": "https://example.com/"}        the tab's number
///     {"do": "evaluate", "tab": 0, "expression": "1 + 1"}  the value
///     {"do": "background", "expression": "1 + 1"}          the value, of `globalThis.tickbird` there
///     {"do": "browser", "expression": "1 + 1"}             the value, where extensions are managed
///
/// Each line is answered by one: `{"value": …}` or `{"error": "…"}`. In addresses and expressions,
/// `EXTENSION/` stands for the address of the extension. The browser ends with the input.
@main
enum BrowserDriver {
  static func main() {
    let words = CommandLine.arguments
    guard words.count == 6, let kind = BrowserKind(rawValue: words[1]), let port = Int(words[5])
    else {
      answer(["error": "usage: browser-driver chromium|firefox FOLDER ID HOME PROXY-PORT"])
      exit(2)
    }
    var options = BrowserOptions(
      extensionFolder: URL(filePath: words[2]),
      proxyPort: port,
      folder: URL(filePath: words[4]),
      nativeHost: nil,
      nativeHostName: "",
      extensionID: words[3]
    )
    options.mayBlock = false
    options.takesAnyCertificate = true
    options.extensionPage = "manifest.json"
    do {
      let browser = try kind.start(options)
      answer(["value": browser.extensionURL])
      var session = DrivenSession(browser)
      while let line = readLine() { answer(session.answer(to: line)) }
      browser.close()
    } catch {
      answer(["error": "\(error)"])
      exit(1)
    }
  }

  private static func answer(_ object: [String: JSONValue]) {
    let data = try? JSONSerialization.data(withJSONObject: object)
    FileHandle.standardOutput.write((data ?? Data(#"{"error": "no JSON"}"#.utf8)) + Data("\n".utf8))
  }
}

/// The tabs of a driven browser.
private struct DrivenSession {
  private let browser: any Browser
  private var tabs: [BrowserTab] = []

  init(_ browser: any Browser) { self.browser = browser }

  /// Does what a line says.
  mutating func answer(to line: String) -> [String: JSONValue] {
    do {
      guard
        let command = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      else { throw DrivingError("no object: \(line)") }
      return ["value": try value(of: command) ?? NSNull()]
    } catch {
      return ["error": "\(error)"]
    }
  }

  private mutating func value(of command: [String: Any]) throws -> JSONValue? {
    func text(_ key: String) -> String {
      (command[key] as? String ?? "")
        .replacingOccurrences(of: "EXTENSION/", with: browser.extensionURL)
    }
    switch command["do"] as? String {
    case "load":
      let tab = try browser.openTab()
      try browser.load(text("url"), in: tab)
      tabs.append(tab)
      return tabs.count - 1
    case "evaluate":
      guard let number = command["tab"] as? Int, tabs.indices.contains(number) else {
        throw DrivingError("there is no such tab")
      }
      return try browser.evaluate(text("expression"), in: tabs[number])
    case "background": return try browser.evaluateInBackground(text("expression"))
    case "browser": return try browser.evaluateInBrowser(text("expression"))
    default: throw DrivingError("it does what is none of load, evaluate, background, browser")
    }
  }
}
