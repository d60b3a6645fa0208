internal import DurableFiles
public import Foundation
internal import ServiceFolders

/// What the user lets extensions of browsers ask that are not Tickbird's own.
///
/// That a manifest names an extension lets it start the host, and no more: whatever it may ask is
/// granted here, by name.
///
///     { "format": 1, "grants": { "chrome-extension://ID/": { "webExtensions": [
///       { "identifier": "com.example.web", "signer": null } ], "pageNotes": false } } }
///
/// Callers are written as the manifests of their family have them, so that an id of one family is
/// nobody's in the other.
public struct CallerGrants: Sendable {
  /// An app extension, of which the caller is the browser's half.
  public struct WebExtension: Codable, Equatable, Sendable {
    /// Its bundle identifier.
    public var identifier: String
    /// The fingerprint of the key that signed it when this was granted; nil for unsigned.
    ///
    /// Another developer's extension of the same identifier is not meant.
    public var signer: String?
    /// Which installation was meant, of one that nobody signed; nil for signed ones, and for what an
    /// older version installed.
    ///
    /// After a removal anybody's may have the identifier.
    public var installation: String?

    /// Names an extension, its signer and its installation.
    public init(identifier: String, signer: String?, installation: String? = nil) {
      self.identifier = identifier
      self.signer = signer
      self.installation = installation
    }
  }

  /// All that one caller may ask.
  public struct Grant: Codable, Equatable, Sendable {
    /// The app extensions whose list it may set, and whose handler it may ask.
    public var webExtensions: [WebExtension] = []
    /// Whether it may ask for the note of a page that it names, as extensions for Safari do; never
    /// for lists of notes.
    public var pageNotes = false

    /// Grants nothing.
    public init() {}

    /// Whether nothing is granted.
    public var isEmpty: Bool { webExtensions.isEmpty && !pageNotes }
  }

  /// Why the grants cannot be read or written; the sentence names the file.
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

  /// Takes the file; it need not be there.
  public init(file: URL) { self.file = file }

  /// What a caller may ask; nothing where nothing is recorded.
  ///
  /// - Throws: ``Failure`` for a file that cannot be understood: nothing is granted then.
  public func grant(to id: String, _ family: BrowserFamily) throws(Failure) -> Grant {
    try read().grants[family.caller(id)] ?? Grant()
  }

  /// All grants, by caller as a manifest names it.
  ///
  /// - Throws: ``Failure``.
  public func all() throws(Failure) -> [String: Grant] { try read().grants }

  /// Changes what a caller may ask; one that is left with nothing is forgotten.
  ///
  /// Waits for other processes that change the grants, for up to ten seconds: what one of them takes
  /// back must not come again with what another one grants.
  ///
  /// - Throws: ``Failure``; the file is as before then.
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
      var grant = contents.grants[family.caller(id)] ?? Grant()
      body(&grant)
      contents.grants[family.caller(id)] = grant.isEmpty ? nil : grant
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try DurableFile.replace(file.path, with: try encoder.encode(contents))
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
      guard error.isAboutFile else { throw Failure(description: error.description) }
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
