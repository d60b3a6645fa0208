public import Foundation

/// What an extension shows of itself in a gallery: texts, an icon and pictures.
///
/// In a package's manifest these lines are behind `bundle`, each at most as often as said, in this order:
///
///     summary Blocks advertisements on news sites    at most 160 characters
///     description A paragraph.                       at most 24, of 1 to 1,000 bytes
///     category blocking                              see ``categories``
///     developer Example Ltd
///     homepage https://example.com/blocker
///     icon 1234 <SHA-256> png 128 128                size in bytes, width, height
///     picture 81920 <SHA-256> jpeg 1280 800 What it shows      at most 8
public struct Presentation: Equatable, Sendable {
  /// A picture, whose bytes are behind the files of the package.
  public struct Image: Equatable, Sendable {
    /// The size in bytes.
    public let size: Int
    /// The SHA-256 of the bytes.
    public let digest: Data
    /// `png`, `jpeg` or `webp`, which its bytes confirm.
    public let format: String
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// What it shows, for those who do not see it; empty for an icon.
    public let caption: String

    /// The digest in hexadecimal digits, with the usual ending of the format.
    public var fileName: String {
      "\(Hexadecimal.text(digest)).\(format == "jpeg" ? "jpg" : format)"
    }
    /// The media type.
    public var mediaType: String { "image/\(format)" }
  }

  /// The words for categories; other words, of later versions, count as `other`.
  public static let categories = [
    "blocking", "privacy", "reading", "notes", "productivity", "appearance", "development", "other",
  ]

  /// One sentence; empty if there is none.
  public var summary = ""
  /// Paragraphs.
  public var description: [String] = []
  /// One of ``categories``, or a word of a later version; empty if there is none.
  public var category = ""
  /// Who made it, in their own words, which nobody checks.
  public var developer = ""
  /// An address of the web; empty if there is none.
  public var homepage = ""
  /// The icon.
  public internal(set) var icon: Image?
  /// The pictures.
  public internal(set) var pictures: [Image] = []

  /// Creates a presentation that shows nothing.
  public init() {}

  /// Whether nothing is shown.
  public var isEmpty: Bool { self == Presentation() }
  /// The icon and the pictures, in the order of their bytes.
  public var images: [Image] { (icon.map { [$0] } ?? []) + pictures }
  /// The bytes of all images together.
  var imagesSize: UInt64 { images.reduce(0) { $0 + UInt64($1.size) } }
}

/// The limits of presentations.
enum PresentationLimits {
  static let summary = 160
  static let paragraph = 1_000
  static let paragraphs = 24
  static let homepage = 500
  static let pictures = 8
  /// Bytes of an icon, and of a picture.
  static let iconSize = 256 << 10
  static let pictureSize = 2 << 20
  /// Pixels of an icon's side, and of a picture's.
  static let iconSide = 512
  static let pictureSide = 4_096
  static let pixels = 8 << 20

  /// Returns why an image is refused; nil if it is accepted.
  static func fault(_ image: Presentation.Image, isIcon: Bool) -> String? {
    let size = isIcon ? iconSize : pictureSize
    if image.size > size { return "it has \(image.size) bytes; at most \(size) are taken" }
    if isIcon, image.format != "png" { return "an icon has to be a PNG" }
    if isIcon, image.width != image.height { return "an icon has to be a square" }
    let side = isIcon ? iconSide : pictureSide
    if image.width > side || image.height > side || image.width * image.height > pixels {
      return "it has \(image.width) × \(image.height) pixels; at most \(side) on a side"
        + (isIcon ? " are taken" : " and \(pixels) in all are taken")
    }
    return nil
  }

  /// Whether a text has no control characters, and none that turn the direction of reading.
  ///
  /// Joiners are not refused, since Persian and emoji are not written without them.
  static func isProse(_ text: String) -> Bool {
    PackagePath.isPlain(
      String(
        String.UnicodeScalarView(
          text.unicodeScalars.filter { $0.value != 0x200C && $0.value != 0x200D }
        )
      )
    )
  }

  static func isSummary(_ text: String) -> Bool {
    (1...summary).contains(text.unicodeScalars.count) && isProse(text)
  }

  static func isParagraph(_ text: String) -> Bool {
    (1...paragraph).contains(text.utf8.count) && isProse(text)
  }

  static func isCategory(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-")
      }
  }

  /// Whether an address may be a link: https, with a host and no password, in ASCII.
  static func isHomepage(_ text: String) -> Bool {
    guard text.utf8.count <= homepage, text.hasPrefix("https://"),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !#"<>"'\`{}|^"#.utf8.contains($0) }),
      let url = URL(string: text), url.absoluteString == text
    else { return false }
    return !(url.host() ?? "").isEmpty && url.user == nil && url.password == nil
  }
}

