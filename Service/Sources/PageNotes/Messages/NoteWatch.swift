public import Foundation
internal import Synchronization

/// Tells when the index of notes that a browser has is no longer right.
///
///     let watch = NoteWatch(store)
///     watch.willAnswer(request)     // before each answer
///     if watch.hasChanged() { … }   // a second later: the browser has to ask for the index again
public final class NoteWatch: Sendable {
  private struct State {
    var mark: [Int] = []
    /// Of the index that was sent; `nil` as long as none was asked for, or the browser knows.
    var digest: Int?
  }

  private let store: NoteStore
  private let state = Mutex(State())

  /// Takes the notes.
  public init(_ store: NoteStore) { self.store = store }

  /// Takes note that an index is about to be sent.
  ///
  /// - Parameter json: A request; only one for the beginning of an index counts.
  public func willAnswer(_ json: Data) {
    guard case .index(offset: 0)? = try? NoteRequest(json: json) else { return }
    state.withLock { state in
      // Before the index is read: what changes during it shows afterwards.
      state.mark = (try? store.changeMark()) ?? []
      state.digest = try? digest()
    }
  }

  /// Whether the index is not what the browser got last; true only once.
  ///
  /// - Complexity: Reads no table unless something was written, else all notes.
  public func hasChanged() -> Bool {
    state.withLock { state in
      guard let told = state.digest, let mark = try? store.changeMark(), mark != state.mark,
        let digest = try? digest()
      else { return false }
      state.mark = mark
      guard digest != told else { return false }
      // The browser asks again.
      state.digest = nil
      return true
    }
  }

  /// Of all that an index says; counts are not in it.
  private func digest() throws -> Int {
    var hasher = Hasher()
    for note in try store.countingNotes() {
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
