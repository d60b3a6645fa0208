public import Foundation
internal import Synchronization

/// Detects when a browser's index of notes is out of date.
///
///     let watch = NoteWatch(store)
///     watch.willAnswer(request)     // before each answer
///     if watch.hasChanged() { … }   // a second later: the browser has to ask for the index again
public final class NoteWatch: Sendable {
  private struct State {
    var mark: [Int] = []
    /// The digest of the index last sent; `nil` if none was requested, or the browser was already
    /// notified.
    var digest: Int?
  }

  private let store: NoteStore
  private let state = Mutex(State())

  /// Watches a store.
  public init(_ store: NoteStore) { self.store = store }

  /// Records that an index is about to be sent.
  ///
  /// - Parameter json: A request; all but the first part of an index are ignored.
  public func willAnswer(_ json: Data) {
    guard case .index(offset: 0)? = try? NoteRequest(json: json) else { return }
    state.withLock { state in
      // Taken before the index is read, so that changes during the read are noticed.
      state.mark = (try? store.changeMark()) ?? []
      state.digest = try? digest()
    }
  }

  /// Returns whether the index differs from the one last sent; true only once for each.
  ///
  /// - Complexity: Reads no table unless something was written, otherwise all notes.
  public func hasChanged() -> Bool {
    state.withLock { state in
      guard let told = state.digest, let mark = try? store.changeMark(), mark != state.mark,
        let digest = try? digest()
      else { return false }
      state.mark = mark
      guard digest != told else { return false }
      // The browser will ask for the index again.
      state.digest = nil
      return true
    }
  }

  /// Hashes everything in the index, which does not include counts.
  private func digest() throws -> Int {
    var hasher = Hasher()
    hasher.combine(try store.focusEnd())
    let today = try store.read { try store.today($0) }
    for note in try store.countingNotes() {
      hasher.combine(note.plan)
      if note.plan.limit != nil { hasher.combine(note.plan.isUsedUp(today[note.id] ?? NoteDay())) }
      hasher.combine(note.id)
      hasher.combine(note.target)
      hasher.combine(note.displayText)
      hasher.combine(note.emoji)
      hasher.combine(note.snoozeMinutes)
      hasher.combine(note.snoozedUntil)
    }
    return hasher.finalize()
  }
}
