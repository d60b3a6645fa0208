public import ExtensionGallery
public import Foundation
internal import PageTexts

/// The static pages of a gallery: an index with categories and search, and a page for each extension.
///
/// They work from any server and from files, and load nothing from anywhere else. The same list and
/// catalogue give the same bytes.
public struct GalleryPages: Sendable {
  /// Where the gallery is served; nil if that is not known.
  private let address: URL?

  /// Creates pages.
  ///
  /// - Parameter address: Where the folder is served, for the commands that are shown.
  public init(address: URL? = nil) { self.address = address }

  /// Makes the pages.
  ///
  /// - Returns: Their bytes, by the paths from the list's folder on.
  public func callAsFunction(_ list: UpdateList, _ catalogue: GalleryCatalogue) -> [String: Data] {
    let listed = list.entries.map {
      ShownExtension(entry: $0, shown: catalogue.entries[$0.identifier])
    }
    let names = Dictionary(grouping: listed, by: \.foldedName)
    func hasTwins(_ each: ShownExtension) -> Bool { (names[each.foldedName]?.count ?? 0) > 1 }
    let folder = GalleryCatalogue.folderName + "/"
    var files: [String: Data] = [
      folder + "site.css": Data(PackageResources.site_css),
      folder + "search.js": Data(PackageResources.search_js),
      folder + "icon.svg": Data(PackageResources.icon_svg),
    ]
    let categories = Dictionary(grouping: listed, by: \.category)
    var values = head(list, title: list.name, folder: folder, up: "")
    values["isEmpty"] = listed.isEmpty
    values["severalCategories"] = categories.count > 1
    values["categories"] = Presentation.categories.compactMap { category -> [String: Any]? in
      guard let entries = categories[category] else { return nil }
      return [
        "id": "category-\(category)", "title": CategoryNames.title(of: category),
        "count": entries.count,
        "entries": entries.sorted { $0.order < $1.order }.map { each in
          each.values(folder: folder).merging(["hasTwins": hasTwins(each)]) { $1 }
        },
      ]
    }
    values["command"] = command(["gallery", "add", address.map(Self.quoted) ?? "ADDRESS"], list)
    files["index.html"] = Data(Template.index(values, in: .english).utf8)
    for each in listed {
      var values = head(list, title: "\(each.entry.name) – \(list.name)", folder: "", up: "../")
      values.merge(each.values(folder: "")) { $1 }
      values["hasTwins"] = hasTwins(each)
      values["command"] =
        if let address {
          command(["install", each.entry.identifier, "--from", Self.quoted(address)], list)
        } else {
          "tickbird install \(each.entry.identifier)"
        }
      values["address"] = address?.absoluteString
      files[folder + each.pageName] = Data(Template.extensionPage(values, in: .english).utf8)
    }
    return files
  }

  private func head(
    _ list: UpdateList,
    title: String,
    folder: String,
    up: String
  ) -> [String: Any] {
    let key = list.root ?? list.signer
    return [
      "title": title, "folder": folder, "list": up + UpdateList.fileName, "name": list.name,
      "gallery": list.name, "fingerprint": key.fingerprint.description,
      "counter": "\(list.counter)",
      "issued": list.issued.formatted(.iso8601), "issuedDay": ShownExtension.day(list.issued),
      "expires": list.expires.formatted(.iso8601), "expiresDay": ShownExtension.day(list.expires),
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
    texts: .shared,
    parts: siteParts
  )
  fileprivate static let extensionPage = Template(
    PackageResources.extension_mustache,
    texts: .shared,
    parts: siteParts
  )
  private static let siteParts = TemplateParts(
    [
      "head": PackageResources.head_mustache, "command": PackageResources.command_mustache,
    ],
    texts: .shared
  )
}
