internal import ArgumentParser
internal import CommandArguments
internal import DurableFiles
internal import ExtensionGallery
internal import Foundation
internal import ListIngestion

/// A rule list that is packaged without a bundle of its own.
struct PackagedList: ParsableArguments {
  @Option(help: "The name that is shown.")
  var name: String?

  @Option(help: "The identifier, such as com.example.list; never changed later.")
  var identifier: String?

  @Option(help: "The version, whole numbers with dots between them, higher with each change.")
  var listVersion: String?

  @Option(
    help: ArgumentHelp(
      "The map of a converted list, by tickbird convert --map; it is packaged, too.",
      valueName: "file"
    )
  )
  var map: String?

  private static let mapLimit = 64 << 20

  /// Checks that the options are there for a list, and only for one.
  func validate(isList: Bool) throws {
    if isList {
      guard name != nil, identifier != nil, listVersion != nil else {
        throw ValidationError(
          "A rule list needs --name, --identifier and --list-version to be packaged"
        )
      }
    } else if name != nil || identifier != nil || listVersion != nil || map != nil {
      throw ValidationError(
        "--name, --identifier, --list-version and --map are for a rule list, NAME.json; a bundle has "
          + "them in its Info.plist"
      )
    }
  }

  /// Makes the bundle to package, once the list is known to compile.
  ///
  /// - Throws: ``GalleryError`` with code `.bundle` or `.file`.
  func bundle(of file: URL, in folder: URL) throws -> URL {
    let text = try Self.contents(file, atMost: IngestionLimits().bytes)
    let summary: ListSummary
    do throws(IngestionError) {
      summary = try ListIngestion.ingest([UInt8](text), name: file.lastPathComponent).summary
    } catch {
      throw GalleryError(
        .bundle,
        "no list that can be packaged is in \(error.message(of: file.path))"
      )
    }
    guard summary.format == .webkit, !summary.isCompressed else {
      throw GalleryError(
        .bundle,
        "\(file.path) is not the plain JSON of a rule list; make it: tickbird convert '\(file.path)' "
          + "-o rules.json --map map.json"
      )
    }
    let mapText = try map.map { try Self.map(GivenPath.url($0), rules: summary.rules) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try RuleListBundle.make(
      list: text,
      map: mapText,
      name: name ?? "",
      identifier: identifier ?? "",
      version: listVersion ?? "",
      in: folder
    )
  }

  /// Reads a map, which has to be of a list of as many rules.
  private static func map(_ file: URL, rules: Int) throws -> Data {
    let text = try contents(file, atMost: mapLimit)
    struct Map: Decodable { var rules: Int }
    guard let map = try? JSONDecoder().decode(Map.self, from: text) else {
      throw GalleryError(
        .bundle,
        "\(file.path) is no map of a converted list; tickbird convert --map makes one"
      )
    }
    guard map.rules == rules else {
      throw GalleryError(
        .bundle,
        "\(file.path) is the map of a list of \(map.rules) rules, and this one has \(rules); convert "
          + "again"
      )
    }
    return text
  }

  private static func contents(_ file: URL, atMost limit: Int) throws -> Data {
    do {
      return Data(try DurableFile.contents(of: file.path, atMost: limit))
    } catch {
      throw GalleryError(.file, "\(file.path) cannot be read: \(error.reason)")
    }
  }
}
