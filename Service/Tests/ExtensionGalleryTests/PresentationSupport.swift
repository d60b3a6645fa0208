import Foundation

@testable import ExtensionGallery

/// Files that tests read.
enum Fixture {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures")

  static func picture(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: "pictures/\(name)")))
  }
}

/// A folder with what a package shows, as a developer writes it.
struct SamplePresentation {
  var json = """
    {
      "summary": "Blocks <b>advertisements</b> & more",
      "description": "First paragraph,\\nin two lines.\\n\\nSecond \\"paragraph\\".",
      "category": "blocking",
      "developer": "Example & Co",
      "homepage": "https://example.com/blocker?a=1&b=2",
      "icon": "icon.png",
      "pictures": [
        { "file": "first.jpg", "caption": "The list of \\"rules\\"" },
        { "file": "second.webp", "caption": "In the dark" }
      ]
    }
    """
  var pictures = ["icon.png", "first.jpg", "second.webp"]

  func write(into folder: TemporaryFolder) throws -> URL {
    let place = folder("shown-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(json.utf8).write(to: place.appending(path: "presentation.json"))
    for picture in pictures {
      try Data(try Fixture.picture(picture)).write(to: place.appending(path: picture))
    }
    return place
  }

  func read(in folder: TemporaryFolder) throws -> PresentationFolder {
    try PresentationFolder(try write(into: folder))
  }
}

extension SampleBundle {
  /// Makes a package that shows something.
  func package(
    in folder: TemporaryFolder,
    key: SigningKey,
    showing shown: PresentationFolder,
    to file: URL
  ) throws {
    let bundle = try write(into: folder("bundle-\(UUID().uuidString)"))
    try PackageWriter(bundle: bundle).write(to: file, signedBy: key, showing: shown)
  }
}
