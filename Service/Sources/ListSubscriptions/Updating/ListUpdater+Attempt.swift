internal import Crypto
internal import DurableFiles
internal import Foundation
internal import ListIngestion
internal import RuleMatching
internal import TextOutput

/// What an update found, to be put into the state at once.
struct Attempt: Sendable {
  /// A list that was made.
  struct Made: Sendable {
    var generation: String
    var compiled: FileMark
    var text: FileMark
    var summary: ListSummary
    var digest: String
    var from: String
    var date: Date
  }

  /// The new list; nil if there is none.
  var made: Made?
  /// Whether the list differs from the one before, and not only its compiled form.
  var isChange = false
  /// Whether a server sent a list, be it the same.
  var isFetched = false
  /// What that server said of it; nil if it said nothing.
  var validators: Subscription.Validators?
  var newAddress: String?
  var fileStamp: String?
  var notes: [String] = []

  /// Decides whether a list is asked for at the address to which it has moved, and says so.
  ///
  /// It stays where it is if another list comes from there: one source has one list.
  mutating func settleMove(of subscription: Subscription, among all: [Subscription]) {
    guard let new = newAddress, subscription.source != .address(new) else { return }
    if let other = all.first(where: { $0.id != subscription.id && $0.source == .address(new) }) {
      newAddress = nil
      notes.append(
        "it has moved for good to \(new), which is the list \(other.id); remove one of them"
      )
    } else {
      notes.append("it has moved for good to \(new), which is asked from now on")
    }
  }

  func apply(to subscription: inout Subscription) {
    if let made {
      subscription.previous = subscription.generation
      subscription.switched = made.date
      subscription.generation = made.generation
      subscription.compiled = made.compiled
      subscription.text = made.text
      subscription.builtBy = ListUpdater.builder
      subscription.summary = made.summary
      if isChange || subscription.digest == nil {
        subscription.digest = made.digest
        subscription.changed = made.date
        subscription.fetchedFrom = made.from
      }
    }
    // Those of another text, or of another server's, would hold the list back at what came in between.
    if isFetched { subscription.validators = validators }
    if let fileStamp { subscription.fileStamp = fileStamp }
    if let newAddress, case .address(let old) = subscription.source, old != newAddress {
      subscription.move(from: old, to: newAddress)
    }
  }
}

extension ListUpdater {
  /// The version of what compiles lists; a list compiled by another is compiled again.
  static var builder: String { "\(ProductVersion.text) \(FileLayout.version)" }
  /// A list with fewer rules than this cannot shrink suspiciously.
  private static let fewRules = 50
  /// The part of its rules that a list may lose at once.
  private static let loss = 0.5
  /// How often in a row the same short list has to come until it is taken.
  private static let shortAnswersTaken = 3

  /// Gets what there is now, and makes a list of it if it is new.
  ///
  /// - Throws: ``UpdateFailure``, ``SubscriptionError``, or `CancellationError`.
  func attempt(_ old: Subscription, acceptsShort: Bool) async throws -> Attempt {
    switch old.source {
    case .file(let path): try await read(path, old, acceptsShort: acceptsShort)
    case .address: try await fetch(old, acceptsShort: acceptsShort)
    }
  }

  // MARK: Files

