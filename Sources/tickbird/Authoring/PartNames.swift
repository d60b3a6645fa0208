internal import CommandInput
internal import CommandOutput
internal import Foundation

/// The names of the files that a list is cut into: `big-1.json`, `big-2.json` and so on.
struct PartNames {
  private let prefix: String

  /// Takes what the names begin with.
  ///
  /// - Parameters:
  ///   - list: The list's path; `-` is standard input.
  ///   - output: What the names begin with, or a folder; `nil` for the list's path without its ending.
  /// - Throws: `InputError` if no names can be made of these.
  init(list: String, output: String?) throws(InputError) {
    guard let output else {
      prefix = Self.stem(of: list)
      return
    }
    if OutputFile.isFolder(output) {
      guard list != "-" else {
        throw InputError(
          "a list from standard input has no name; give -o what the names of the parts begin with, "
            + "such as \(output)\(output.hasSuffix("/") ? "" : "/")part"
        )
      }
      let name = Self.stem(of: list.split(separator: "/").last.map(String.init) ?? list)
      prefix = output + (output.hasSuffix("/") ? "" : "/") + name
      return
    }
    guard !output.hasSuffix("/") else {
      throw InputError("\(output) is no folder; create it, or leave the slash at its end out")
    }
    guard !OutputFile.isSpecial(output) else {
      throw InputError(
        "\(output) is neither a file nor a folder, and parts cannot be named after it; give -o what "
          + "their names begin with, such as part"
      )
    }
    prefix = output
  }

  /// The name of a part, from 1.
  subscript(number: Int) -> String { "\(prefix)-\(number).json" }

  /// Returns the files that are there under the names of parts behind the last one, in order.
  func existing(after last: Int) -> [String] {
    let slash = prefix.lastIndex(of: "/")
    let folder = slash.map { String(prefix[...$0]) } ?? "."
    let start = String(slash.map { prefix[prefix.index(after: $0)...] } ?? prefix[...]) + "-"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let numbers = names.compactMap { name -> Int? in
      guard name.hasPrefix(start), name.hasSuffix(".json") else { return nil }
      let digits = name.dropFirst(start.count).dropLast(5)
      guard let number = Int(digits), String(number) == digits, number > last else { return nil }
      return number
    }
    return numbers.sorted().map { self[$0] }
  }

  /// Returns a path without the endings of a list.
  private static func stem(of path: String) -> String {
    for ending in [".json.gz", ".json", ".tickbird"] where path.hasSuffix(ending) {
      return String(path.dropLast(ending.count))
    }
    return path
  }
}
