internal import CLibrary
internal import CommandInput
internal import CommandOutput
internal import DurableFiles
internal import Foundation

/// The files that an argument names: itself, all lists in a folder, or what a pattern matches.
struct CheckFiles {
  /// The paths of all files, by name within a folder.
  private(set) var paths: [String] = []
  /// The folders within a folder that cannot be read, and so may have lists.
  private(set) var unreadableFolders: [String] = []

  private static let endings = [".json", ".json.gz", ".tickbird"]

  /// Finds the files of an argument.
  ///
  /// - Throws: ``InputError`` for a folder or a pattern without a list.
  init(for argument: String) throws(InputError) {
    guard argument != "-" else {
      paths = [argument]
      return
    }
    if FileManager.default.fileExists(atPath: argument) {
      if OutputFile.isFolder(argument) { try addLists(in: argument) } else { paths = [argument] }
      return
    }
    guard argument.contains(where: { "*?[".contains($0) }) else {
      paths = [argument]
      return
    }
    let found = Self.matches(argument)
    guard !found.isEmpty else { throw InputError("no file matches \(argument)") }
    for path in found {
      if OutputFile.isFolder(path) {
        try addLists(in: path)
      } else if !Self.isBaseline(path) {
        paths.append(path)
      }
    }
  }

  /// Whether a file is a baseline, which may be among the lists and have a similar name.
  private static func isBaseline(_ path: String) -> Bool {
    guard ByteInput.identity(path: path) != nil,
      let start = try? ByteInput(path: path).next()
    else { return false }
    return Baseline.isBaseline(startingWith: start)
  }

  private mutating func addLists(in folder: String) throws(InputError) {
    var lists: [String] = []
    var unreadable: [String] = []
    var folders = [folder]
    while let inner = folders.popLast() {
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: inner) else {
        guard inner != folder else { throw InputError("\(folder) cannot be read") }
        unreadable.append(inner)
        continue
      }
      for name in names where !name.hasPrefix(".") {
        let path = inner.hasSuffix("/") ? inner + name : inner + "/" + name
        // Without following links, which may lead in a circle.
        if (try? FileStatus(of: path))?.kind == .folder { folders.append(path) }
        guard Self.endings.contains(where: { name.hasSuffix($0) }) else { continue }
        // Skips pipes, which would have to be waited for, but reports broken links.
        let isPlain = ByteInput.identity(path: path) != nil
        let isThere = isPlain || !FileManager.default.fileExists(atPath: path)
        if isThere, !Self.isBaseline(path) { lists.append(path) }
      }
    }
    guard !lists.isEmpty || !unreadable.isEmpty else {
      let endings = Self.endings
      throw InputError(
        "\(folder) contains no lists; those are files that end in "
          + "\(endings.dropLast().joined(separator: ", ")) or \(endings.last ?? "")"
      )
    }
    func isBefore(_ one: String, _ other: String) -> Bool {
      Array(one.utf8).lexicographicallyPrecedes(Array(other.utf8))
    }
    paths += lists.sorted(by: isBefore)
    unreadableFolders += unreadable.sorted(by: isBefore)
  }

  private static func matches(_ pattern: String) -> [String] {
    var result = unsafe glob_t()
    defer { unsafe globfree(&result) }
    guard unsafe glob(pattern, 0, nil, &result) == 0 else { return [] }
    var paths: [String] = []
    for index in unsafe 0..<Int(result.gl_pathc) {
      if let path = unsafe result.gl_pathv[index] { unsafe paths.append(String(cString: path)) }
    }
    return paths
  }
}
