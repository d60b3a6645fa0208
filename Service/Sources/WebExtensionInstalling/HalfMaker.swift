internal import BrowserPackages
internal import DurableFiles
internal import Foundation
internal import NativeMessaging
internal import WebExtensions

/// Writes what browsers load of a bundle.
struct HalfMaker {
  let files: BundleFiles
  /// The extension's folder among the registrations.
  let folder: URL
  let registration: WebExtensionRegistration
  let key: PackingKey

  /// What was made for all browsers.
  struct Made {
    var halves: [WebExtensionInstaller.Half] = []
    /// The extension's version for browsers.
    var version = ""
    /// What it may do in browsers.
    var requests = WebExtensionRequests.nothing
    /// The digests of the folders, by family.
    var digests: [String: String] = [:]
  }

  /// The translations for all families; nothing is written.
  func translations() throws -> [(family: BrowserFamily, translation: ExtensionTranslation)] {
    let identity = ExtensionTranslation.Identity(
      chromiumKey: key.publicKey.base64EncodedString(),
      geckoID: registration.geckoID,
      hostName: registration.hostName
    )
    return try files.translations(as: identity)
  }

  /// Makes the folders and packages; each is replaced as a whole.
  func make(
    _ translations: [(family: BrowserFamily, translation: ExtensionTranslation)]
  ) throws -> Made {
    var made = Made()
    for (family, translation) in translations {
      let target = folder.appending(path: family.rawValue, directoryHint: .isDirectory)
      try write(translation, to: target)
      let (package, policy) = try pack(target, family)
      made.digests[family.rawValue] = FolderDigest.of(target)
      made.halves.append(
        WebExtensionInstaller.Half(
          family: family,
          folder: target,
          package: package,
          policy: policy,
          id: registration.id(in: family),
          notes: translation.notes
        )
      )
      made.version = translation.version
      made.requests = made.requests.union(translation.requests)
    }
    return made
  }

  private func write(_ translation: ExtensionTranslation, to target: URL) throws {
    let manager = FileManager.default
    let new = folder.appending(path: ".new-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? manager.removeItem(at: new) }
    try manager.createDirectory(at: new, withIntermediateDirectories: true)
    for file in translation.files {
      let place = new.appending(path: file.path)
      try manager.createDirectory(
        at: place.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      let bytes =
        switch file.contents {
        case .made(let bytes): bytes
        case .copied(let path): try files.read(path, WebExtensionSource.sizeLimit)
        }
      try Data(bytes).write(to: place)
    }
    try DurableFolder.replace(target.path, with: new.path)
  }

  /// Packs a folder, with the files by which an administrator installs it.
  private func pack(_ source: URL, _ family: BrowserFamily) throws -> (URL, [URL]) {
    let target = folder.appending(path: "packages", directoryHint: .isDirectory)
    if !FolderDigest.isFolder(target.path) {
      // A link would lead what is written to somewhere else.
      try? FileManager.default.removeItem(at: target)
    }
    try DurableFile.makeFolder(target.path, permissions: 0o700)
    let place = InstallationFiles.usualPlace
    func export(_ name: String, _ data: Data) throws -> URL {
      let file = target.appending(path: name)
      try DurableFile.export(file.path, data)
      return file
    }
    let name = registration.hostName
    switch family {
    case .chromium:
      let package = try ChromiumPackage(ExtensionFolder(source, family: .chromium), key: key)
      let (packed, updates) = ("\(name).crx", "\(name).xml")
      let policy = try InstallationFiles.chromiumPolicy(id: package.id, in: place, name: updates)
      return (
        try export(packed, package.data),
        [
          try export(updates, InstallationFiles.updates(package, in: place, name: packed)),
          try export("\(name).json", policy),
        ]
      )
    case .firefox:
      let package = try FirefoxPackage(ExtensionFolder(source, family: .firefox))
      let policy = try InstallationFiles.firefoxPolicy(id: package.id, in: place)
      return (
        try export(InstallationFiles.firefoxPackage(id: package.id), package.data),
        [try export(InstallationFiles.firefoxPolicy, policy)]
      )
    }
  }
}
