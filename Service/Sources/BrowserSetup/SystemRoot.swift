internal import CLibrary
internal import DurableFiles
internal import Foundation

/// The folder that stands for a system's `/`: the running system's own, or that of an image.
///
/// In an image, every path is resolved as the system in it would resolve it: a symbolic link to an absolute
/// path leads to that path in the image, and `..` never above it. Nothing outside of it is reached,
/// whatever links it has.
///
/// The result is good for as long as nobody changes the folders on the way; ``Trust`` says who could.
public struct SystemRoot: Equatable, Sendable {
  /// The running system.
  public static let running = SystemRoot(folder: "")

  /// The folder's path without links, or nothing for the running system.
  private let folder: String

  private init(folder: String) { self.folder = folder }

  /// Takes a folder for a system's root.
  ///
  /// - Parameter path: Its absolute path, which the running system resolves.
  /// - Throws: ``SetupError`` with code `.file` if it is no folder.
  public init(_ path: String) throws(SetupError) {
    guard let real = unsafe realpath(path, nil) else {
      throw SetupError(.file, "\(path) cannot be used: \(FileFailure.reason(errno))")
    }
    defer { unsafe free(real) }
    var status = stat()
    guard unsafe stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw SetupError(.file, "\(path) is no folder")
    }
    let folder = unsafe String(cString: real)
    self.folder = folder == "/" ? "" : folder
  }

  /// Whether it is the running system.
  public var isRunning: Bool { folder.isEmpty }

  /// Returns where a file of the system is.
  ///
  /// Links on the way are resolved in the image, and the last name is not: whether it is a link is for the
  /// caller to look at.
  ///
  /// - Parameter path: An absolute path in the system.
  /// - Returns: Its path for this process.
  /// - Throws: ``SetupError`` with code `.file` if a link cannot be read, or there are too many.
  func place(_ path: String) throws(SetupError) -> String {
    try resolve(path, followsLast: false)
  }

  /// Returns where a file of the system is, with the last name resolved as well.
  ///
  /// - Throws: ``SetupError`` with code `.file` if a link cannot be read, or there are too many.
  func real(_ path: String) throws(SetupError) -> String {
    try resolve(path, followsLast: true)
  }

  /// Returns the path in the system of a place that ``place(_:)`` or ``real(_:)`` has returned, or that is below one.
  func path(of place: String) -> String { String(place.dropFirst(folder.count)) }

  /// Returns who else than those who are trusted could change what is at a path; nil if nobody could.
  ///
  /// Links are followed as the system would, and each counts with the folders that it is in.
  func weakness(
    of path: String,
    _ trust: Trust,
    followsLast: Bool = true
  ) throws(SetupError) -> String? {
    var links: [String] = []
    let place = try resolve(path, followsLast: followsLast) { links.append($0) }
    for link in links {
      if let reason = trust.weakness(ofLink: link) { return reason }
    }
    return trust.weakness(of: place)
  }

  /// Whether a program is there, which is more than something that root may execute, such as a folder.
  public func hasProgram(_ path: String) -> Bool {
    var status = stat()
    guard let real = try? real(path), unsafe stat(real, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG && FileManager.default.isExecutableFile(atPath: real)
  }

  /// Whether something is there; links are followed as the system would.
  func has(_ path: String, executable: Bool = false) -> Bool {
    guard let real = try? real(path) else { return false }
    return executable
      ? FileManager.default.isExecutableFile(atPath: real)
      : FileManager.default.fileExists(atPath: real)
  }

  // Each link that is followed is passed on with its place.
  private func resolve(
    _ path: String,
    followsLast: Bool,
    passes: (String) -> Void = { _ in }
  ) throws(SetupError) -> String {
    // The running system resolves its own.
    guard !isRunning else { return path }
    var place: [String] = []
    var names = Trust.names(path)
    var links = 0
    func current() -> String { folder + "/" + place.joined(separator: "/") }
    while let name = names.popLast() {
      guard name != ".." else {
        _ = place.popLast()
        continue
      }
      place.append(name)
      if names.isEmpty, !followsLast { break }
      var status = stat()
      guard unsafe lstat(current(), &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
        continue
      }
      links += 1
      guard links <= Trust.mostLinks else {
        throw SetupError(.file, "\(folder)\(path) leads through too many links")
      }
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: current())
      else {
        throw SetupError(.file, "\(current()) is a link that cannot be read")
      }
      passes(current())
      if target.hasPrefix("/") { place = [] } else { place.removeLast() }
      names += Trust.names(target)
    }
    return current()
  }
}
