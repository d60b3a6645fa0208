internal import BlockingWork
internal import ContentRules
internal import DeclarativeRules
internal import ExtensionHost
internal import Foundation
internal import NativeMessaging
internal import RuleMatching
internal import ServiceFolders
internal import Synchronization

/// Answers questions about the active lists as a browser's declarative rules;
/// Documentation/NativeMessaging.md has the messages, and Documentation/DeclarativeRules.md the
/// rules.
///
/// A translation is made in the background, when it is first requested and whenever the lists
/// change. Its answer comes when it is made, which delays no other answer. The next host finds it in a
/// file.
final class BrowserRules: Sendable {
  private struct State {
    var made: Translation?
    /// The lists being translated.
    var work: [String]?
    /// What waits for the translation; each is finished when it is made.
    var waiting: [AsyncStream<Never>.Continuation] = []
    var isWanted = false
  }

  /// How often an answer waits for a translation of lists that have changed again meanwhile.
  private static let attempts = 3

  private let lists: ListsInForce
  private let file: URL
  private let state = Mutex(State())

  /// Reads the lists in the host's data folder, and keeps their translation in the cache folder.
  init(_ folders: ServiceFolders) {
    lists = ListsInForce(data: folders.data)
    file = folders.cache.appending(path: "chromium-rules")
  }

  struct Offer: Encodable {
    /// Absent while the rules are being translated.
    var digest: String?
    var size: Int?
  }

  /// Returns the offer of what the lists are now, when it is translated; without a digest if the
  /// lists change all the time, or the task is cancelled.
  func offer() async -> Offer {
    state.withLock { $0.isWanted = true }
    for _ in 0..<Self.attempts where !Task.isCancelled {
      let (made, end) = current()
      if let made { return Offer(digest: made.digest, size: made.size) }
      for await _ in end {}
    }
    return Offer()
  }

  /// Begins to translate lists that have changed, if the browser has ever asked for rules.
  func willBeAsked() {
    if state.withLock(\.isWanted) { _ = current() }
  }

  /// Returns the translation of the lists as they are now; if there is none, begins to make it, and
  /// returns a stream that ends with it.
  private func current() -> (Translation?, AsyncStream<Never>) {
    let files = lists.files()
    let key = [Translation.program] + files.map(Self.key)
    let (end, waiting) = AsyncStream<Never>.makeStream()
    let (made, isNew) = state.withLock { state -> (Translation?, Bool) in
      if let made = state.made, made.key == key { return (made, false) }
      if state.work == nil, let kept = Translation(key: key, in: file) {
        state.made = kept
        return (kept, false)
      }
      state.waiting.append(waiting)
      guard state.work != key else { return (nil, false) }
      state.work = key
      return (nil, true)
    }
    if isNew { Task.detached(priority: .utility) { self.translate(files, key) } }
    return (made, end)
  }

  private func translate(_ files: [ListsInForce.File], _ key: [String]) {
    let made = freeingMemory {
      let (text, isWhole) = Self.text(of: files)
      return Translation(text, key: key, in: isWhole ? file : nil)
    }
    let waiting = state.withLock { state -> [AsyncStream<Never>.Continuation] in
      // The lists may have changed again meanwhile; who waits goes on with their translation.
      guard state.work == key else { return [] }
      state.work = nil
      state.made = made
      defer { state.waiting = [] }
      return state.waiting
    }
    for each in waiting { each.finish() }
  }

  /// Returns the lists of some files as the browser's rules, and whether all files could be read.
  private static func text(of files: [ListsInForce.File]) -> (Data, isWhole: Bool) {
    let sources = files.compactMap { file -> DeclarativeList? in
      // A file that cannot be read is being replaced, which will change the lists.
      guard let opened = OpenedFile(file.location),
        let bytes = opened.bytes(at: 0, count: opened.stamp.size),
        let source = FileLayout.source(ofAnyVersion: Array(bytes)),
        let rules = RuleListReader.read(source).ruleList?.rules
      else { return nil }
      return DeclarativeList(name: file.identifier, rules: rules)
    }
    let text = Data(Translator.translate(sources, to: .chromium).message())
    return (text, sources.count == files.count)
  }

  /// Returns a part of the rules offered under a digest; nil if they have changed, or the offset is out
  /// of range.
  func part(_ digest: String, at offset: Int) -> Part? {
    state.withLock { state in
      guard let made = state.made, made.digest == digest else { return nil }
      let part = made.part(at: offset)
      // A file that was cut off; the rules are made again when they are asked for.
      if part == nil, offset < made.size { state.made = nil }
      return part
    }
  }

  /// Returns a key that changes whenever a list's file does.
  private static func key(_ file: ListsInForce.File) -> String {
    let values = try? FileManager.default.attributesOfItem(atPath: file.location.path)
    let date = values?[.modificationDate] as? Date
    return "\(file.identifier) \(values?[.systemFileNumber] ?? 0) \(values?[.size] ?? 0) "
      + "\(date?.timeIntervalSince1970 ?? 0)"
  }
}
