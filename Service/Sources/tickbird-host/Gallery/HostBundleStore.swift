internal import ExtensionGallery
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import TextOutput

/// The host's installed extensions, as the gallery sees them.
struct HostBundleStore: BundleInstalling {
  let host: HostCaller

  func installedIdentifiers() async throws -> [String] {
    // One that cannot be read now is left alone until it can.
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

  func install(_ bundle: URL, signedBy pin: PinnedKey) async throws {
    do {
      _ = try await host.call(
        InstallExtension(
          path: bundle.path,
          signer: pin.key.fingerprint.description,
          replacedSigners: pin.retired.map(\.fingerprint.description)
        )
      )
    } catch let error as ErrorReport
      where error.domain == HostError.domain && Self.refusals.contains(error.code)
    {
      // This extension's fault, which holds up no other one.
      throw GalleryError(.refused, error.description)
    }
  }

  private static let refusals = [HostError.Code.refused.number, HostError.Code.badBundle.number]

  func isOn(_ identifier: String) async throws -> Bool {
    try await host.call(StateOfExtension(identifier: identifier))
  }

  /// Starts what can be started without doing anything for the user: a content blocker and Shared
  /// Links answer a request of their own; a web extension is asked only by its pages.
  func firstStart(_ identifier: String) async throws -> FirstStart {
    guard let found = try await description(of: identifier) else {
      return .failed("it is not installed")
    }
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
      // That the disk fails, or the host is gone or busy, says nothing of the extension.
      if error.isOfHost { throw error }
      return .failed(error.description)
    }
  }

  func goBack(_ identifier: String) async throws {
    guard let found = try await description(of: identifier) else { return }
    guard found.previousVersion != nil else {
      _ = try await host.call(RemoveExtension(identifier: identifier))
      return
    }
    // What the user let a package take the place of may come back.
    _ = try await host.call(GoBackExtension(identifier: identifier, replacesSigned: true))
  }

  /// What is installed; nil also for what is damaged, which installing mends.
  private func description(of identifier: String) async throws -> ExtensionDescription? {
    do {
      return try await host.call(DescribeExtension(identifier: identifier))
    } catch let error as ErrorReport where error.isAbsence {
      return nil
    }
  }
}
