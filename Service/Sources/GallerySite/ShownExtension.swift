internal import ExtensionBundles
public import ExtensionGallery
internal import Foundation
public import PageTexts

/// An extension of a gallery, as pages show it.
public struct ShownExtension: Sendable {
  /// What the list says.
  public let entry: UpdateList.Entry
  /// What the catalogue says; nil if it says nothing.
  public let shown: GalleryCatalogue.Entry?

  /// Takes what is known of an extension.
  ///
  /// - Parameters:
  ///   - entry: What the list says.
  ///   - shown: What the catalogue says.
  ///   - fold: Folds the name, once.
  public init(
    entry: UpdateList.Entry,
    shown: GalleryCatalogue.Entry?,
    fold: (String) -> String = folded
  ) {
    self.entry = entry
    self.shown = shown
    foldedName = fold(entry.name)
  }

  /// A name that two extensions share if people would take one for the other: without case, accents,
  /// spaces, punctuation, invisible letters and compatibility forms, and with letters of other alphabets that look like
  /// Latin ones in their place.
  public let foldedName: String

  /// Folds a name; see ``foldedName``.
  public static func folded(_ name: String) -> String {
    let plain = name.decomposedStringWithCompatibilityMapping.lowercased()
      .decomposedStringWithCompatibilityMapping
    var result = String.UnicodeScalarView()
    for scalar in plain.unicodeScalars
    where !scalar.properties.isDefaultIgnorableCodePoint {
      let like = lookalikes[scalar] ?? scalar
      switch like.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter,
        .decimalNumber, .otherNumber, .letterNumber:
        result.append(like)
      default: break
      }
    }
    return result.isEmpty ? name : String(result)
  }

  /// Small letters, and digits, that look like Latin letters.
  private static let lookalikes: [Unicode.Scalar: Unicode.Scalar] = [
    "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x", "і": "i", "ј": "j",
    "ѕ": "s", "ԁ": "d", "һ": "h", "ԛ": "q", "ԝ": "w", "к": "k", "м": "m", "т": "t", "в": "b",
    "н": "h", "α": "a", "ο": "o", "ρ": "p", "ν": "v", "υ": "u", "ι": "i", "κ": "k", "τ": "t",
    "ε": "e", "χ": "x", "ɑ": "a", "ɡ": "g", "ı": "i", "0": "o", "1": "l",
  ]

  /// The category, one of ``Presentation/categories``.
  public var category: String {
    let word = shown?.presentation.category ?? ""
    return Presentation.categories.contains(word) ? word : "other"
  }

  /// The texts that a search looks in, in a language.
  public func words(_ texts: Texts) -> String {
    let presentation = shown?.presentation
    return [
      entry.name, entry.identifier, presentation?.summary ?? "", presentation?.developer ?? "",
      CategoryNames.title(of: category, texts), kind(texts),
    ].joined(separator: " ")
  }

  /// The kind in words.
  public func kind(_ texts: Texts) -> String {
    switch entry.extensionPoint {
    case "com.apple.Safari.content-blocker": texts("kind_blocker").description
    case "com.apple.Safari.sharedlinks-service": texts("kind_links").description
    case "com.apple.Safari.web-extension": texts("kind_web").description
    case "com.apple.Safari.extension": texts("kind_app").description
    default: entry.extensionPoint
    }
  }

  /// The name of the page in a language: no identifier has a `_`.
  func pageName(_ language: PageLanguage) -> String {
    "\(entry.identifier)\(GalleryPages.suffix(language)).html"
  }
  /// Sorts by name, then by identifier.
  var order: Order { Order(name: foldedName, identifier: entry.identifier) }

  struct Order: Comparable {
    let name: String
    let identifier: String

    static func < (one: Self, other: Self) -> Bool {
      (one.name, one.identifier) < (other.name, other.identifier)
    }
  }

  /// The values for templates.
  ///
  /// - Parameters:
  ///   - folder: Where the images and pages are, with a slash at the end.
  ///   - texts: The texts of the site, in the page's language.
  /// - Returns: The values, by their names.
  public func values(folder: String, _ texts: Texts) -> [String: Any] {
    let presentation = shown?.presentation ?? Presentation()
    var values: [String: Any] = [
      "name": entry.name, "identifier": entry.identifier, "shortVersion": entry.shortVersion,
      "version": entry.version.description, "kind": kind(texts), "words": words(texts),
      "category": CategoryNames.title(of: category, texts),
      "page": folder + pageName(texts.language),
      "letter": entry.name.first.map { "\($0)".uppercased() } ?? "",
      "signer": entry.signer.fingerprint.description, "size": texts.size(Int(clamping: entry.size)),
      "fileName": entry.path.split(separator: "/").last.map(String.init) ?? entry.path,
      "package": "../" + Self.percentEncoded(entry.path),
      "hasPictures": !presentation.pictures.isEmpty,
      "hasDescription": !presentation.description.isEmpty,
      "description": presentation.description.map { ["text": $0] },
      "requests": (shown?.requests ?? []).map { ["text": $0] },
      "isRequestsKnown": shown != nil,
      "pictures": presentation.pictures.map { picture -> [String: Any] in
        [
          "src": folder + picture.fileName, "caption": picture.caption,
          "width": "\(picture.width)", "height": "\(picture.height)",
        ]
      },
      "versions": (shown?.versions ?? []).map { version -> [String: Any] in
        [
          "version": version.version.description, "date": version.listed.formatted(.iso8601),
          "day": texts.day(version.listed), "size": texts.size(Int(clamping: version.size)),
        ]
      },
    ]
    func add(_ name: String, _ text: String) {
      if !text.isEmpty { values[name] = ["text": text] }
    }
    add("summary", presentation.summary)
    add("developer", presentation.developer)
    add("homepage", presentation.homepage)
    values["icon"] = presentation.icon.map { ["src": folder + $0.fileName] }
    return values
  }

  private static func percentEncoded(_ path: String) -> String {
    var allowed = CharacterSet()
    allowed.insert(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
    )
    return path.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }
}

/// What categories are called.
public enum CategoryNames {
  /// Returns the title of a category, in the language of the site's texts.
  public static func title(of category: String, _ texts: Texts) -> String {
    let isKnown = Presentation.categories.contains(category)
    return texts("\(isKnown ? category : "other")_category").description
  }
}
