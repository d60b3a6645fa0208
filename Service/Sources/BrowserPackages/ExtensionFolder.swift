internal import CLibrary
internal import DurableFiles
public import Foundation

/// The browser extension, as built by `Scripts/build-web-extension` for one browser family.
public struct ExtensionFolder: Sendable {
  /// The browsers that it is built for.
  public enum Family: Sendable {
    /// Chromium and browsers based on it.
    case chromium
    /// Firefox.
    case firefox
  }

  private static let fileLimit = 10_000
  private static let manifestLimit = 1 << 20
  private static let sizeLimit = 256 << 20

  /// The folder.
  public let url: URL
  /// The browsers that it is built for.
  public let family: Family
  /// The version of its manifest.
  public let version: String
  /// The id in Firefox; `nil` for Chromium.
  public let geckoID: String?
  private let manifest: Data

  /// Reads a folder's manifest.
  ///
  /// - Parameters:
  ///   - url: The folder.
  ///   - family: The browsers that it was made for; by default what its manifest says.
  /// - Throws: ``PackingError`` with code `.folder` unless it is a built extension, or `.file` if it cannot be read.
  public init(_ url: URL, family: Family? = nil) throws {
    self.url = url
    let file = url.appending(path: "manifest.json")
    let bytes: Data
    do throws(FileFailure) {
      bytes = Data(try DurableFile.contents(of: file.path, atMost: Self.manifestLimit))
    } catch {
      guard error.isAbsence, DurableFile.isThere(url.path) else {
        throw PackingError(.file, error.description)
      }
      throw PackingError(
        .folder,
        "\(url.path) has no manifest.json; Scripts/build-web-extension makes a folder that has"
      )
    }
    guard let object = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any] else {
      throw PackingError(.folder, "\(file.path) is not a JSON object")
    }
    guard let version = object["version"] as? String, Self.isVersion(version) else {
      throw PackingError(.folder, "\(file.path) has no version of one to four numbers")
    }
    self.version = version
    manifest = bytes
    let settings = object["browser_specific_settings"] as? [String: Any]
    let background = object["background"] as? [String: Any]
    if let id = (settings?["gecko"] as? [String: Any])?["id"] as? String, family != .chromium {
      (self.family, geckoID) = (.firefox, id)
    } else if background?["service_worker"] is String || family == .chromium {
      (self.family, geckoID) = (.chromium, nil)
    } else {
      throw PackingError(.folder, "\(file.path) is neither for Chromium nor for Firefox")
    }
  }

  /// Returns whether a version is valid for browsers; it also becomes part of XML.
  private static func isVersion(_ text: String) -> Bool {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
    return (1...4).contains(numbers.count)
      && numbers.allSatisfy { number in
        (1...5).contains(number.count) && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }

  /// Returns all files in a ZIP archive, the manifest first.
  ///
  /// - Parameter key: The public key for the manifest; `nil` leaves the manifest unchanged.
  /// - Returns: The archive's bytes.
  /// - Throws: ``PackingError``: `.folder` if an entry is neither file nor folder or a limit is
  ///   exceeded, `.file` if a file cannot be read.
  func archive(key: Data? = nil) throws -> Data {
    var archive = ZipArchive()
    archive.add("manifest.json", try manifest(key: key))
    var size = 0
    let paths = try paths()
    guard paths.count <= Self.fileLimit else {
      throw PackingError(.folder, "\(url.path) has more than \(Self.fileLimit) files")
    }
    for path in paths where path != "manifest.json" {
      let file = url.appending(path: path)
      let contents: [UInt8]
      do throws(FileFailure) {
        contents = try DurableFile.contents(of: file.path, atMost: Self.sizeLimit - size)
      } catch {
        guard error.number != EFBIG else {
          throw PackingError(.folder, "\(url.path) has more than \(Self.sizeLimit) bytes")
        }
        throw PackingError(.file, error.description)
      }
      size += contents.count
      archive.add(path, Data(contents))
    }
    return archive.data
  }

  private func manifest(key: Data?) throws -> Data {
    guard let key else { return manifest }
    var object = try JSONSerialization.jsonObject(with: manifest) as? [String: Any] ?? [:]
    object["key"] = key.base64EncodedString()
    return try JSONSerialization.data(
      withJSONObject: object,
      options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    )
  }

  /// Returns the files, sorted by their bytes, without hidden ones.
  private func paths() throws -> [String] {
    var result: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      let place = folder.isEmpty ? url : url.appending(path: folder)
      for name in try names(place) where !name.hasPrefix(".") {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        let file = url.appending(path: path)
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        switch attributes?[.type] as? FileAttributeType {
        case .typeDirectory?: folders.append(path)
        case .typeRegular?: result.append(path)
        default:
          throw PackingError(
            .folder,
            "\(file.path) is a link or a special file; an extension holds files and folders alone"
          )
        }
      }
    }
    return result.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private func names(_ folder: URL) throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      throw PackingError(.file, "\(folder.path) cannot be read: \(FileFailure.reason(of: error))")
    }
  }
}
