internal import ExtensionBundles
public import ExtensionGallery
internal import Foundation

/// An extension of a gallery, as pages show it.
public struct ShownExtension: Sendable {
  /// What the list says.
  public let entry: UpdateList.Entry
  /// What the catalogue says; nil if it says nothing.
  public let shown: GalleryCatalogue.Entry?

  /// Takes what is known of an extension.
  public init(entry: UpdateList.Entry, shown: GalleryCatalogue.Entry?) {
    self.entry = entry
    self.shown = shown
  }

  /// A name that two extensions share if people would take one for the other: without case, accents,
  /// spaces, punctuation and compatibility forms, and with letters of other alphabets that look like
  /// Latin ones in their place.
  public var foldedName: String { Self.folded(entry.name) }

  static func folded(_ name: String) -> String {
    let plain = name.decomposedStringWithCompatibilityMapping.lowercased()
      .decomposedStringWithCompatibilityMapping
    var result = String.UnicodeScalarView()
    for scalar in plain.unicodeScalars {
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

  /// The texts that a search looks in, in lower case.
  public var words: String {
    let presentation = shown?.presentation
    return [
      entry.name, entry.identifier, presentation?.summary ?? "", presentation?.developer ?? "",
      CategoryNames.title(of: category), kind,
    ].joined(separator: " ")
  }

  /// The kind in words.
  public var kind: String {
    switch entry.extensionPoint {
    case "com.apple.Safari.content-blocker": "Content blocker"
    case "com.apple.Safari.sharedlinks-service": "Shared Links"
    case "com.apple.Safari.web-extension": "Web extension"
    case "com.apple.Safari.extension": "App extension"
    default: entry.extensionPoint
    }
  }

  var pageName: String { "\(entry.identifier).html" }
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
  /// - Parameter folder: Where the images and pages are, with a slash at the end.
  /// - Returns: The values, by their names.
  public func values(folder: String) -> [String: Any] {
    let presentation = shown?.presentation ?? Presentation()
    var values: [String: Any] = [
      "name": entry.name, "identifier": entry.identifier, "shortVersion": entry.shortVersion,
      "version": entry.version.description, "kind": kind, "words": words,
      "category": CategoryNames.title(of: category), "page": folder + pageName,
      "letter": entry.name.first.map { "\($0)".uppercased() } ?? "",
      "signer": entry.signer.fingerprint.description, "size": Self.size(entry.size),
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
          "day": Self.day(version.listed), "size": Self.size(version.size),
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

  static func day(_ date: Date) -> String { String(date.formatted(.iso8601).prefix(10)) }

  static func size(_ bytes: UInt64) -> String {
    if bytes < 1_000 { return "\(bytes) bytes" }
    if bytes < 1_000_000 { return "\(bytes / 1_000) kB" }
    return "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
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
  /// Returns the title of a category.
  public static func title(of category: String) -> String {
    switch category {
    case "blocking": "Blocking"
    case "privacy": "Privacy"
    case "reading": "Reading"
    case "notes": "Notes"
    case "productivity": "Productivity"
    case "appearance": "Appearance"
    case "development": "Development"
    default: "Other"
    }
  }
}
