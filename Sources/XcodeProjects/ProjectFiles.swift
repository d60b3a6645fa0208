import DurableFiles
import Foundation

/// The files on disk that a project may name: those of its repository.
///
/// A project is untrusted: what it names outside of its repository, or through a link that leads
/// out, is never read.
struct ProjectFiles: Sendable {
  /// What is at a path.
  enum Entry: Equatable, Sendable {
    case missing
    case file(size: Int)
    case folder
    /// Outside of the repository, directly or through a link.
    case outside
    /// A link to a folder, or a special file such as a device.
    case unusual(String)
  }

  /// Limits.
  enum Limits {
    /// The bytes of a Swift source; the compiler accepts more, but nobody writes that.
    static let source = 8 << 20
    /// The bytes of a resource.
    static let resource = 256 << 20
    /// The bytes of all copied files together.
    static let total = 2 << 30
    /// The number of entries of a folder and its subfolders.
    static let entries = 50_000
    /// The depth of folders.
    static let depth = 64
  }

  /// The repository: the nearest folder above the project that has a `.git`, or the project's folder.
  let root: String
  private let realRoot: String

  init(projectFolder: String) {
    var folder = URL(fileURLWithPath: projectFolder)
    var root = projectFolder
    while folder.path != "/" {
      if FileManager.default.fileExists(atPath: folder.appendingPathComponent(".git").path) {
        root = folder.path
        break
      }
      folder.deleteLastPathComponent()
    }
    self.root = root
    realRoot = Self.real(root)
  }

  private static func real(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// Returns a path for display: relative to the repository if possible.
  func shown(_ path: String) -> String {
    path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
  }

  private func isInside(_ path: String) -> Bool {
    guard path == root || path.hasPrefix(root + "/") else { return false }
    let real = Self.real(path)
    return real == realRoot || real.hasPrefix(realRoot + "/")
  }

  /// Returns what is at an absolute path.
  func entry(_ path: String) -> Entry {
    guard !path.utf8.contains(0), isInside(path) else { return .outside }
    guard let own = try? FileStatus(of: path) else { return .missing }
    let isLink = own.kind == .link
    let target = isLink ? try? FileStatus(of: Self.real(path)) : own
    guard let target else { return .missing }
    switch target.kind {
    case .file: return .file(size: target.size)
    case .folder: return isLink ? .unusual("is a link to a folder") : .folder
    case .link: return .missing
    case .other: return .unusual("is neither a file nor a folder")
    }
  }

  /// Reads a file of the repository.
  ///
  /// - Throws: ``XcodeProjectError`` with code `.file`.
  func read(_ path: String, limit: Int) throws -> [UInt8] {
    switch entry(path) {
    case .file(let size):
      guard size <= limit else {
        throw XcodeProjectError(
          .file,
          "\(shown(path)) has \(size) bytes, more than the \(limit) that are read"
        )
      }
    case .missing: throw XcodeProjectError(.file, "\(shown(path)) is not there")
    case .folder: throw XcodeProjectError(.file, "\(shown(path)) is a folder")
    case .outside: throw XcodeProjectError(.file, "\(path) is outside of \(root)")
    case .unusual(let reason): throw XcodeProjectError(.file, "\(shown(path)) \(reason)")
    }
    do throws(FileFailure) {
      return try DurableFile.contents(of: path, atMost: limit)
    } catch {
      throw XcodeProjectError(.file, "\(shown(path)) cannot be read: \(error.reason)")
    }
  }

  /// Returns at most so many first bytes of a file of the repository; `nil` if it cannot be read.
  func head(_ path: String, _ count: Int) -> [UInt8]? {
    guard case .file = entry(path) else { return nil }
    return try? DurableFile.beginning(of: path, count)
  }

  /// Returns the names in a folder, in order; `nil` if it cannot be read.
  ///
  /// Without names that Xcode never copies; with hidden ones, as in a folder reference.
  func names(in folder: String) -> [String]? {
    let left: Set<String> = [".DS_Store", ".git", ".hg", ".svn", "CVS"]
    return try? FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { !left.contains($0) }.sorted()
  }
}
