internal import DurableFiles
public import Foundation
public import ServiceFolders

/// The user's grants to browser extensions other than Tickbird's own.
///
/// A manifest lets an extension start the host, and no more; everything that it may request is
/// granted here, by name.
///
///     { "format": 1, "grants": { "chrome-extension://ID/": { "webExtensions": [
///       { "identifier": "com.example.web", "signer": null } ], "pageNotes": false } } }
///
/// Callers are written as in their family's manifests, so that an id of one family means nothing in
/// the other.
public struct CallerGrants: Sendable {
  /// An app extension whose browser half is the caller.
  public struct WebExtension: Codable, Equatable, Sendable {
    /// Its bundle identifier.
    public var identifier: String
    /// The fingerprint of the key that signed it at the time of the grant; nil for unsigned.
    ///
    /// The grant does not apply to another developer's extension of the same identifier.
    public var signer: String?
    /// The installation of an unsigned extension at the time of the grant; nil for signed ones, and
    /// for those that an older version installed.
    ///
    /// After a removal anybody's extension could have the identifier.
    public var installation: String?

    /// Creates a reference to an extension, its signer and its installation.
    public init(identifier: String, signer: String?, installation: String? = nil) {
      self.identifier = identifier
      self.signer = signer
      self.installation = installation
    }
  }

  /// The grants of one caller.
  public struct Grant: Codable, Equatable, Sendable {
    /// The app extensions whose list it may set, and to whose handler it may send messages.
    public var webExtensions: [WebExtension] = []
    /// Whether it may request the note of a page that it names, as extensions for Safari do; never
    /// lists of notes.
    public var pageNotes = false

    /// Creates an empty grant.
    public init() {}

    /// Whether nothing is granted.
    public var isEmpty: Bool { webExtensions.isEmpty && !pageNotes }

    /// Whether another grant allows nothing that this one does not.
    func includes(_ other: Grant) -> Bool {
      (pageNotes || !other.pageNotes)
        && other.webExtensions.allSatisfy { webExtensions.contains($0) }
    }
  }

  /// Why the grants cannot be read or written; the message names the file.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let description: String
  }

  private struct Contents: Codable {
    var format = CallerGrants.format
    var grants: [String: Grant] = [:]
  }

  private static let format = 1
  private static let limit = 1 << 20
  private let file: URL
  private let reserve: DiskReserve

  /// Names the file, which need not exist.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - reserve: The room for revocations on a full disk; by default the one that the folder around the
  ///     file's folder has.
  public init(file: URL, reserve: DiskReserve? = nil) {
    self.file = file
    self.reserve =
      reserve
      ?? DiskReserve(folder: file.deletingLastPathComponent().deletingLastPathComponent())
  }

  /// Returns the grants of a caller; empty if none are recorded.
  ///
  /// - Throws: ``Failure`` if the file is damaged; then nothing is granted.
  public func grant(to id: String, _ family: BrowserFamily) throws(Failure) -> Grant {
    try read().grants[family.caller(id)] ?? Grant()
  }

  /// Returns all grants, by caller as in a manifest.
  ///
  /// - Throws: ``Failure``.
  public func all() throws(Failure) -> [String: Grant] { try read().grants }

  /// Changes the grants of a caller; an empty grant is removed.
  ///
  /// Waits for other processes that change the grants, for up to ten seconds: a concurrent grant
  /// must not undo a revocation.
  ///
  /// - Throws: ``Failure``; then the file is unchanged.
  public func change(
    _ id: String,
    _ family: BrowserFamily,
    _ body: (inout Grant) -> Void
  ) throws(Failure) {
    do {
      try DurableFile.makeFolder(file.deletingLastPathComponent().path, permissions: 0o700)
      let lock = try FileLock.waiting(
        for: file.appendingPathExtension("lock"),
        patience: .seconds(10)
      )
      defer { withExtendedLifetime(lock) {} }
      var contents = try read()
      let before = contents.grants[family.caller(id)] ?? Grant()
      var grant = before
      body(&grant)
      contents.grants[family.caller(id)] = grant.isEmpty ? nil : grant
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let data = try encoder.encode(contents)
      func write() throws(FileFailure) { try DurableFile.replaceOwnFile(file.path, with: data) }
      if before.includes(grant) {
        try reserve.using(write)
        reserve.keep()
      } else {
        try write()
      }
    } catch let failure as Failure {
      throw failure
    } catch let failure as FileFailure {
      throw Failure(description: failure.description)
    } catch FileLock.Failure.held {
      throw Failure(description: "\(file.path) is being changed by another process; try again")
    } catch FileLock.Failure.unusable(let sentence) {
      throw Failure(description: sentence)
    } catch {
      throw Failure(description: "\(file.path) cannot be written: \(FileFailure.reason(of: error))")
    }
  }

  private func read() throws(Failure) -> Contents {
    guard DurableFile.isThere(file.path) else { return Contents() }
    let bytes: [UInt8]?
    do throws(FileFailure) {
      bytes = try DurableFile.contents(of: file.path, atMost: Self.limit)
    } catch {
      guard error.isAboutFile, error.number != FileFailure.linkToNothing else {
        throw Failure(description: error.description)
      }
      bytes = nil
    }
    guard let bytes, let contents = try? JSONDecoder().decode(Contents.self, from: Data(bytes)),
      contents.format == Self.format
    else {
      throw Failure(
        description: "\(file.path), which says what other extensions may ask, is damaged or of a "
          + "later Tickbird; bring it back from a copy, or remove it and grant again"
      )
    }
    return contents
  }
}
