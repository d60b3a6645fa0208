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
    var made: OfferedRules?
    /// The lists being translated.
    var work: [String]?
    /// What waits for the translation; each is finished when it is made.
    var waiting: [AsyncStream<Never>.Continuation] = []
    var isWanted = false
    /// Whether a translation that lacks a list is the answer to the question that it was made for.
    var isAnswered = false
  }

  /// How often an answer waits for a translation of lists that have changed again meanwhile.
  private static let attempts = 3

  private let lists: ListsInForce
  private let file: URL
  private let state = Mutex(State())

  /// Reads the lists in the host's data folder, and keeps their translation in the cache folder.
  init(_ folders: ServiceFolders) {
    lists = ListsInForce(data: folders.data)
    file = folders.cache.appending(path: "chromium-rules").appending(path: "rules")
    // Found out now, as long as the program is where it was started.
    _ = OfferedRules.program
  }

  struct Offer: Encodable {
    /// Absent while the rules are being translated.
    var digest: String?
    var size: Int?
    /// Which lists are not in it, though they are on or may be, and why.
    var fault: String?
    /// Their identifiers: a browser that has rules of them keeps these beside what is offered.
    var missing: [String]?

    init(_ made: OfferedRules? = nil, missing: [OfferedRules.Missing] = []) {
      digest = made?.digest
      size = made?.size
      guard !missing.isEmpty else { return }
      self.missing = missing.map(\.identifier)
      // One fault of many lists, as of what says which are on, is told once.
      let names = Dictionary(grouping: missing, by: \.fault).mapValues { $0.map(\.name) }
      var told: Set<String> = []
      fault = missing.filter { told.insert($0.fault).inserted }
        .map { "\((names[$0.fault] ?? []).joined(separator: ", ")): \($0.fault)" }
        .joined(separator: "; ")
    }
  }

  /// Returns the offer of what the lists are now, when it is translated; without a digest if the
  /// lists change all the time, or the task is cancelled.
  ///
  /// - Throws: Why it is not known which lists are active; a browser then keeps its rules.
  func offer() async throws(WireError) -> Offer {
    state.withLock { $0.isWanted = true }
    for _ in 0..<Self.attempts where !Task.isCancelled {
      let files = try lists.reportedFiles()
      let (made, end) = current(files.filter { $0.fault == nil })
      if let made {
        let faulty = files.compactMap { file in
          file.fault.map { Self.missing(file, $0) }
        }
        return Offer(made, missing: faulty + made.missing)
      }
      for await _ in end {}
    }
    return Offer()
  }

  /// Begins to translate lists that have changed, if the browser has ever asked for rules.
  func willBeAsked() {
    guard state.withLock(\.isWanted), let files = try? lists.reportedFiles() else { return }
    _ = current(files.filter { $0.fault == nil })
  }

  /// Returns the translation of the lists as they are now; if there is none, begins to make it, and
  /// returns a stream that ends with it.
  private func current(_ files: [ListsInForce.File]) -> (OfferedRules?, AsyncStream<Never>) {
    let key = [OfferedRules.program] + files.map(Self.key)
    let (end, waiting) = AsyncStream<Never>.makeStream()
    let (made, isNew) = state.withLock { state -> (OfferedRules?, Bool) in
      if let made = state.made, made.key == key, made.isWhole || state.isAnswered, made.isThere {
        state.isAnswered = made.isWhole
        return (made, false)
      }
      state.waiting.append(waiting)
      guard state.work != key else { return (nil, false) }
      state.work = key
      return (nil, true)
    }
    if isNew {
      Task.detached(priority: .utility) { await blocking { self.make(files, key) } }
    }
    return (made, end)
  }

  /// Takes the translation from its file, or makes it.
  private func make(_ files: [ListsInForce.File], _ key: [String]) {
    let made =
      OfferedRules(key: key, in: file) ?? freeingMemory { Self.translated(files, key, in: file) }
    let waiting = state.withLock { state -> [AsyncStream<Never>.Continuation] in
      // The lists may have changed again meanwhile; who waits goes on with their translation.
      guard state.work == key else { return [] }
      state.work = nil
      state.made = made
      state.isAnswered = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for each in waiting { each.finish() }
  }

  private static func translated(
    _ files: [ListsInForce.File],
    _ key: [String],
    in location: URL
  ) -> OfferedRules {
    var isWhole = true
    var missing: [OfferedRules.Missing] = []
    var lists: [DeclarativeList] = []
    for (place, file) in files.enumerated() {
      // A file that cannot be read is being replaced, or will be readable another time.
      guard let opened = OpenedFile(file.location),
        let bytes = opened.bytes(at: 0, count: opened.stamp.size),
        Self.key(file.identifier, opened) == key[place + 1]
      else {
        isWhole = false
        missing.append(Self.missing(file, "\(file.location.path) cannot be read now"))
        continue
      }
      // One that is damaged stays so as long as it is there.
      guard let source = FileLayout.source(ofAnyVersion: Array(bytes)),
        let rules = RuleListReader.read(source).ruleList?.rules
      else {
        missing.append(Self.missing(file, "\(file.location.path) is damaged"))
        continue
      }
      lists.append(DeclarativeList(name: file.identifier, rules: rules))
    }
    let text = Data(Translator.translate(lists, to: .chromium.withRoomForSettings).message())
    return OfferedRules(text, key: key, missing: missing, isWhole: isWhole, in: location)
  }

  private static func missing(_ file: ListsInForce.File, _ fault: String) -> OfferedRules.Missing {
    OfferedRules.Missing(identifier: file.identifier, name: file.name, fault: fault)
  }

  /// Returns a part of the rules offered under a digest; nil if they have changed, or the offset is out
  /// of range.
  func part(_ digest: String, at offset: Int) -> Part? {
    guard let made = state.withLock({ $0.made }), made.digest == digest else { return nil }
    return made.part(at: offset)
  }

  /// Returns a key that changes whenever a list's file does.
  private static func key(_ file: ListsInForce.File) -> String {
    key(file.identifier, OpenedFile(file.location))
  }

  private static func key(_ identifier: String, _ file: OpenedFile?) -> String {
    file.map { "\(identifier) \($0.stamp)" } ?? identifier
  }
}
