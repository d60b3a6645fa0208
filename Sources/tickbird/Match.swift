internal import ArgumentParser
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking

struct Match: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Decides loads: one JSON object a line in, one a line out.",
    discussion: """
      In: {"url", "top_url", "frame_url"?, "resource_type", "load_context"?, "method"?, \
      "load_type"?}. frame_url is top_url unless given, load_context is child-frame; without \
      method no rule with request-method matches; load_type takes the place of what follows from \
      the URLs. URLs are matched as they stand, fragments included. resource_type is one of \
      top-document, child-document, image, style-sheet, script, font, svg-document, media, popup, \
      ping, fetch, websocket, other, csp-report; document is one of the first two, by \
      load_context.

      Out: {"blocked", "cookies_blocked", "url" (only if changed), "actions": [{"type", …, \
      "list", "rules"} …], "stylesheets"}, where list is the place of the --list option and rules \
      are places in its array, both from 0; stylesheets counts the lists that attach what they \
      hide on every page. An action that has no effect, such as a redirect, which ordinary content \
      blockers may not do, has "effective": false. A bad line gives {"error": …} on its line.

      Exit status: 0 every line was decided; 1 there were bad lines, or a list was refused; \
      2 wrong use, or a file cannot be read.
      """
  )

  @Option(name: .shortAndLong, help: "A list; give the option several times for several lists.")
  var list: [String]

  @Argument(help: "Lines of requests, plain or gzip; - is standard input.")
  var requests = "-"

  func validate() throws {
    if list.isEmpty { throw ValidationError("Give at least one list, as in --list ads.json.") }
    if requests == "-", list.contains("-") {
      throw ValidationError("Standard input (-) cannot be a list when it has the requests.")
    }
  }

  func run() throws {
    let input = try ByteInput(path: requests)
    let files = try Lists.open(list)
    var blocker = ContentBlocker(lists: files.map(\.list))
    var reader = RequestReader()
    let out = SharedOutput()
    var json = JSONWriter()
    var lineNumber = 0
    var badLines = 0
    let lines = LineReader(input)
    var progress = Progress()
    func end() throws {
      try out.write(json.bytes)
      json.bytes.removeAll(keepingCapacity: true)
      try out.flush()
    }
    do {
      try lines.forEach(pieceEnd: {
        // What was asked is answered before more is waited for.
        try end()
        if !Terminal.isTerminal(1) {
          progress.tick("\(Shown.grouped(lineNumber)) lines, \(Shown.grouped(badLines)) bad")
        }
      }) { line in
        lineNumber += 1
        do throws(InputError) {
          guard let line else {
            throw InputError(
              "the line has more than \(Shown.grouped(lines.limit)) bytes; a load needs less"
            )
          }
          let load = try reader.read(line.span)
          json.decision(blocker.decision(for: load))
        } catch {
          badLines += 1
          json.object { $0.field("error", "line \(lineNumber): \(error.message)") }
        }
        json.endLine()
        if json.bytes.count > 1 << 16 {
          try out.write(json.bytes)
          json.bytes.removeAll(keepingCapacity: true)
        }
      }
    } catch let error as InputError {
      // What was answered so far is handed out first.
      try end()
      progress.end()
      throw error
    }
    progress.end()
    if badLines > 0 {
      Report.error(
        "\(Shown.count(badLines, "bad line")) of \(Shown.grouped(lineNumber)); "
          + "each has its error in its place in the output"
      )
      throw ExitStatus.refused
    }
  }
}

/// Standard output where several closures write to it.
final class SharedOutput {
  private var stream = OutputStream.standardOutput()

  func write(_ bytes: [UInt8]) throws(OutputError) { try stream.write(bytes) }

  func flush() throws(OutputError) { try stream.flush() }
}
