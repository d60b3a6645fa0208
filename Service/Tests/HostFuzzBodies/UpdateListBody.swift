import ExtensionGallery
import Foundation
import FuzzTargets

/// Parses a gallery's list: the input itself, and the input signed as the lines of a list.
enum UpdateListBody: FuzzBody {
  static let name = "update-list"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    try checkList(Data(input))
    try checkList(
      SignedTexts.signed(input, kind: "tickbird-update-list", context: "tickbird update list 1")
    )
  }

  private static func checkList(_ text: Data) throws(FuzzFinding) {
    let outcome = try FuzzOutcome { try UpdateList(text, from: "list") }
    try require(
      try FuzzOutcome { try UpdateList(text, from: "list") } == outcome,
      "a list read twice is two lists"
    )
    guard let list = outcome.value else { return }
    try require(list.expires > list.issued, "a list that is never good")
    let identifiers = list.entries.map(\.identifier)
    try require(Set(identifiers).count == identifiers.count, "an extension is there twice")
    for entry in list.entries {
      try require(
        !entry.path.hasPrefix("/") && !entry.path.split(separator: "/").contains(".."),
        "\(entry.path) leads out of the gallery"
      )
      try require(entry.digest.count == 32, "a digest of \(entry.digest.count) bytes")
    }
    // A changed byte is detected, or the list is not this one.
    for place in [text.count / 3, text.count / 2, text.count - 3] {
      var changed = text
      changed[changed.startIndex + place] ^= 1
      let other = try FuzzOutcome { try UpdateList(changed, from: "list") }
      try require(other.value == nil, "a list changed at byte \(place) is taken")
    }
  }

  static func entry(_ identifier: String, path: String = "packages/a.tickbird") -> String {
    """
    package \(identifier)
    version 1.2
    short-version 1.2 beta
    name My Blocker
    extension-point com.apple.Safari.content-blocker
    signer \(SignedTexts.publicKey)
    size 81920
    digest \(String(repeating: "ab", count: 32))
    path \(path)

    """
  }

  static var seeds: [[UInt8]] {
    let head = """
      name Example gallery
      counter 12
      issued 2026-11-21T12:00:00Z
      expires 2026-12-21T12:00:00Z

      """
    let whole = head + entry("com.example.a") + entry("com.example.b", path: "b c/d.tickbird")
    let signed = SignedTexts.signed(
      Array(whole.utf8),
      kind: "tickbird-update-list",
      context: "tickbird update list 1"
    )
    return [
      whole, head, head + entry("com.example.b") + entry("com.example.a"),
      head + entry("a", path: "../x"), head + entry("a", path: "/x"), head + entry("-"), "",
      "name ",
      head.replacing("12", with: "9223372036854775807"), head.replacing("Z", with: "z"),
      head + "rotation \(SignedTexts.publicKey) \(SignedTexts.publicKey) ab cd\n",
    ].map { Array($0.utf8) } + [[UInt8](signed)]
  }
}
