internal import BrowserPackages
internal import DurableFiles
public import ExtensionHost
public import Foundation
public import NativeMessaging
internal import ExtensionMessages
public import ServiceFolders
public import WebExtensions

/// Adds the browser halves of installed web extensions to browsers, and takes them away.
///
///     let added = try installer.add(bundle, to: [.chromium, .firefox])
///     try installer.remove("com.example.Notes.Extension")
public struct WebExtensionInstaller: Sendable {
  /// What was made for a family of browsers.
  public struct Half: Sendable {
    /// The family.
    public let family: BrowserFamily
    /// The folder that browsers load.
    public let folder: URL
    /// The packed folder.
    public let package: URL
    /// The files with which an administrator installs the package, beside it.
    public let policy: [URL]
    /// The extension's id.
    public let id: String
    /// What is missing or different there.
    public let notes: [TranslationNote]
  }

  /// What was done.
  public struct Added: Sendable {
    /// The registration.
    public let registration: WebExtensionRegistration
    /// The extension's version for browsers.
    public let version: String
    /// What was made, for each family.
    public let halves: [Half]
    /// What was done with the host's manifests; empty if the extension does not ask for its handler.
    public let hosts: [(browser: Browser, outcome: HostInstallation.Outcome)]
    /// Whether the extension asks for its native handler.
    public let hasNativeMessaging: Bool
    /// What it may do in browsers.
    public let requests: WebExtensionRequests
  }

  let registrations: WebExtensionRegistrations
  private let places: BrowserPlaces
  private let program: URL

  /// Creates an installer.
  ///
  /// - Parameters:
  ///   - folders: The user's folders.
  ///   - places: The browsers' folders.
  ///   - program: The absolute path of the host's program.
  public init(_ folders: ServiceFolders, places: BrowserPlaces, program: URL) {
    registrations = WebExtensionRegistrations(data: folders.data)
    self.places = places
    self.program = program
  }

  // MARK: Adding

  /// Makes what browsers load of an installed extension, and lets them start its host.
  ///
  /// Called again, it renews everything; the ids stay as long as the extension is the same
  /// developer's.
  ///
  /// - Parameters:
  ///   - bundle: The installed bundle.
  ///   - browsers: Those that may start the host.
  /// - Returns: What was made.
  /// - Throws: ``WebExtensionInstallError``; what was there before works on, except that some
  ///   browsers may lack their manifest.
  public func add(_ bundle: InstalledBundle, to browsers: [Browser]) throws -> Added {
    guard let files = BundleFiles(bundle),
      let signer = bundle.signer,
      let folder = registrations.folder(bundle.identifier)
    else {
      throw WebExtensionInstallError(
        .notInstalled,
        "\(bundle.identifier) is no extension with scripts, so there is nothing of it for browsers"
      )
    }
    return try inOneGo {
      if let old = registrations.registration(bundle.identifier),
        bundle.refusal(of: old.owner) != nil
      {
        // Another developer's extension must not get what browsers keep for this one.
        _ = try removeNow(old)
      }
      try checkName(bundle.identifier)
      if DurableFile.isThere(folder.path), !FolderDigest.isFolder(folder.path) {
        throw WebExtensionInstallError(
          .file,
          "\(folder.path) is a link, or no folder; move it away, and add the extension again"
        )
      }
      let isFirst = !DurableFile.isThere(folder.path)
      defer {
        // What was refused leaves nothing: no key, and no folder that no registration names.
        if isFirst, registrations.registration(bundle.identifier) == nil {
          try? registrations.remove(bundle.identifier)
        }
      }
      try DurableFile.makeFolder(folder.path, permissions: 0o700)
      let key = try PackingKey.kept(in: folder.appending(path: "key.pem")).key
      var registration = WebExtensionRegistration(
        identifier: bundle.identifier,
        signer: signer.fingerprint,
        installation: signer.isUnsigned ? bundle.installation : nil,
        chromiumID: key.chromiumID,
        browsers: browsers.map(\.rawValue)
      )
      let maker = HalfMaker(files: files, folder: folder, registration: registration, key: key)
      let translations = try maker.translations()
      let hasNativeMessaging = translations.contains { $0.translation.hasNativeMessaging }
      let chosen = hasNativeMessaging ? browsers : []
      // Before anything is replaced, so that an addition that is refused changes nothing.
      for browser in chosen { try checkManifest(registration, in: browser) }
      let made = try maker.make(translations)
      let old = registrations.registration(bundle.identifier)
      let before = old?.manifests ?? []
      registration.version = made.version
      registration.digests = made.digests
      registration.renewed =
        old?.version == made.version ? old?.renewed : old?.version.map { _ in Date() }
      registration.manifests = chosen.map {
        places.manifest($0, host: registration.hostName).path
      }
      _ = try removeManifests(before.filter { !registration.manifests.contains($0) }, registration)
      // First, so that nothing is left behind that no registration names.
      try registrations.write(registration)
      return Added(
        registration: registration,
        version: made.version,
        halves: made.halves,
        hosts: try chosen.map { ($0, try installHost(registration, in: $0)) },
        hasNativeMessaging: hasNativeMessaging,
        requests: made.requests
      )
    }
  }

