internal import DurableFiles
public import Foundation
internal import Synchronization

/// Installs from galleries where the question and its answer are two requests, as of pages.
///
///     switch try await installation.prepare("com.example.blocker", from: gallery) {
///     case .offer(let question): // show its offer, and send its key back with the answer
///     case .alreadyThere(let manifest): …
///     }
///     try await installation.install(key)
///
/// A package is fetched once: what was shown is kept, and exactly these bytes are installed. If by then the
/// gallery's list names another package, or anything of the offer is different, nothing is installed. All checks
/// and the installation are those of ``ExtensionInstaller/install(_:again:confirm:)``.
public final class AskedInstallation: Sendable {
  /// A question that waits for its answer.
  public struct Question: Sendable {
    /// The key that comes back with the answer.
    public let key: String
    /// What the user has to be shown.
    public let offer: InstallOffer
  }

  /// The result of the first step.
  public enum Prepared: Sendable {
    /// The package is fetched and checked; the user has to be shown the offer, and answers with its key.
    case offer(Question)
    /// The same version is installed already.
    case alreadyThere(PackageManifest)
  }

  private struct Pending: Sendable {
    let question: Question
    let again: Bool
    let package: KeptPackage
    /// Whether it came of looking for updates.
    let isUpdate: Bool
  }

  /// More questions than a person has open; older ones have to be asked again.
  private static let most = 50
  /// The most bytes of packages that wait for an answer, but for the last one.
  private static let mostBytes: UInt64 = 1 << 30
  private let installer: ExtensionInstaller
  private let pending = Mutex<[Pending]>([])

  /// Creates an installation without questions.
  public init(_ installer: ExtensionInstaller) { self.installer = installer }

  /// The updates that ask for more than what is installed, and wait for an answer.
  public var updates: [Question] {
    pending.withLock { $0.filter(\.isUpdate).map(\.question) }
  }

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
    try await installer.settle()
    let package = try await installer.keep(installer.find(identifier, at: gallery))
    let shown = Mutex<InstallOffer?>(nil)
    let outcome = try await installer.install(package, again: again) { offer in
      shown.withLock { $0 = offer }
      return false
    }
    if case .alreadyThere(let manifest) = outcome { return .alreadyThere(manifest) }
    guard let offer = shown.withLock({ $0 }) else {
      throw GalleryError(.changed, "\(identifier) was installed without a question; look again")
    }
    return .offer(wait(offer, package, again: again, isUpdate: false))
  }

  /// Installs higher versions, as ``ExtensionInstaller/update(_:confirm:)`` does; those that ask for more wait
  /// for their answers.
  ///
  /// - Parameter identifiers: The extensions; nil for all.
  /// - Returns: The results, and what has to be asked.
  /// - Throws: As the installer's.
  public func update(
    _ identifiers: [String]? = nil
  ) async throws -> (results: [UpdateResult], questions: [Question]) {
    let found = Mutex<[Question]>([])
    let results = try await installer.update(identifiers) { [self] offer, file, source in
      let package = try await installer.keep(source, taking: file)
      let question = wait(offer, package, again: false, isUpdate: true)
      found.withLock { $0.append(question) }
      return false
    }
    return (results, found.withLock { $0 })
  }

  /// Installs what an offer has shown.
  ///
  /// - Parameter key: The key of an offer, which can be answered once; an answer that could not be carried
  ///   out for want of the network, or because others were installing, can be given again.
  /// - Returns: The result.
  /// - Throws: ``GalleryError``, with code `.changed` if it is not what was shown any more, or the
  ///   offer was answered or is too old.
  public func install(_ key: String) async throws -> InstallOutcome {
    let found = pending.withLock { pending in
      pending.firstIndex { $0.question.key == key }.map { pending.remove(at: $0) }
    }
    guard let found else {
      throw GalleryError(
        .changed,
        "This question was answered, or is too old, and nothing was installed; ask again"
      )
    }
    do {
      return try await install(found)
    } catch let error as GalleryError where [.download, .busy].contains(error.code) {
      pending.withLock { $0.append(found) }
      throw error
    }
  }

  private func install(_ found: Pending) async throws -> InstallOutcome {
    let manifest = found.question.offer.manifest
    func changed() -> GalleryError {
      GalleryError(
        .changed,
        "\(manifest.name) (\(manifest.identifier)) is not what was shown any more; look at it again"
      )
    }
    try await installer.settle()
    var package = found.package
    if let before = package.source {
      // The list may say by now that it is another package, or none.
      let now = try await installer.find(manifest.identifier, at: before.gallery.url)
      guard now.entry == before.entry else { throw changed() }
      package.source = now
    }
    return try await installer.install(package, again: found.again) { offer in
      guard offer == found.question.offer else { throw changed() }
      return true
    }
  }

  private func wait(
    _ offer: InstallOffer,
    _ package: KeptPackage,
    again: Bool,
    isUpdate: Bool
  ) -> Question {
    let question = Question(key: UUID().uuidString, offer: offer)
    pending.withLock { pending in
      // Looking for updates again asks the same again.
      pending.removeAll {
        $0.isUpdate && isUpdate
          && $0.question.offer.manifest.identifier == offer.manifest.identifier
      }
      pending.append(
        Pending(question: question, again: again, package: package, isUpdate: isUpdate)
      )
      var bytes = pending.reduce(0) { $0 + $1.package.size }
      while pending.count > 1, pending.count > Self.most || bytes > Self.mostBytes {
        bytes -= pending.removeFirst().package.size
      }
    }
    return question
  }
}

