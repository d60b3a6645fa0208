internal import ExtensionGallery
internal import Foundation
internal import NativeMessaging
internal import Synchronization

/// Answers questions about the gallery of a page that the user looks at;
/// Documentation/NativeMessaging.md has the messages, and Documentation/Gallery.md says who may ask.
///
/// The extension asks after clicks in its own pop-up alone. What is shown before anything is added or
/// installed, and what is checked, is what `tickbird gallery add` and `tickbird install` show and check.
struct BrowserGallery: Sendable {
  /// The kinds of questions.
  enum Kind: String, CaseIterable {
    case gallery, addGallery, offerOfGallery, installOffer
  }

  private let installer: ExtensionInstaller
  private let installation: AskedInstallation

  init(_ installer: ExtensionInstaller) {
    self.installer = installer
    installation = AskedInstallation(installer)
  }

  /// Answers a question of one of these kinds.
  func reply(_ kind: Kind, _ json: Data) -> BrowserAnswers.Reply {
    .later {
      do {
        return try await answer(kind, json)
      } catch let error as GalleryError {
        return .error(WireError(reporting: error))
      } catch is DecodingError {
        return .error(
          WireError(
            GalleryError.Code.malformed.rawValue,
            "the request \(kind.rawValue) cannot be read; load the extension that came with this program"
          )
        )
      } catch {
        return .error(WireError("failed", "\(error)"))
      }
    }
  }

  private func answer(_ kind: Kind, _ json: Data) async throws -> Answer {
    func read<Value: Decodable>(_: Value.Type) throws -> Value {
      try JSONDecoder().decode(Value.self, from: json)
    }
    switch kind {
    case .gallery: return .gallery(try await look(Self.address(read(Looking.self).address)))
    case .addGallery:
      let question = try read(Adding.self)
      let address = try Self.address(question.address)
      let added = try await installer.addGallery(
        address,
        key: Self.fingerprint(question.key),
        root: question.root.map { try Self.fingerprint($0) },
        confirm: { _ in false }
      )
      guard added != nil else {
        throw GalleryError(.refused, "The gallery \(question.address) was not added")
      }
      return .gallery(try await look(address))
    case .offerOfGallery:
      let question = try read(Asking.self)
      let address = try Self.address(question.address)
      switch try await installation.prepare(question.identifier, from: address) {
      case .offer(let question):
        return .galleryOffer(Offer(question.key, question.offer))
      case .alreadyThere(let manifest): return .installed(Installed(manifest, isWaiting: false))
      }
    case .installOffer:
      switch try await installation.install(read(Answering.self).offer) {
      case .installed(let manifest, let start):
        return .installed(Installed(manifest, isWaiting: start == .waiting))
      case .alreadyThere(let manifest): return .installed(Installed(manifest, isWaiting: false))
      case .declined: throw GalleryError(.refused, "Nothing was installed")
      }
    }
  }

  /// Looks at a gallery without adding it.
  private func look(_ address: URL) async throws -> Gallery {
    if let known = try installer.gallery(at: address) {
      let list = try await installer.refreshGallery(known.url.absoluteString)
      return Gallery(list, address, isAdded: true)
    }
    let shown = Mutex<UpdateList?>(nil)
    _ = try await installer.addGallery(address, key: nil) { list in
      shown.withLock { $0 = list }
      return false
    }
    guard let list = shown.withLock({ $0 }) else {
      throw GalleryError(.changed, "The gallery was added meanwhile; look again")
    }
    return Gallery(list, address, isAdded: false)
  }

  /// An address that a page gave: never a file.
  private static func address(_ text: String) throws -> URL {
    guard text.utf8.count <= 4096, let url = URL(string: text),
      ["http", "https"].contains(url.scheme?.lowercased() ?? ""), Downloader.allows(url)
    else {
      throw GalleryError(
        .download,
        "\(text.prefix(200)) is no address of a gallery; it has to begin with https://"
      )
    }
    return url
  }

  private static func fingerprint(_ text: String) throws -> KeyFingerprint {
    guard let fingerprint = KeyFingerprint(text) else {
      throw GalleryError(.key, "\(text.prefix(200)) is not a fingerprint: 64 hexadecimal digits")
    }
    return fingerprint
  }

  // MARK: Questions

  /// The keys of `gallery`.
  struct Looking: Decodable {
    /// The address of the list.
    var address: String
  }

  /// The keys of `addGallery`.
  struct Adding: Decodable {
    var address: String
    /// The fingerprint that the user was shown.
    var key: String
    var root: String?
  }

  /// The keys of `offerOfGallery`.
  struct Asking: Decodable {
    var address: String
    var identifier: String
  }

  /// The keys of `installOffer`.
  struct Answering: Decodable {
    /// The key of an offer.
    var offer: String
  }

  // MARK: Answers

  /// A gallery.
  struct Gallery: Encodable {
    let name: String
    let address: String
    let key: String
    let root: String?
    let extensions: Int
    let isAdded: Bool
  }

  /// What would be installed.
  struct Offer: Encodable {
    let offer: String
    let identifier: String
    let name: String
    let version: String
    let kind: String
    let signer: String
    /// `new`, `known` or `rotated`.
    let trust: String
    let formerSigner: String?
    let requests: [String]
    let additional: [String]
    let replaces: String?
    let replacesUnsigned: Bool
  }

  /// What is installed.
  struct Installed: Encodable {
    let identifier: String
    let name: String
    let isWaiting: Bool
  }
}

extension BrowserGallery.Gallery {
  fileprivate init(_ list: UpdateList, _ address: URL, isAdded: Bool) {
    self.init(
      name: list.name,
      address: address.absoluteString,
      key: list.signer.fingerprint.description,
      root: list.root?.fingerprint.description,
      extensions: list.entries.count,
      isAdded: isAdded
    )
  }
}

extension BrowserGallery.Installed {
  fileprivate init(_ manifest: PackageManifest, isWaiting: Bool) {
    self.init(identifier: manifest.identifier, name: manifest.name, isWaiting: isWaiting)
  }
}

extension BrowserGallery.Offer {
  fileprivate init(_ key: String, _ offer: InstallOffer) {
    let (trust, former): (String, String?) =
      switch offer.trust {
      case .new: ("new", nil)
      case .known: ("known", nil)
      case .rotated(let former): ("rotated", former.description)
      }
    self.init(
      offer: key,
      identifier: offer.manifest.identifier,
      name: offer.manifest.name,
      version: offer.manifest.shortVersion,
      kind: offer.manifest.extensionPoint,
      signer: offer.signer.description,
      trust: trust,
      formerSigner: former,
      requests: offer.requests.sentences,
      additional: offer.additionalRequests,
      replaces: offer.installedVersion,
      replacesUnsigned: offer.replacesUnsigned
    )
  }
}
