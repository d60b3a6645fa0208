internal import ExtensionBundles
internal import ExtensionGallery
internal import Foundation

/// A gallery in the JSON output, with what it offers.
struct GalleryJSON: Encodable {
  /// One extension that a gallery offers.
  struct Offer: Encodable {
    var identifier: String
    var version: String
    var name: String
    /// The version that is installed; absent if none is.
    var installed: String?
  }

  let name: String
  let address: String
  let signer: String
  let rootKey: String?
  /// Absent where the list cannot be had; ``fault`` says why.
  var offers: [Offer]?
  var fault: String?

  init(_ gallery: KnownGallery) {
    name = gallery.name
    address = gallery.url.absoluteString
    signer = gallery.pin.key.fingerprint.description
    rootKey = gallery.root?.pin.key.fingerprint.description
  }
}

/// A package in the JSON output.
struct PackageJSON: Encodable {
  struct Rotation: Encodable {
    var from: String
    var to: String
  }

  struct File: Encodable {
    var path: String
    var size: UInt64
    var isExecutable: Bool
  }

  struct Picture: Encodable {
    var format: String
    var width: Int
    var height: Int
    var size: Int
    var caption: String
  }

  struct Shown: Encodable {
    var summary: String
    var description: [String]
    var category: String
    var developer: String
    var homepage: String
    var icon: Picture?
    var pictures: [Picture]
  }

  let identifier: String
  let name: String
  let version: String
  let shortVersion: String
  let kind: String
  let signer: String
  let bundle: String
  let rotations: [Rotation]
  let size: UInt64
  let files: [File]
  /// What galleries show of it; absent if it has nothing.
  let presentation: Shown?

  init(_ package: PackageReader) {
    let manifest = package.manifest
    identifier = manifest.identifier
    name = manifest.name
    version = manifest.version.description
    shortVersion = manifest.shortVersion
    kind = manifest.extensionPoint
    signer = package.signer.fingerprint.description
    bundle = manifest.bundleName
    rotations = manifest.rotations.map {
      Rotation(from: $0.from.fingerprint.description, to: $0.to.fingerprint.description)
    }
    size = manifest.contentsSize
    files = manifest.files.map {
      File(path: $0.path, size: $0.size, isExecutable: $0.isExecutable)
    }
    let shown = manifest.presentation
    presentation = shown.isEmpty ? nil : Shown(shown)
  }
}

extension PackageJSON.Shown {
  fileprivate init(_ shown: Presentation) {
    self.init(
      summary: shown.summary,
      description: shown.description,
      category: shown.category,
      developer: shown.developer,
      homepage: shown.homepage,
      icon: shown.icon.map(PackageJSON.Picture.init),
      pictures: shown.pictures.map(PackageJSON.Picture.init)
    )
  }
}

extension PackageJSON.Picture {
  fileprivate init(_ image: Presentation.Image) {
    self.init(
      format: image.format,
      width: image.width,
      height: image.height,
      size: image.size,
      caption: image.caption
    )
  }
}

/// How an update went, in the JSON output.
struct UpdateJSON: Encodable {
  let identifier: String
  let outcome: String
  /// The version before, of one that was updated.
  private(set) var from: String?
  /// The version that is installed now, or waits for consent.
  private(set) var version: String?
  /// Whether it has answered, of one that was updated; absent until it is turned on.
  private(set) var hasStarted: Bool?
  /// The gallery from which it is updated from now on.
  private(set) var gallery: String?
  /// What the version asks for.
  private(set) var requests: [String]?
  /// Why it was not updated.
  private(set) var message: String?

  init(_ result: UpdateResult) {
    identifier = result.identifier
    switch result.outcome {
    case .updated(let before, let new, let start):
      outcome = "updated"
      (from, version) = (before, new.description)
      switch start {
      case .succeeded: hasStarted = true
      case .failed: hasStarted = false
      case .waiting: break
      }
    case .upToDate: outcome = "up-to-date"
    case .moved(let gallery):
      outcome = "moved"
      self.gallery = gallery
    case .needsConsent(let new, let asked):
      outcome = "needs-consent"
      (version, requests) = (new.description, asked)
    case .noSource(let reason):
      outcome = "no-source"
      message = reason
    case .failed(let error):
      outcome = "failed"
      message = error.message
    }
  }
}

/// A key in the JSON output, never the private one.
struct KeyJSON: Encodable {
  let file: String
  let fingerprint: String
  let publicKey: String

  init(_ key: PublicKey, in file: URL) {
    self.file = file.path
    fingerprint = key.fingerprint.description
    publicKey = key.digits
  }
}
