internal import Foundation

/// The names of lists in a baseline: their paths relative to its folder.
///
/// So a folder with both may be moved, and the command run from anywhere. Standard input is `-`.
/// Symbolic links to folders are resolved; a link to a list has a name of its own.
struct ListNames {
  /// The folder's path below the root, without symbolic links.
  private let folder: [String]

  /// Creates the names for a baseline, which is assumed to be in this folder if it comes from
  /// standard input.
  init(baseline: String) {
    folder = Self.split(baseline == "-" ? "baseline" : baseline).folder
  }

  /// Returns the name of a list.
  func name(of list: String) -> String {
    guard list != "-" else { return list }
    let (parts, name) = Self.split(list)
    let common = zip(folder, parts).prefix { $0 == $1 }.count
    let up = [String](repeating: "..", count: folder.count - common)
    return (up + parts[common...] + [name]).joined(separator: "/")
  }

  /// Returns the path of a list with a name; `nil` for standard input.
  func path(of name: String) -> String? {
    name == "-" ? nil : "/" + (folder + [name]).joined(separator: "/")
  }

  /// Splits a path into the folder and the file's own name.
  private static func split(_ path: String) -> (folder: [String], name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (parts(of: "."), path) }
    return (parts(of: String(path[...slash])), String(path[path.index(after: slash)...]))
  }

  /// Returns a folder's path without symbolic links, or as it is if there is no such folder.
  private static func parts(of folder: String) -> [String] {
    let real = unsafe realpath(folder, nil)
    defer { unsafe free(real) }
    let path = unsafe real.map { unsafe String(cString: $0) } ?? folder
    return path.split(separator: "/").map(String.init)
  }
}
