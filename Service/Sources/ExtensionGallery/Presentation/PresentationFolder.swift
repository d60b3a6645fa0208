public import Foundation

/// The folder in which a developer keeps what a package shows of its extension.
///
///     presentation.json
///     icon.png, first.jpg …
///
/// The file has the keys `summary`, `description` (a text with empty lines between paragraphs, or a list
/// of paragraphs), `category`, `developer`, `homepage`, `icon` (a file) and `pictures` (objects with
/// `file` and `caption`), all of them optional.
public struct PresentationFolder: Sendable {
  /// The file's name.
  public static let fileName = "presentation.json"
  private static let sizeLimit = 256 << 10

  /// What is shown.
  public let presentation: Presentation
  /// The bytes of its images, in their order.
  let images: [Data]

  /// What shows nothing.
  static let none = PresentationFolder(presentation: Presentation(), images: [])

  private init(presentation: Presentation, images: [Data]) {
    self.presentation = presentation
    self.images = images
  }

  /// Reads a folder.
  ///
  /// - Throws: ``GalleryError`` with code `.file`, `.malformed` or `.tooLarge`, naming the key or picture.
  public init(_ folder: URL) throws {
    let file = folder.appending(path: Self.fileName)
    let json = try InputFile(file).readAll(limit: Self.sizeLimit, what: file.path)
    let written: Written
    do {
      written = try JSONDecoder().decode(Written.self, from: json)
    } catch let error as DecodingError {
      throw GalleryError(.malformed, "\(file.path): \(Self.words(error))")
    }
    var presentation = Presentation()
    func text(
      _ key: String,
      _ text: String?,
      _ rule: String,
      _ isAccepted: (String) -> Bool
    ) throws
      -> String
    {
      guard let text, !text.isEmpty else { return "" }
      guard isAccepted(text) else {
        throw GalleryError(.malformed, "\(file.path): \(key) has to be \(rule)")
      }
      return text
    }
    presentation.summary = try text(
      "summary",
      written.summary,
      "1 to \(PresentationLimits.summary) characters in one line",
      PresentationLimits.isSummary
    )
    presentation.description = try (written.description?.paragraphs ?? []).map {
      try text(
        "description",
        $0,
        "paragraphs of at most \(PresentationLimits.paragraph) bytes, without control characters",
        PresentationLimits.isParagraph
      )
    }
    guard presentation.description.count <= PresentationLimits.paragraphs else {
      throw GalleryError(
        .tooLarge,
        "\(file.path): description has more than \(PresentationLimits.paragraphs) paragraphs"
      )
    }
    presentation.category = try text(
      "category",
      written.category,
      "one of \(Presentation.categories.joined(separator: ", "))",
      Presentation.categories.contains
    )
    presentation.developer = try text(
      "developer",
      written.developer,
      "1 to 200 bytes in one line",
      BundleInformation.isShownText
    )
    presentation.homepage = try text(
      "homepage",
      written.homepage,
      "an address that begins with https://, in ASCII and without a password",
      PresentationLimits.isHomepage
    )
    var images: [Data] = []
    func image(_ name: String, caption: String, isIcon: Bool) throws -> Presentation.Image {
      if let fault = PackagePath.fault(name) {
        throw GalleryError(.badPath, "\(file.path): the picture \"\(name)\" is refused: \(fault)")
      }
      let place = folder.appending(path: name)
      let bytes = try InputFile(place).readAll(
        limit: isIcon ? PresentationLimits.iconSize : PresentationLimits.pictureSize,
        what: place.path
      )
      images.append(bytes)
      return try Presentation.Image(bytes, caption: caption, isIcon: isIcon, what: place.path)
    }
    if let icon = written.icon {
      presentation.icon = try image(icon, caption: "", isIcon: true)
    }
    let pictures = written.pictures ?? []
    guard pictures.count <= PresentationLimits.pictures else {
      throw GalleryError(
        .tooLarge,
        "\(file.path): there are more than \(PresentationLimits.pictures) pictures"
      )
    }
    for picture in pictures {
      guard BundleInformation.isShownText(picture.caption) else {
        throw GalleryError(
          .malformed,
          "\(file.path): the caption of \(picture.file) has to be 1 to 200 bytes in one line"
        )
      }
      presentation.pictures.append(
        try image(picture.file, caption: picture.caption, isIcon: false)
      )
    }
    self.presentation = presentation
    self.images = images
  }

  private static func words(_ error: DecodingError) -> String {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
      return (path.isEmpty ? "" : path.joined(separator: ".") + ": ") + context.debugDescription
    @unknown default: return "it cannot be read"
    }
  }

  private struct Written: Decodable {
    var summary: String?
    var description: Paragraphs?
    var category: String?
    var developer: String?
    var homepage: String?
    var icon: String?
    var pictures: [Picture]?

    struct Picture: Decodable {
      var file: String
      var caption: String
    }

    struct Paragraphs: Decodable {
      let paragraphs: [String]

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let list = try? container.decode([String].self) {
          paragraphs = list
          return
        }
        paragraphs = try container.decode(String.self)
          .replacing("\r\n", with: "\n")
          .split(separator: "\n\n")
          .map {
            $0.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
              .joined(separator: " ")
          }
      }
    }
  }
}