extension Presentation {
  /// Its signed lines.
  var lines: [String] {
    var lines: [String] = []
    if !summary.isEmpty { lines.append("summary \(summary)") }
    lines += description.map { "description \($0)" }
    if !category.isEmpty { lines.append("category \(category)") }
    if !developer.isEmpty { lines.append("developer \(developer)") }
    if !homepage.isEmpty { lines.append("homepage \(homepage)") }
    if let icon { lines.append("icon \(icon.fields)") }
    lines += pictures.map { "picture \($0.fields) \($0.caption)" }
    return lines
  }

  /// Reads the lines that are there.
  init(_ lines: inout SignedLines) throws {
    if lines.upcoming == "summary" {
      summary = try lines.prose("summary", PresentationLimits.isSummary)
    }
    while lines.upcoming == "description" {
      guard description.count < PresentationLimits.paragraphs else {
        throw lines.failure(
          "there are more than \(PresentationLimits.paragraphs) paragraphs",
          code: .tooLarge
        )
      }
      description.append(try lines.prose("description", PresentationLimits.isParagraph))
    }
    if lines.upcoming == "category" {
      category = try lines.prose("category", PresentationLimits.isCategory)
    }
    if lines.upcoming == "developer" { developer = try lines.shownText("developer") }
    if lines.upcoming == "homepage" {
      homepage = try lines.prose("homepage", PresentationLimits.isHomepage)
    }
    if lines.upcoming == "icon" { icon = try Image(&lines, "icon") }
    while lines.upcoming == "picture" {
      guard pictures.count < PresentationLimits.pictures else {
        throw lines.failure(
          "there are more than \(PresentationLimits.pictures) pictures",
          code: .tooLarge
        )
      }
      pictures.append(try Image(&lines, "picture"))
    }
  }
}

extension Presentation.Image {
  fileprivate var fields: String {
    "\(size) \(Hexadecimal.text(digest)) \(format) \(width) \(height)"
  }

  fileprivate init(_ lines: inout SignedLines, _ name: String) throws {
    let isIcon = name == "icon"
    let text = try lines.value(name)
    let parts = text.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
    let numbers = [0, 3, 4].map { $0 < parts.count ? SignedLines.number(parts[$0]) : nil }
    guard parts.count == (isIcon ? 5 : 6), let size = numbers[0], let width = numbers[1],
      let height = numbers[2], size > 0, (1...65_535).contains(width),
      (1...65_535).contains(height), let digest = Hexadecimal.bytes(parts[1]), digest.count == 32,
      let format = PictureHeader.Format(rawValue: String(parts[2]))
    else {
      throw lines.failure(
        "expected \"\(name)\", a size, a SHA-256, png, jpeg or webp, a width and a height"
          + (isIcon ? "" : " and what it shows")
      )
    }
    let caption = isIcon ? "" : String(parts[5])
    guard isIcon || BundleInformation.isShownText(caption) else {
      throw lines.failure("what the picture shows has to be a text of 1 to 200 bytes in one line")
    }
    self.init(
      // Larger ones are refused below.
      size: Int(clamping: size),
      digest: digest,
      format: format.rawValue,
      width: Int(width),
      height: Int(height),
      caption: caption
    )
    if let fault = PresentationLimits.fault(self, isIcon: isIcon) {
      throw lines.failure(fault, code: .tooLarge)
    }
  }

  /// Describes a picture's bytes.
  init(_ bytes: Data, caption: String, isIcon: Bool, what: String) throws {
    do {
      let header = try PictureHeader([UInt8](bytes))
      self.init(
        size: bytes.count,
        digest: FileDigest.sha256(of: bytes),
        format: header.format.rawValue,
        width: header.width,
        height: header.height,
        caption: caption
      )
    } catch {
      throw GalleryError(.malformed, "\(what) is no picture that is taken: \(error.message)")
    }
    if let fault = PresentationLimits.fault(self, isIcon: isIcon) {
      throw GalleryError(.tooLarge, "\(what): \(fault)")
    }
  }

  /// Checks that bytes are this picture.
  ///
  /// - Throws: ``GalleryError`` with code `.changedContents`, or `.malformed` if what was signed is no
  ///   such picture.
  func check(_ bytes: Data, what: String) throws {
    guard bytes.count == size, FileDigest.sha256(of: bytes) == digest else {
      throw GalleryError(
        .changedContents,
        "\(what): the picture \(fileName) is not what was signed; fetch it again"
      )
    }
    let found = try Presentation.Image(
      bytes,
      caption: caption,
      isIcon: caption.isEmpty,
      what: "\(what): \(fileName)"
    )
    guard found == self else {
      throw GalleryError(
        .malformed,
        "\(what): \(fileName) is \(found.format) of \(found.width) × \(found.height) pixels, and not "
          + "what its line says"
      )
    }
  }
}

extension SignedLines {
  fileprivate mutating func prose(
    _ name: String,
    _ isAccepted: (String) -> Bool
  ) throws -> String {
    let text = try value(name)
    guard isAccepted(text) else {
      throw failure("\(name) is too long, or has characters that are refused")
    }
    return text
  }
}
