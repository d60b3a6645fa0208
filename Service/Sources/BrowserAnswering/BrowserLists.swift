internal import ExtensionHost
internal import Foundation
internal import NativeMessaging
internal import RuleMatching
internal import Synchronization

/// Answers questions about the active lists; Documentation/NativeMessaging.md has the messages.
final class BrowserLists: Sendable {
  /// The description of a file that was offered, or of one that cannot be used.
  struct Offer: Encodable, Equatable {
    let identifier: String
    let name: String
    var digest: String?
    var size: Int?
    /// The part that decides, which can be fetched by itself; absent if there is nothing else.
    var deciding: DecidingPart?
    /// Why there is nothing to fetch, though the list is on: the browser goes on with what it has.
    var fault: String?
  }

  /// The first bytes of a file: all but the text that it was compiled from, of which most of it is.
  struct DecidingPart: Encodable, Equatable {
    let digest: String
    let size: Int
  }

  /// Caches a file's digest until the file is replaced.
  private struct Known {
    let location: URL
    let stamp: OpenedFile.Stamp
    let offer: Offer
  }

  private struct State {
    var known: [String: Known] = [:]
    var told: Result<[Offer], WireError>?
    /// The stamp of the folders at that time; empty if they have to be read again.
    var stamp: [Date?] = []
  }

  private let lists: ListsInForce
  private let state = Mutex(State())

  /// Reads the lists in the host's data folder.
  init(data: URL) { lists = ListsInForce(data: data) }

  struct Offers: Encodable {
    let lists: [Offer]
  }

  /// Returns the active lists with their versions.
  ///
  /// - Throws: ``WireError`` with code `format-version` for any version but this program's, or an error that
  ///   says why it is not known which lists are active; a browser then goes on with those that it has.
  func offered(_ question: Question.OfLists?) throws(WireError) -> Offers {
    guard let question, question.formatVersion ?? FileLayout.version == FileLayout.version else {
      throw .otherVersion("format-version")
    }
    let offers = state.withLock { state in
      // Taken before the look-up, so that changes during it are noticed.
      let stamp = lists.stamp()
      let offers = current(&state)
      state.stamp = Self.lasting(stamp, of: offers)
      state.told = offers
      return offers
    }
    return Offers(lists: try offers.get())
  }

  /// Returns a part of a list, or of what of it decides, offered under a digest; nil if the list is no longer active, its file
  /// is not the one that was offered, or the offset is out of range.
  func part(_ digest: String, at offset: Int) -> Part? {
    let known = state.withLock { state in
      _ = current(&state)
      return state.known.values.first {
        $0.offer.digest == digest || $0.offer.deciding?.digest == digest
      }
    }
    guard let known, let file = OpenedFile(known.location), file.stamp == known.stamp else {
      return nil
    }
    let isWhole = known.offer.digest == digest
    return Part(of: file, at: offset, before: isWhole ? nil : known.offer.deciding?.size)
  }

  /// Returns a watch that notices when the lists may have changed.
  func watch() -> FolderWatch { lists.watch() }

  /// Returns whether the lists differ from those that the browser knows.
  func haveChanged() -> Bool {
    state.withLock { state in
      let stamp = lists.stamp()
      guard let told = state.told, stamp != state.stamp else { return false }
      let offers = current(&state)
      state.stamp = Self.lasting(stamp, of: offers)
      guard told != offers else { return false }
      // Reported once; the browser will ask again.
      state.told = nil
      return true
    }
  }

  /// Returns a stamp, unless more changes may follow under the same dates: timestamps of file
  /// systems are some milliseconds coarse, and what mends a fault (a disk that is there again, permissions)
  /// need not change any.
  private static func lasting(
    _ stamp: [Date?],
    of offers: Result<[Offer], WireError>
  ) -> [Date?] {
    let isFresh = stamp.contains { $0.map { $0.timeIntervalSinceNow > -0.1 } ?? false }
    guard !isFresh, case .success(let offers) = offers, offers.allSatisfy({ $0.fault == nil })
    else { return [] }
    return stamp
  }

  private func current(_ state: inout State) -> Result<[Offer], WireError> {
    let files: [ListsInForce.File]
    do throws(WireError) { files = try lists.reportedFiles() } catch { return .failure(error) }
    var known: [String: Known] = [:]
    let offers = files.map { file in
      let old = state.known[file.identifier]
      let found = file.fault == nil ? Self.known(file, old) : nil
      known[file.identifier] = found
      return found?.offer
        ?? Offer(
          identifier: file.identifier,
          name: file.name,
          fault: file.fault ?? "\(file.location.path) cannot be read now"
        )
    }
    state.known = known
    return .success(offers)
  }

  /// Returns the description of a file; `nil` if it cannot be read.
  private static func known(_ file: ListsInForce.File, _ old: Known?) -> Known? {
    guard let opened = OpenedFile(file.location) else { return nil }
    if let old, old.stamp == opened.stamp, old.location == file.location,
      old.offer.name == file.name
    {
      return old
    }
    guard let digests = opened.digests() else { return nil }
    var offer = Offer(
      identifier: file.identifier,
      name: file.name,
      digest: digests.whole,
      size: opened.stamp.size
    )
    if let digest = digests.deciding, let size = opened.decidingSize {
      offer.deciding = DecidingPart(digest: digest, size: size)
    }
    return Known(location: file.location, stamp: opened.stamp, offer: offer)
  }
}

extension ListsInForce {
  /// Returns the active lists, as ``files()``, with errors as a browser is told them.
  func reportedFiles() throws(WireError) -> [File] {
    do { return try files() } catch { throw WireError(reporting: error) }
  }
}
