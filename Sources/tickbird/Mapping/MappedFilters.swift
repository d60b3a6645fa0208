internal import CommandInput
internal import CommandOutput
internal import FilterLists

/// The texts of the filter lists that a map names, read when they are first needed.
///
/// Only plain files below the map's own folder are read, and no symbolic link is followed; of any
/// other file there is no text, nor of one that has changed since it was converted.
final class MappedFilters {
  private let map: SourceMap
  private var folder: FilterFolder?
  private var files: [String: File] = [:]
  private var readCount = 0

  private struct File {
    var text: [UInt8] = []
    /// The positions at which lines begin.
    var starts: [Int] = []
  }

  /// The most bytes of all files together.
  private static let sizeLimit = 64 << 20
  /// The most bytes of a line to return.
  private static let lineLimit = 4_096

  /// The texts beside a map's file.
  init(_ map: SourceMap, at path: String) {
    self.map = map
    folder = FilterFolder(ofList: path)
  }

  /// Returns a line of a file, with those that continue it, without the white space around it; `nil` if it cannot be
  /// read.
  func line(_ line: Int, of name: String) -> String? {
    let file = file(name)
    guard file.starts.indices.contains(line - 1) else { return nil }
    let whole = FilterText.line(of: file.text, at: file.starts[line - 1])
    return whole.isEmpty ? nil : String(decoding: whole.prefix(Self.lineLimit), as: UTF8.self)
  }

  private func file(_ name: String) -> File {
    if let known = files[name] { return known }
    var file = File()
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    // A list that could not be read here is not tried again.
    defer { files[name] = file }
    guard !parts.contains(where: { ["", ".", ".."].contains($0) || $0.utf8.contains(0) }),
      let text = try? folder?.read(parts, limit: Self.sizeLimit - readCount),
      !text.starts(with: [0x1F, 0x8B])
    else { return file }
    readCount += text.count
    guard map.describes(text, of: name) else {
      ConsoleMessage.warning(
        "\(Shown.line(name)) has changed since it was converted, so its filters are not shown; convert it again "
          + "with --map"
      )
      return file
    }
    file.text = Array(text.dropFirst(text.byteOrderMarkCount))
    file.starts = FilterText.lineStarts(of: file.text)
    return file
  }
}
