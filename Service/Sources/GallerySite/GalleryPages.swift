public import ExtensionGallery
public import Foundation
public import PageTexts

/// The static pages of a gallery: an index with categories and search, and a page for each extension.
///
/// They work from any server and from files, and load nothing from anywhere else. The same list and
/// catalogue give the same bytes.
public struct GalleryPages: Sendable {
  /// Where the gallery is served; nil if that is not known.
  private let address: URL?
  private let fold: @Sendable (String) -> String

  /// Creates pages.
  ///
  /// - Parameter address: Where the folder is served, for the commands that are shown.
  public init(address: URL? = nil) {
    self.init(address: address, fold: ShownExtension.folded)
  }

  /// Creates pages with another way to fold names.
  init(address: URL?, fold: @escaping @Sendable (String) -> String) {
    self.address = address
    self.fold = fold
  }

  /// Makes the pages, each in every language.
  ///
  /// - Returns: Their bytes, by the paths from the list's folder on.
  public func callAsFunction(_ list: UpdateList, _ catalogue: GalleryCatalogue) -> [String: Data] {
    let folder = GalleryCatalogue.folderName + "/"
    var files: [String: Data] = [
      folder + "site.css": Data(SharedStyle.sheet(with: PackageResources.site_css)),
      folder + "search.js": Data(PackageResources.search_js),
      folder + "icon.svg": Data(PackageResources.icon_svg),
    ]
    let listed = list.entries.map {
      ShownExtension(entry: $0, shown: catalogue.entries[$0.identifier], fold: fold)
    }
    let names = Dictionary(grouping: listed, by: \.foldedName).mapValues(\.count)
    for language in PageLanguage.allCases {
      let texts = Texts(.gallerySite, in: language)
      files[Self.indexPath(language)] = Data(index(list, listed, names, texts).utf8)
      for each in listed {
        let hasTwins = names[each.foldedName, default: 0] > 1
        let page = page(of: each, hasTwins: hasTwins, list, texts)
        files[folder + each.pageName(language)] = Data(page.utf8)
      }
    }
    return files
  }

  /// What the names of pages in a language end with; no identifier of an extension has a `_`.
  static func suffix(_ language: PageLanguage) -> String {
    language == .standard ? "" : "_\(language.tag)"
  }

  /// The first page: beside the list in the standard language, so that servers show it, and otherwise in
  /// the folder, where nobody else's pages are.
  private static func indexPath(_ language: PageLanguage) -> String {
    language == .standard
      ? "index.html" : "\(GalleryCatalogue.folderName)/index\(suffix(language)).html"
  }

  private func index(
    _ list: UpdateList,
    _ listed: [ShownExtension],
    _ names: [String: Int],
    _ texts: Texts
  ) -> String {
    // Where the page is, seen from the list's folder, and back.
    let isBeside = texts.language == .standard
    let folder = isBeside ? GalleryCatalogue.folderName + "/" : ""
    let up = isBeside ? "" : "../"
    var values = head(list, title: list.name, folder: folder, up: up, texts)
    values["languages"] = languages(texts) { up + Self.indexPath($0) }
    values["isEmpty"] = listed.isEmpty
    values["forms"] = PluralCategory.allCases
      .filter { PluralCategory.all(in: texts.language.tag).contains($0) }
      .map { category in
        let text = texts("site_found_\(category.rawValue)", Phrase.value("#"))
        return ["form": category.rawValue, "text": text] as [String: Any]
      }
    let categories = Dictionary(grouping: listed, by: \.category)
    values["severalCategories"] = categories.count > 1
    values["categories"] = Presentation.categories.compactMap { category -> [String: Any]? in
      guard let entries = categories[category] else { return nil }
      return [
        "id": "category-\(category)", "title": CategoryNames.title(of: category, texts),
        "count": texts.number(entries.count),
        "entries": entries.sorted { $0.order < $1.order }.map { each in
          let hasTwins = names[each.foldedName, default: 0] > 1
          return each.values(folder: folder, texts).merging(["hasTwins": hasTwins]) { $1 }
        },
      ]
    }
    values["command"] = command(["gallery", "add", address.map(Self.quoted) ?? "ADDRESS"], list)
    return Template.index(values, in: texts.language)
  }

  private func page(
    of each: ShownExtension,
    hasTwins: Bool,
    _ list: UpdateList,
    _ texts: Texts
  ) -> String {
    let title = "\(each.entry.name) – \(list.name)"
    var values = head(list, title: title, folder: "", up: "../", texts)
    values.merge(each.values(folder: "", texts)) { $1 }
    values["languages"] = languages(texts) { each.pageName($0) }
    values["first"] = "../" + Self.indexPath(texts.language)
    values["hasTwins"] = hasTwins
    values["command"] =
      if let address {
        command(["install", each.entry.identifier, "--from", Self.quoted(address)], list)
      } else {
        "tickbird install \(each.entry.identifier)"
      }
    values["address"] = address?.absoluteString
    return Template.extensionPage(values, in: texts.language)
  }

  /// The same page in every language, by its path from this one.
  private func languages(_ texts: Texts, _ path: (PageLanguage) -> String) -> [[String: Any]] {
    PageLanguage.allCases.map { language in
      [
        "tag": language.tag, "title": language.name, "direction": language.direction,
        "path": path(language), "isCurrent": language == texts.language,
      ]
    }
  }

  private func head(
    _ list: UpdateList,
    title: String,
    folder: String,
    up: String,
    _ texts: Texts
  ) -> [String: Any] {
    let key = list.root ?? list.signer
    return [
      "title": title, "folder": folder, "list": up + UpdateList.fileName, "name": list.name,
      "gallery": list.name, "fingerprint": key.fingerprint.description,
      "counter": "\(list.counter)",
      "issued": list.issued.formatted(.iso8601), "issuedDay": texts.day(list.issued),
      "expires": list.expires.formatted(.iso8601), "expiresDay": texts.day(list.expires),
    ]
  }

  /// A command that names the gallery's key.
  private func command(_ words: [String], _ list: UpdateList) -> String {
    let key = list.root.map { "--root \($0.fingerprint)" } ?? "--key \(list.signer.fingerprint)"
    return (["tickbird"] + words + [key]).joined(separator: " ")
  }

  /// An address as one word of a shell.
  private static func quoted(_ address: URL) -> String {
    let text = address.absoluteString
    let isPlain = text.utf8.allSatisfy { unit in
      switch unit {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-._/:%".utf8.contains(unit)
      }
    }
    return isPlain ? text : "'\(text.replacing("'", with: "%27"))'"
  }
}

extension Template {
  fileprivate static let index = Template(
    PackageResources.index_mustache,
    texts: .gallerySite,
    parts: siteParts
  )
  fileprivate static let extensionPage = Template(
    PackageResources.extension_mustache,
    texts: .gallerySite,
    parts: siteParts
  )
  private static let siteParts = TemplateParts(
    [
      "command": PackageResources.command_mustache, "head": PackageResources.head_mustache,
      "languages": PackageResources.languages_mustache,
    ],
    texts: .gallerySite
  )
}

/// What the pages of galleries say: `Resources/Texts`.
extension TextCatalogue {
  /// The texts of galleries' pages, which the local app's page of galleries uses, too.
  public static let gallerySite = TextCatalogue([
    .english: PackageResources.en_json, .german: PackageResources.de_json,
    .japanese: PackageResources.ja_json, .arabic: PackageResources.ar_json,
  ])
}
