internal import CLibrary
internal import CommandInput
internal import CommandOutput
internal import DurableFiles
internal import Foundation

/// Resolves arguments to files: themselves, all lists in a folder, or what a pattern matches.
enum CheckFiles {
  private static let endings = [".json", ".json.gz", ".tickbird"]

  /// Returns the paths of all files, deduplicated, in the order of the arguments, and by name
  /// within one.
  ///
  /// - Throws: ``InputError`` for a folder or a pattern without a list.
  static func paths(for argument: String) throws(InputError) -> [String] {
    if argument == "-" { return [argument] }
    if FileManager.default.fileExists(atPath: argument) {
      return OutputFile.isFolder(argument) ? try lists(in: argument) : [argument]
    }
    guard argument.contains(where: { "*?[".contains($0) }) else { return [argument] }
    let found = matches(argument)
    guard !found.isEmpty else { throw InputError("no file matches \(argument)") }
    var paths: [String] = []
    for path in found {
      if OutputFile.isFolder(path) {
        paths += try lists(in: path)
      } else if !isBaseline(path) {
        paths.append(path)
      }
    }
    return paths
  }

  /// Whether a file is a baseline, which may be among the lists and have a similar name.
  private static func isBaseline(_ path: String) -> Bool {
    guard ByteInput.identity(path: path) != nil,
      let start = try? ByteInput(path: path).next()
    else { return false }
    return Baseline.isBaseline(startingWith: start)
  }

  private static func lists(in folder: String) throws(InputError) -> [String] {
    var paths: [String] = []
    var folders = [folder]
    while let inner = folders.popLast() {
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: inner) else {
        // A folder in it that cannot be read has no lists for this user.
        guard inner != folder else { throw InputError("\(folder) cannot be read") }
        continue
      }
      for name in names where !name.hasPrefix(".") {
        let path = inner.hasSuffix("/") ? inner + name : inner + "/" + name
        // Without following links, which may lead in a circle.
        if (try? FileStatus(of: path))?.kind == .folder { folders.append(path) }
        guard endings.contains(where: { name.hasSuffix($0) }) else { continue }
        // Skips pipes, which would have to be waited for, but reports broken links.
        let isPlain = ByteInput.identity(path: path) != nil
        let isThere = isPlain || !FileManager.default.fileExists(atPath: path)
        if isThere, !isBaseline(path) { paths.append(path) }
      }
    }
    guard !paths.isEmpty else {
      throw InputError(
        "\(folder) contains no lists; those are files that end in "
          + "\(endings.dropLast().joined(separator: ", ")) or \(endings.last ?? "")"
      )
    }
    return paths.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
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