/// A package that was fetched, and waits in a folder of its own.
struct KeptPackage: Sendable {
  /// The folder, which goes when nobody has it any more.
  let place: Workspace.Kept
  let digest: Data
  let size: UInt64
  /// Where it was found, if in a gallery.
  var source: FoundPackage?

  fileprivate var file: URL { place.folder.appending(path: "package.tickbird") }
}

extension ExtensionInstaller {
  /// Finds a package by its identifier in one gallery.
  fileprivate func find(_ identifier: String, at gallery: URL) async throws -> FoundPackage {
    guard let known = try self.gallery(at: gallery) else {
      throw GalleryError(
        .notFound,
        "No gallery \"\(gallery.absoluteString)\" was added; see: tickbird gallery add URL"
      )
    }
    let (fresh, list) = try await refresh(known)
    guard let entry = list.entries.first(where: { $0.identifier == identifier }) else {
      throw GalleryError(.notFound, "The gallery \(fresh.name) has no \"\(identifier)\"")
    }
    return FoundPackage(entry: entry, gallery: fresh, rotations: list.rotations)
  }

  /// Fetches a package and keeps it.
  fileprivate func keep(_ source: FoundPackage) async throws -> KeptPackage {
    let place = try await Workspace.keep(file)
    let package = place.folder.appending(path: "package.tickbird")
    try await download(source, to: package)
    return try kept(source, in: place)
  }

  /// Keeps a package that was fetched, by moving it away.
  fileprivate func keep(_ source: FoundPackage?, taking package: URL) async throws -> KeptPackage {
    let place = try await Workspace.keep(file)
    try FileSystem.attempt("\(package.path) cannot be kept") {
      try DurableFile.rename(
        package.path,
        to: place.folder.appending(path: "package.tickbird").path
      )
    }
    return try kept(source, in: place)
  }

  private func kept(_ source: FoundPackage?, in place: Workspace.Kept) throws -> KeptPackage {
    let input = try InputFile(place.folder.appending(path: "package.tickbird"))
    return KeptPackage(
      place: place,
      digest: try FileDigest.sha256(of: input),
      size: input.size,
      source: source
    )
  }

  /// Installs a kept package, if its bytes are still the same.
  fileprivate func install(
    _ package: KeptPackage,
    again: Bool,
    confirm: (InstallOffer) async throws -> Bool
  ) async throws -> InstallOutcome {
    try await Workspace.with(file) { workspace in
      try await install(
        package.file,
        package.source,
        in: workspace,
        expecting: Expected(digest: package.digest),
        again: again,
        confirm: confirm
      )
    }
  }
}
