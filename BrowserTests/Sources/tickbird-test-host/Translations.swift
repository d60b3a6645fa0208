internal import ContentBlocking
internal import ContentRules
internal import DeclarativeRules
internal import Foundation
internal import RuleMatching
internal import Synchronization

/// The lists of the folder as Chromium's rules, made again when the lists are others.
enum Translations {
  struct Made {
    var digest: String
    var text: Data
  }

  private static let last = Mutex<Made?>(nil)

  static func translation(of lists: [[String: Any]]) -> Made {
    let digest = lists.compactMap { $0["digest"] as? String }.joined(separator: "-")
    return last.withLock { last in
      if let last, last.digest == "d" + digest { return last }
      let sources = lists.compactMap { list -> DeclarativeList? in
        guard let file = list["file"] as? String, let identifier = list["identifier"] as? String,
          let bytes = try? Data(contentsOf: URL(fileURLWithPath: file)),
          let source = FileLayout.source(ofAnyVersion: Array(bytes)),
          let rules = RuleListReader.read(source).ruleList?.rules
        else { return nil }
        return DeclarativeList(name: identifier, rules: rules)
      }
      let made = Made(
        digest: "d" + digest,
        text: Data(Translator.translate(sources, to: .chromium).message())
      )
      last = made
      return made
    }
  }
}
