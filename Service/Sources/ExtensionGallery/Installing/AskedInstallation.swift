public import Foundation
internal import Synchronization

/// Installs from galleries where the question and its answer are two requests, as of pages.
///
///     switch try await installation.prepare("com.example.blocker", from: gallery) {
///     case .offer(let key, let offer): // show the offer, and send the key back with the answer
///     case .alreadyThere(let manifest): …
///     }
///     try await installation.install(key)
///
/// The answer is to one offer: if anything of it is different by then, nothing is installed. All checks
/// and the installation are those of ``ExtensionInstaller/install(_:again:confirm:)``.
public final class AskedInstallation: Sendable {
  /// The result of the first step.
  public enum Prepared: Sendable {
    /// The package is fetched and checked; the user has to be shown the offer, and answers with its key.
    case offer(key: String, InstallOffer)
    /// The same version is installed already.
    case alreadyThere(PackageManifest)
  }

  private struct Pending {
    let key: String
    let gallery: URL
    let again: Bool
    let offer: InstallOffer
  }

  /// More questions than a person has open; older ones have to be asked again.
  private static let most = 50
  private let installer: ExtensionInstaller
  private let pending = Mutex<[Pending]>([])

  /// Creates an installation without questions.
  public init(_ installer: ExtensionInstaller) { self.installer = installer }

  /// Fetches and checks a package, and installs nothing.
  ///
  /// - Parameters:
  ///   - identifier: The extension.
  ///   - gallery: The address of a gallery's list, which has to be added.
  ///   - again: Whether to accept a version whose first start failed before.
  /// - Returns: The offer, or that there is nothing to install.
  /// - Throws: ``GalleryError``.
  public func prepare(
    _ identifier: String,
    from gallery: URL,
    again: Bool = false
  ) async throws -> Prepared {
    let shown = Mutex<InstallOffer?>(nil)
    let outcome = try await installer.install(
      .name(identifier, gallery: gallery.absoluteString),
      again: again
    ) { offer in
      shown.withLock { $0 = offer }
      return false
    }
    if case .alreadyThere(let manifest) = outcome { return .alreadyThere(manifest) }
    guard let offer = shown.withLock({ $0 }) else {
      throw GalleryError(.changed, "\(identifier) was installed without a question; look again")
    }
    let key = UUID().uuidString
    pending.withLock { pending in
      pending.append(Pending(key: key, gallery: gallery, again: again, offer: offer))
      if pending.count > Self.most { pending.removeFirst() }
    }
    return .offer(key: key, offer)
  }

  /// Installs what an offer has shown.
  ///
  /// - Parameter key: The key of an offer, which can be answered once.
  /// - Returns: The result.
  /// - Throws: ``GalleryError``, with code `.changed` if it is not what was shown any more, or the
  ///   offer was answered or is too old.
  public func install(_ key: String) async throws -> InstallOutcome {
    let found = pending.withLock { pending in
      pending.firstIndex { $0.key == key }.map { pending.remove(at: $0) }
    }
    guard let found else {
      throw GalleryError(
        .changed,
        "This question was answered, or is too old, and nothing was installed; ask again"
      )
    }
    let manifest = found.offer.manifest
    return try await installer.install(
      .name(manifest.identifier, gallery: found.gallery.absoluteString),
      again: found.again
    ) { offer in
      guard offer == found.offer else {
        throw GalleryError(
          .changed,
          "\(manifest.name) (\(manifest.identifier)) is not what was shown any more; look at it again"
        )
      }
      return true
    }
  }
}