  private func read(
    _ path: String,
    _ old: Subscription,
    acceptsShort: Bool
  ) async throws -> Attempt {
    let stamp = Self.stamp(of: path)
    if stamp != nil, stamp == old.fileStamp, hasMade(old) { return Attempt() }
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try DurableFile.contents(of: path, atMost: store.limits.bytes)
    } catch {
      throw SubscriptionError(
        .file,
        error.isAbsence
          ? "there is no file \(path) any more; put it back, or remove the list"
          : "\(path) cannot be read: \(error.reason)"
      )
    }
    var attempt = try await make(bytes, .person, from: path, old, acceptsShort: acceptsShort)
    attempt.fileStamp = stamp
    return attempt
  }

  static func stamp(of path: String) -> String? {
    guard let values = try? FileManager.default.attributesOfItem(atPath: path),
      let date = values[.modificationDate] as? Date
    else { return nil }
    // A file that was just written may be written again under the same date.
    guard date.timeIntervalSinceNow < -1 else { return nil }
    return "\(values[.systemFileNumber] ?? 0) \(values[.size] ?? 0) \(date.timeIntervalSince1970)"
  }

  // MARK: The web

  /// Tries the addresses one after the other.
  private func fetch(_ old: Subscription, acceptsShort: Bool) async throws -> Attempt {
    var reasons: [String] = []
    var first: SubscriptionError?
    var retryAfter: Double?
    var shortDigest: String?
    for (index, address) in old.addresses.enumerated() {
      do {
        let answer = try await fetcher.fetch(
          address,
          mayBeLocal: old.mayBeLocal(address),
          validators: hasMade(old) ? old.validators : nil,
          now: clock()
        )
        var attempt: Attempt
        switch answer {
        case .notModified: attempt = Attempt()
        case .fetched(let fetched):
          attempt = try await make(
            fetched.body,
            .server,
            from: address,
            old,
            acceptsShort: acceptsShort
          )
          attempt.isFetched = true
          attempt.validators = fetched.validators
          if index == 0, let new = fetched.newAddress.flatMap(Self.kept) {
            attempt.newAddress = new
          }
        }
        if index > 0 { attempt.notes.append("from the mirror \(address), because \(reasons[0])") }
        return attempt
      } catch let failure as ListFetcher.Failure {
        reasons.append("\(address): \(failure.message)")
        if index == 0 { retryAfter = failure.retryAfter }
        first = first ?? SubscriptionError(.fetchFailed, "")
      } catch let failure as UpdateFailure {
        reasons.append(failure.error.message)
        first = first ?? failure.error
        shortDigest = shortDigest ?? failure.shortDigest
      } catch let error as SubscriptionError
        where [.listRefused, .notPrepared].contains(error.code)
      {
        reasons.append(error.message)
        first = first ?? error
      }
    }
    throw UpdateFailure(
      SubscriptionError(first?.code ?? .fetchFailed, reasons.joined(separator: "; ")),
      retryAfter: retryAfter,
      shortDigest: shortDigest
    )
  }

  /// Returns an address that a server names as it is kept; nil if it would be refused when it is typed.
  private static func kept(_ address: String) -> String? {
    let kept: String? = try? SubscriptionSource.address(address)
    return kept
  }

  // MARK: Making

  /// Makes a list of what came, unless it is what acts already; errors of what came name the place.
  func make(
    _ bytes: [UInt8],
    _ origin: ListOrigin,
    from place: String,
    _ old: Subscription,
    acceptsShort: Bool
  ) async throws -> Attempt {
    let digest = Self.digest(bytes)
    if digest == old.digest, hasMade(old) { return Attempt() }
    let folder = store.folder(of: old.id)
    let made = try await prepare(bytes, origin, in: folder, digest: digest, from: place)
    do {
      try check(made, old, acceptsShort: acceptsShort)
    } catch {
      try? FileManager.default.removeItem(at: folder.appending(path: made.generation))
      throw UpdateFailure(error, shortDigest: digest)
    }
    return Attempt(made: made, isChange: digest != old.digest)
  }

  /// Whether there is a list that acts, as this version of the program has made it.
  func hasMade(_ subscription: Subscription) -> Bool {
    guard let file = store.file(PreparedFiles.compiled, of: subscription),
      let mark = subscription.compiled
    else { return false }
    return subscription.builtBy == Self.builder && sound.contains(file, mark)
  }

  /// Returns what is wrong with the compiled list that acts, as far as it has changed since it was looked at.
  func damage(of subscription: Subscription) -> String? {
    if let file = store.file(PreparedFiles.compiled, of: subscription),
      let mark = subscription.compiled, sound.contains(file, mark)
    {
      return nil
    }
    return store.damage(of: subscription)
  }

  /// Makes the list that acts again of what is kept of it; nil if that cannot be done.
  func compiledAgain(_ old: Subscription) async -> Attempt.Made? {
    // Of a damaged text another list would come, or one that is cut off.
    guard let source = store.files(of: old)?.source,
      FileMark.damage(of: source, old.text) == nil,
      let bytes = try? DurableFile.contents(of: source.path, atMost: store.limits.bytes)
    else { return nil }
    // Nobody sends it now; it was taken for a list before.
    return try? await prepare(
      bytes,
      .person,
      in: store.folder(of: old.id),
      digest: old.digest ?? "",
      from: old.fetchedFrom ?? old.source.text
    )
  }

  /// Converts and compiles bytes into a new folder beside the list that acts.
  func prepare(
    _ bytes: [UInt8],
    _ origin: ListOrigin,
    in folder: URL,
    digest: String,
    from place: String
  ) async throws -> Attempt.Made {
    let name = SubscriptionStore.randomName()
    let generation = folder.appending(path: name, directoryHint: .isDirectory)
    do {
      try DurableFile.makeFolder(generation.path)
      let body = generation.appending(path: PreparedFiles.body(from: origin))
      try DurableFile.replace(body.path, with: bytes)
      let summary = try await preparation.run(generation)
      let text = generation.appending(path: PreparedFiles.source(summary.format))
      return Attempt.Made(
        generation: name,
        compiled: try FileMark(of: generation.appending(path: PreparedFiles.compiled)),
        text: try FileMark(of: text),
        summary: summary,
        digest: digest,
        from: place,
        date: clock()
      )
    } catch {
      try? FileManager.default.removeItem(at: generation)
      switch error {
      case let error as IngestionError:
        throw SubscriptionError(.listRefused, error.message(of: place))
      case let error as SubscriptionError where error.code == .notPrepared:
        throw SubscriptionError(.notPrepared, "\(place): \(error.message)")
      case let error as FileFailure: throw SubscriptionError(.file, "\(error)")
      default: throw error
      }
    }
  }

  /// Refuses a list that has lost most of its rules, as one that was cut off has.
  private func check(
    _ new: Attempt.Made,
    _ old: Subscription,
    acceptsShort: Bool
  ) throws(SubscriptionError) {
    let rules = new.summary.rules
    guard !acceptsShort, let before = old.summary?.rules, before >= Self.fewRules,
      Double(rules) < Double(before) * (1 - Self.loss)
    else { return }
    var counted = old
    counted.countShort(new.digest, at: clock())
    guard counted.shortAnswers < Self.shortAnswersTaken else { return }
    throw SubscriptionError(
      .suspiciouslyShort,
      "\(new.from): only \(rules) \(rules == 1 ? "rule" : "rules") came, and there were \(before), as if the list "
        + "were cut off; it is taken if the same comes \(Self.shortAnswersTaken) times in a row, each "
        + "\(Int(ListSchedule.firstDelay / 60)) minutes or more after the one before, or now by: "
        + "tickbird lists update \(old.id) --accept-short"
    )
  }

  static func digest(_ bytes: [UInt8]) -> String {
    SHA256.hash(data: bytes).hexadecimal
  }
}
