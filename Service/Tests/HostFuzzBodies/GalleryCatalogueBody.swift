import ExtensionGallery
import Foundation
import FuzzTargets

/// Parses what a gallery shows of the packages in its list: the input itself, and the input signed as the
/// lines of a catalogue behind that of its list.
enum GalleryCatalogueBody: FuzzBody {
  static let name = "gallery-catalogue"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    guard let list = try FuzzOutcome({ try UpdateList(Self.list, from: "list") }).value else {
      return try require(false, "the list is refused")
    }
    try checkCatalogue(Data(input), list)
    try checkCatalogue(signed(Array("list \(digest(list))\n".utf8) + input), list)
  }

  private static func checkCatalogue(_ text: Data, _ list: UpdateList) throws(FuzzFinding) {
    let outcome = try FuzzOutcome { try GalleryCatalogue(text, of: list, from: "catalogue") }
    guard let catalogue = outcome.value else { return }
    let known = Set(list.entries.map(\.identifier))
    for (identifier, entry) in catalogue.entries {
      try require(known.contains(identifier), "\(identifier) is not in the list")
      try require(entry.presentation.images.count <= 9, "\(entry.presentation.images.count) images")
      try require(
        entry.presentation.homepage.isEmpty || entry.presentation.homepage.hasPrefix("https://"),
        "\(entry.presentation.homepage) is a link"
      )
      for image in entry.presentation.images {
        try require(!image.fileName.contains("/"), "\(image.fileName) leads elsewhere")
        try require(image.width * image.height <= 8 << 20, "a picture of too many pixels")
      }
    }
  }

  private static let list = SignedTexts.signed(
    Array(
      """
      name Example gallery
      counter 12
      issued 2026-11-21T12:00:00Z
      expires 2026-12-21T12:00:00Z
      \(UpdateListBody.entry("com.example.a"))\(UpdateListBody.entry("com.example.b"))
      """.utf8
    ),
    kind: "tickbird-update-list",
    context: "tickbird update list 1"
  )

  private static func digest(_ list: UpdateList) -> String { SignedTexts.hexadecimal(list.digest) }

  private static func signed(_ lines: [UInt8]) -> Data {
    SignedTexts.signed(
      lines,
      kind: "tickbird-gallery-catalogue",
      context: "tickbird gallery catalogue 1"
    )
  }

  static var seeds: [[UInt8]] {
    let version = "version 1.2 2026-11-21T12:00:00Z 81920 \(String(repeating: "ab", count: 32))\n"
    let shown =
      "summary A\ndescription B\ncategory blocking\ndeveloper C\nhomepage https://a.example/\n"
    let icon = "icon 9 \(String(repeating: "0", count: 64)) png 16 16\n"
    return [
      "package com.example.a\n\(shown)\(icon)asks nothing\n\(version)package com.example.b\n\(version)",
      "package com.example.b\n\(version)package com.example.a\n\(version)",
      "package com.example.a\nsummary \u{202E}a\n\(version)", "package com.example.c\n\(version)",
      "package com.example.a\n\(version)\(version)", "", "package", "package com.example.a\n",
      "package com.example.a\nicon 9 - svg 1 1\n\(version)", "version 1\n",
    ].map { Array($0.utf8) }
  }
}
