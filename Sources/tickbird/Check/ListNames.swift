internal import Foundation

/// What lists are called in a baseline: by their paths from its folder.
///
/// So a folder that holds both may be moved, and the command run from anywhere. Standard input is
/// `-`. Links among the folders are followed; a link to a list has a name of its own.
struct ListNames {
  /// The folder's path below the root, without links.
  private let folder: [String]

  /// Names lists for a baseline; one that comes by standard input is taken to be in this folder.
  init(baseline: String) {
    folder = Self.split(baseline == "-" ? "baseline" : baseline).folder
  }

  /// What a list is called.
  func name(of list: String) -> String {
    guard list != "-" else { return list }
    let (parts, name) = Self.split(list)
    let common = zip(folder, parts).prefix { $0 == $1 }.count
    let up = [String](repeating: "..", count: folder.count - common)
    return (up + parts[common...] + [name]).joined(separator: "/")
  }

  /// Where a list is that has a name; `nil` for standard input.
  func path(of name: String) -> String? {
    name == "-" ? nil : "/" + (folder + [name]).joined(separator: "/")
  }

  /// The folder that a file is in, and the file's own name.
  private static func split(_ path: String) -> (folder: [String], name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (parts(of: "."), path) }
    return (parts(of: String(path[...slash])), String(path[path.index(after: slash)...]))
  }

  /// A folder's path without links, or as it was given where there is no such folder.
  private static func parts(of folder: String) -> [String] {
    let real = unsafe realpath(folder, nil)
    defer { unsafe free(real) }
    let path = unsafe real.map { unsafe String(cString: $0) } ?? folder
    return path.split(separator: "/").map(String.init)
  }
}
