internal import ContentRules
internal import DeclarativeRules
internal import ExtensionHost
internal import Foundation
internal import NativeMessaging
internal import RuleMatching
internal import Synchronization

/// The active lists as a browser's declarative rules; Documentation/NativeMessaging.md has the messages,
/// and Documentation/DeclarativeRules.md the rules.
///
/// A translation is made when it is first asked for and whenever the lists are others, in the
/// background, so that no message waits for it.
final class BrowserRules: Sendable {
  private struct Made {
    var key: [String]
    var digest: String
    var text: Data
  }

  private struct State {
    var made: Made?
    /// The lists that are being translated.
    var work: [String]?
  }

  private let lists: ListsInForce
  private let state = Mutex(State())

  /// Takes the host's data folder.
  init(data: URL) { lists = ListsInForce(data: data) }

  struct Offer: Encodable {
    /// Absent as long as the rules are being translated.
    var digest: String?
    var size: Int?
  }

  /// What there is; without a digest as long as it is being made.
  func offer() -> Offer {
    let files = lists.files()
    let key = files.map(Self.key)
    let (made, isNew) = state.withLock { state -> (Made?, Bool) in
      if let made = state.made, made.key == key { return (made, false) }
      guard state.work != key else { return (nil, false) }
      state.work = key
      return (nil, true)
    }
    if let made {
      return Offer(digest: made.digest, size: made.text.count)
    }
    if isNew { Task.detached(priority: .utility) { self.translate(files, key) } }
    return Offer()
  }

  private func translate(_ files: [ListsInForce.File], _ key: [String]) {
    let sources = files.compactMap { file -> DeclarativeList? in
      // What cannot be read is being replaced, and then the lists are others.
      guard let bytes = try? Data(contentsOf: file.location, options: .alwaysMapped),
        let source = FileLayout.source(ofAnyVersion: Array(bytes)),
        let rules = RuleListReader.read(source).ruleList?.rules
      else { return nil }
      return DeclarativeList(name: file.identifier, rules: rules)
    }
    let text = Data(Translator.translate(sources, to: .chromium).message())
    let digest = text.digest
    state.withLock { state in
      // Lists may have changed again meanwhile.
      guard state.work == key else { return }
      state.work = nil
      state.made = Made(key: key, digest: digest, text: text)
    }
  }

  /// The rules that were offered by this digest; nil if they are others by now.
  func bytes(_ digest: String) -> Data? {
    state.withLock { state in state.made?.digest == digest ? state.made?.text : nil }
  }

  /// Something that is another one when a list's file is.
  private static func key(_ file: ListsInForce.File) -> String {
    let values = try? FileManager.default.attributesOfItem(atPath: file.location.path)
    let date = values?[.modificationDate] as? Date
    return "\(file.identifier) \(values?[.systemFileNumber] ?? 0) \(values?[.size] ?? 0) "
      + "\(date?.timeIntervalSince1970 ?? 0)"
  }
}
