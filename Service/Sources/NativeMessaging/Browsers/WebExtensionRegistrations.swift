internal import DurableFiles
public import Foundation
internal import ServiceFolders

/// The web extensions that a user has added to browsers.
///
/// Each has a folder, named by its bundle identifier:
///
///     Registration.json       who may ask for its handler
///     key.pem                 the key from which its ids follow
///     chromium/, firefox/     what browsers load
///     packages/               the same, packed
///
/// A registration that cannot be read counts as absent, so that it lets nobody in.
public struct WebExtensionRegistrations: Sendable {
  private static let name = "Registration.json"
  private static let limit = 1 << 16
  private let directory: URL

  /// Finds the registrations of a user; the folder need not exist.
  public init(data: URL) {
    directory = data.appending(path: "browser/web", directoryHint: .isDirectory)
  }

  /// Returns the folder of an extension; `nil` if the identifier cannot name one.
  public func folder(_ identifier: String) -> URL? {
    let isPlain =
      !identifier.isEmpty && identifier.utf8.count <= 155 && !identifier.hasPrefix(".")
      && identifier.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || "-.".utf8.contains(byte)
      }
    return isPlain ? directory.appending(path: identifier, directoryHint: .isDirectory) : nil
  }

  /// Returns the registration of an extension; `nil` if it is not added to browsers.
  public func registration(_ identifier: String) -> WebExtensionRegistration? {
    guard let file = folder(identifier)?.appending(path: Self.name),
      DurableFile.isThere(file.path),
      let bytes = try? DurableFile.contents(of: file.path, atMost: Self.limit),
      let found = try? JSONDecoder().decode(WebExtensionRegistration.self, from: Data(bytes)),
      found.identifier.utf8.elementsEqual(identifier.utf8)
    else { return nil }
    return found
  }

  /// All registrations, ordered by identifier.
  public var all: [WebExtensionRegistration] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return names.sorted().compactMap { registration($0) }
  }

  /// Returns the extension for which a browser has started the host.
  ///
  /// - Complexity: O(*n*) in the registrations, each of which is read.
  public func registration(of caller: NativeCaller) -> WebExtensionRegistration? {
    all.first { $0.isStarted(by: caller) }
  }

  /// Writes a registration.
  ///
  /// - Throws: ``FileFailure`` in words; then the one before is unchanged.
  public func write(_ registration: WebExtensionRegistration) throws {
    guard let folder = folder(registration.identifier) else {
      throw CocoaError(.fileWriteInvalidFileName)
    }
    try DurableFile.makeFolder(folder.path, permissions: 0o700)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try DurableFile.replace(
      folder.appending(path: Self.name).path,
      with: try encoder.encode(registration)
    )
  }

  /// Removes an extension's registration, and then its folder.
  ///
  /// - Throws: File system errors. The registration goes first, so that nobody is let in any more.
  public func remove(_ identifier: String) throws {
    guard let folder = folder(identifier), DurableFile.isThere(folder.path) else { return }
    try DurableFile.remove(folder.appending(path: Self.name).path)
    try FileManager.default.removeItem(at: folder)
  }

  /// Runs a body while no other process changes registrations.
  ///
  /// - Throws: ``FileLock/Failure`` if another process does so for ten seconds, or the body's error.
  public func changing<Result>(_ body: () throws -> Result) throws -> Result {
    try DurableFile.makeFolder(directory.path, permissions: 0o700)
    let lock = try FileLock.waiting(
      for: directory.appendingPathExtension("lock"),
      patience: .seconds(10)
    )
    defer { withExtendedLifetime(lock) {} }
    return try body()
  }
}
