internal import ExtensionGallery
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import TextOutput

/// Adapts the host's installed extensions to the gallery.
struct HostBundleStore: BundleInstalling {
  let host: HostCaller
  /// Whether an extension gets the data of a damaged one of which nobody knows who signed it.
  var keepsData = false

  func installedIdentifiers() async throws -> [String] {
    try await host.call(ListExtensions()).filter { $0.isUnreadable != true }.map(\.identifier)
  }

  func installedExtension(_ identifier: String) async throws -> InstalledExtension? {
    guard let found = try await description(of: identifier), let path = found.path,
      let build = found.build
    else { return nil }
    return InstalledExtension(
      bundle: URL(filePath: path, directoryHint: .isDirectory),
      version: build,
      signer: found.signer.flatMap { KeyFingerprint($0) }
    )
  }

  func unreadable() async throws -> [String: String] {
    let found = try await host.call(ListExtensions()).filter { $0.isUnreadable == true }
    return Dictionary(
      found.map { ($0.identifier, $0.lastError?.message ?? "it cannot be read") },
      uniquingKeysWith: { first, _ in first }
    )
  }

  func install(_ bundle: URL, signedBy pin: PinnedKey) async throws {
    do {
      _ = try await host.call(
        InstallExtension(
          path: bundle.path,
          signer: pin.key.fingerprint.description,
          replacedSigners: pin.retired.map(\.fingerprint.description),
          keepsData: keepsData
        )
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
    try await host.call(StateOfExtension(identifier: identifier))
  }

  /// Starts an extension if that has no side effects for the user: content blockers and Shared
  /// Links extensions answer a request; web extensions are called only by their pages.
  func firstStart(_ identifier: String) async throws -> FirstStart {
    // Who removed it has not let it fail.
    guard let found = try await description(of: identifier) else { return .waiting }
    guard found.isOn else { return .waiting }
    do {
      switch found.kind {
      case "content-blocker":
        _ = try await host.call(ReloadContentBlocker(identifier: identifier))
      case "shared-links": _ = try await host.call(AskForLinks(identifier: identifier))
      default: break
      }
      return .succeeded
    } catch let error as ErrorReport {
      // Failures of the disk, or of an absent or busy host, say nothing about the extension.
      if error.isOfHost { throw error }
      return .failed(error.description)
    }
  }

  func turnOff(_ identifier: String) async throws {
    _ = try await host.call(TurnOffExtension(identifier: identifier))
  }

  func goBack(_ identifier: String) async throws {
    guard let found = try await description(of: identifier) else { return }
    guard found.previousVersion != nil else {
      _ = try await host.call(RemoveExtension(identifier: identifier))
      return
    }
    // The user consented to the replacement, so undoing it needs no further consent.
    _ = try await host.call(GoBackExtension(identifier: identifier, replacesSigned: true))
  }

  /// Returns the installed extension; nil also if it is damaged, since installing repairs it.
  private func description(of identifier: String) async throws -> ExtensionDescription? {
    do {
      return try await host.call(DescribeExtension(identifier: identifier))
    } catch let error as ErrorReport where error.isAbsence {
      return nil
    }
  }
}
