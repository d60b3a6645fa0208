internal import ExtensionGallery
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import TextOutput

/// Adapts the host's installed extensions to the gallery.
struct HostBundleStore: BundleInstalling {
  let host: HostCaller

  func installedIdentifiers() async throws -> [String] {
    // An extension that cannot be read now is left alone.
    try await host.call(.listExtensions).array?.filter { $0["isUnreadable"] == nil }
      .compactMap { $0["identifier"]?.string } ?? []
  }

  func installedExtension(_ identifier: String) async throws -> InstalledExtension? {
    guard let members = try await description(of: identifier),
      let path = members["path"]?.string, let build = members["build"]?.string
    else { return nil }
    return InstalledExtension(
      bundle: URL(filePath: path, directoryHint: .isDirectory),
      version: build,
      signer: members["signer"]?.string.flatMap { KeyFingerprint($0) }
    )
  }

  func install(_ bundle: URL, signedBy pin: PinnedKey) async throws {
    let replaced = pin.retired.map { MessageValue.string($0.fingerprint.description) }
    do {
      _ = try await host.call(
        .installExtension,
        [
          "path": .string(bundle.path), "signer": .string(pin.key.fingerprint.description),
          "replacedSigners": .array(replaced),
        ]
      )
    } catch let error as ErrorReport
      where error.domain == HostError.domain && Self.refusals.contains(error.code)
    {
      // Only this extension's update fails, not the others'.
      throw GalleryError(.refused, error.description)
    }
  }

  private static let refusals = [HostError.Code.refused.number, HostError.Code.badBundle.number]

  func isOn(_ identifier: String) async throws -> Bool {
    try await host.call(.stateOfExtension, ["identifier": .string(identifier)]) == .bool(true)
  }

  /// Starts an extension if that has no side effects for the user: content blockers and Shared
  /// Links extensions answer a request; web extensions are called only by their pages.
  func firstStart(_ identifier: String) async throws -> FirstStart {
    guard let members = try await description(of: identifier) else {
      return .failed("it is not installed")
    }
    guard members["isOn"] == .bool(true) else { return .waiting }
    let start: HostCall.Function
    switch members["kind"]?.string {
    case "content-blocker": start = .reloadContentBlocker
    case "shared-links": start = .sharedLinks
    default: return .succeeded
    }
    do {
      _ = try await host.call(start, ["identifier": .string(identifier)])
      return .succeeded
    } catch let error as ErrorReport {
      // Failures of the disk, or of an absent or busy host, say nothing about the extension.
      if error.isOfHost { throw error }
      return .failed(error.description)
    }
  }

  func goBack(_ identifier: String) async throws {
    guard let members = try await description(of: identifier) else { return }
    let function: HostCall.Function =
      members["previousVersion"] == nil ? .removeExtension : .goBackExtension
    // The user consented to the replacement, so undoing it needs no further consent.
    _ = try await host.call(
      function,
      ["identifier": .string(identifier), "replacesSigned": .bool(true)]
    )
  }

  /// Returns the installed extension; nil also if it is damaged, since installing repairs it.
  private func description(of identifier: String) async throws -> MessageValue? {
    do {
      return try await host.call(.describeExtension, ["identifier": .string(identifier)])
    } catch let error as ErrorReport where error.isAbsence {
      return nil
    }
  }
}
