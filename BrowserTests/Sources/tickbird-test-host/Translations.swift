internal import ContentBlocking
internal import ContentRules
internal import DeclarativeRules
internal import Foundation
internal import RuleMatching
internal import Synchronization

/// The lists of the folder as Chromium's rules, made again when the lists are others.
enum Translations {
  struct Made {
    /// The digests of the lists.
    var key: String
    /// The SHA-256 of the text, which the extension checks.
    var digest: String
    var text: Data
  }

  private static let last = Mutex<Made?>(nil)

  static func translation(of lists: [[String: Any]]) -> Made {
    let key = lists.compactMap { $0["digest"] as? String }.joined(separator: "-")
    return last.withLock { last in
      if let last, last.key == key { return last }
      let sources = lists.compactMap { list -> DeclarativeList? in
        guard let file = list["file"] as? String, let identifier = list["identifier"] as? String,
          let bytes = try? Data(contentsOf: URL(fileURLWithPath: file)),
          let source = FileLayout.source(ofAnyVersion: Array(bytes)),
          let rules = RuleListReader.read(source).ruleList?.rules
        else { return nil }
        return DeclarativeList(name: identifier, rules: rules)
      }
      let text = Data(Translator.translate(sources, to: .chromium).message())
      let made = Made(key: key, digest: digest(of: text), text: text)
      last = made
      return made
    }
  }

  private static func digest(of text: Data) -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sha256sum")
    process.arguments = [file.path]
    let output = Pipe()
    process.standardOutput = output
    guard (try? text.write(to: file)) != nil, (try? process.run()) != nil else { return "" }
    let bytes = (try? output.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes.prefix(64), as: UTF8.self)
  }
}
