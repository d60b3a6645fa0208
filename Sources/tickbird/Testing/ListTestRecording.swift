internal import CommandArguments
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import Foundation
internal import ListTesting
internal import TextOutput

/// Makes a test file of what lists do today to the loads of a network log.
struct ListTestRecording {
  /// The network log, `-`, or the address of a page to visit.
  let log: String
  /// The lists.
  let lists: [String]
  /// The file to write; `nil` for standard output.
  let output: String?

  func write() throws {
    if let output { try OwnInputs(lists + [log]).check(output: output) }
    let names = try lists.filter { $0 != "-" }.map { try Self.path($0, from: output) }
    for name in names where !ListTestWriter.canName(list: name) {
      throw InputError(
        "the path \(Shown.line(name)) cannot stand in a test file, because of its line ends, its spaces "
          + "at an end or its #; give the list another name"
      )
    }
    let files = try Lists.open(lists)
    let loads = try loads()
    var blocker = ContentBlocker(lists: files.map(\.list))
    var writer = ListTestWriter()
    for load in loads {
      writer.add(load.load, blocker.decision(for: load.load, includesHiding: false))
    }
    let name =
      log == "-"
      ? "standard input" : Shown.line(RecordingVisit.isAddress(log) ? log : Self.name(log))
    let text = writer.text(
      lists: names,
      comment: ["What the lists did to the loads of \(name) when this was recorded."]
    )
    if let output {
      try OutputFile.replace(output, with: Array(text.utf8))
    } else {
      var out = OutputStream.standardOutput()
      try out.write(OutputText(lines: text))
      try out.flush()
    }
    if writer.leftOutCount > 0 {
      ConsoleMessage.warning(
        "\(Shown.count(writer.leftOutCount, "load")) left out: rules do not apply to data: URLs, "
          + "or the format cannot describe them"
      )
    }
  }

  /// Returns the loads of the log, or of a visit.
  private func loads() throws -> [ExplainedLoad] {
    if RecordingVisit.isAddress(log) {
      let visited = try PrivateBrowser.run(
        arguments: RecordingVisit.arguments,
        otherWay: "or save the network log of the page as HAR in any browser, and give that to "
          + "--record"
      ) { browser in
        var progress = Progress()
        progress.show("visiting \(log) …")
        defer { progress.end() }
        return try RecordingVisit(url: log, browser: browser).log()
      }
      let archive = try HARFile(visited, name: log)
      return archive.entries.map { ExplainedLoad(load: $0.load, page: $0.page) }
    }
    var status = ExitStatus.fine
    guard case .loads(let loads) = try ExplainInput(path: log, isArchive: true, status: &status)
    else { throw InputError("\(log) is not a network log; give a HAR file") }
    return loads
  }

  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns the path of a list as seen from the folder of the file that names it.
  static func path(_ list: String, from output: String?) throws -> String {
    guard let output, output.utf8.contains(UInt8(ascii: "/")) || list.hasPrefix("/"),
      !list.hasPrefix("/")
    else {
      return list
    }
    let target = try GivenPath.url(list).standardizedFileURL.pathComponents
    let base = try GivenPath.url(output).deletingLastPathComponent().standardizedFileURL
      .pathComponents
    var common = 0
    while common < base.count, common < target.count - 1, base[common] == target[common] {
      common += 1
    }
    let ups = Array(repeating: "..", count: base.count - common)
    return (ups + target[common...]).joined(separator: "/")
  }
}