  /// Checks that no other extension has the host's name.
  private func checkName(_ identifier: String) throws {
    let name = WebExtensionRegistration.hostName(of: identifier)
    let twin = registrations.all.first { $0.identifier != identifier && $0.hostName == name }
    guard let twin else { return }
    throw WebExtensionInstallError(
      .inTheWay,
      "\(twin.identifier) has the host's name \(name) already; remove it first: tickbird browser remove "
        + twin.identifier
    )
  }

  private func installation(_ registration: WebExtensionRegistration) -> HostInstallation {
    HostInstallation(
      places: places,
      program: program,
      name: registration.hostName,
      isMerging: false
    )
  }

  private func installHost(
    _ registration: WebExtensionRegistration,
    in browser: Browser
  ) throws -> HostInstallation.Outcome {
    let outcome = try installation(registration)
      .install(browser, extensions: [registration.id(in: browser.family)])
    if case .refused(let file, let reason) = outcome { throw Self.inTheWay(file, reason) }
    return outcome
  }

  /// Checks that the manifest's place in a browser has no other program's file.
  private func checkManifest(
    _ registration: WebExtensionRegistration,
    in browser: Browser
  ) throws {
    guard let reason = installation(registration).refusal(browser) else { return }
    throw Self.inTheWay(places.manifest(browser, host: registration.hostName), reason)
  }

  private static func inTheWay(_ file: URL, _ reason: String) -> WebExtensionInstallError {
    WebExtensionInstallError(
      .inTheWay,
      "\(file.path) is left alone: \(reason); move it away, and add the extension again"
    )
  }

  // MARK: Removing

  /// Takes an extension out of browsers: the hosts' manifests, the folders and packages, the key.
  ///
  /// - Returns: What became of each manifest; `nil` if the extension was not added.
  /// - Throws: ``WebExtensionInstallError``; another call continues.
  @discardableResult
  public func remove(_ identifier: String) throws -> [HostInstallation.Outcome]? {
    try inOneGo {
      guard let registration = registrations.registration(identifier) else {
        // What an interrupted removal left.
        try registrations.remove(identifier)
        return nil
      }
      return try removeNow(registration)
    }
  }

  private func removeNow(
    _ registration: WebExtensionRegistration
  ) throws -> [HostInstallation.Outcome] {
    let outcomes = try removeManifests(registration.manifests, registration)
    try registrations.remove(registration.identifier)
    return outcomes
  }

  /// Takes the extension out of manifests, where they are still Tickbird's.
  private func removeManifests(
    _ paths: [String],
    _ registration: WebExtensionRegistration
  ) throws -> [HostInstallation.Outcome] {
    let installation = installation(registration)
    return try paths.filter { $0.hasSuffix("/\(registration.hostName).json") }.map { path in
      let file = URL(filePath: path)
      let families: [BrowserFamily] = [.chromium, .firefox]
      let family = families.first {
        if case .manifest = HostManifest.read(file, family: $0) { true } else { false }
      }
      // What is a manifest for neither is refused in the same way for both.
      let (known, id) = (family ?? .chromium, registration.id(in: family ?? .chromium))
      return try installation.uninstall(at: file, known, extensions: [id])
    }
  }

  /// Returns the browsers that were started before the present version was made ready, and so run
  /// another one until they are started again.
  public static func awaitingRestart(
    _ registration: WebExtensionRegistration,
    _ places: BrowserPlaces
  ) -> [Browser] {
    guard let renewed = registration.renewed else { return [] }
    return registration.browsers.compactMap(Browser.init).filter { browser in
      places.start(of: browser).map { $0 < renewed } ?? false
    }
  }

  /// Returns the folders that are not as they were made, because another program has changed them.
  public static func changedFolders(
    _ registration: WebExtensionRegistration,
    _ folders: ServiceFolders
  ) -> [URL] {
    let place = WebExtensionRegistrations(data: folders.data).folder(registration.identifier)
    return (registration.digests ?? [:]).sorted { $0.key < $1.key }.compactMap { family, digest in
      guard let folder = place?.appending(path: family, directoryHint: .isDirectory),
        FolderDigest.of(folder) != digest
      else { return nil }
      return folder
    }
  }

  // MARK: Parts

  func inOneGo<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try registrations.changing(body)
    } catch let error as WebExtensionInstallError {
      throw error
    } catch let error as WebExtensionError {
      throw WebExtensionInstallError(.extensionFiles, error.message)
    } catch let error as PackingError {
      throw WebExtensionInstallError(.extensionFiles, error.message)
    } catch let error as FileFailure {
      throw WebExtensionInstallError(.file, error.description)
    } catch let error as FileLock.Failure {
      switch error {
      case .held:
        throw WebExtensionInstallError(
          .file,
          "another process is adding or removing an extension; try again"
        )
      case .unusable(let sentence): throw WebExtensionInstallError(.file, sentence)
      }
    } catch {
      throw WebExtensionInstallError(.file, FileFailure.reason(of: error))
    }
  }
}

extension WebExtensionRegistration {
  /// Whose extension it is about.
  var owner: ExtensionOwner { ExtensionOwner(signer: signer, installation: installation) }
}
