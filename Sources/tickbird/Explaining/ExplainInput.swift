internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ResourceLoads
internal import TextOutput
internal import WebURL

/// A load to explain, with its context.
struct ExplainedLoad {
  var load: ResourceLoad
  /// The page that it is shown under.
  var page: Int
  /// The loads without each of which it would not have happened, by their indexes.
  var causes: [LoadCause] = []
  /// What is guessed about it.
  var guesses: HARFile.Guesses = []
}

/// The loads or console lines to explain.
enum ExplainInput {
  case loads([ExplainedLoad])
  case console([ConsoleLine])

  /// The most bad lines to report one by one.
  private static let toldBadLines = 20

  /// Reads a file of loads; bad lines are reported and change the status.
  ///
  /// - Parameters:
  ///   - path: The file, or `-`.
  ///   - isArchive: Whether it was given as an HTTP archive.
  ///   - status: The exit status of the command.
  /// - Throws: ``InputError`` if it cannot be read, or contains nothing to explain.
  init(path: String, isArchive: Bool, status: inout ExitStatus) throws {
    let input = try ByteInput(path: path)
    var bytes = try input.readAll()
    bytes.removeFirst(bytes.byteOrderMarkCount)
    switch isArchive ? .archive : Form(of: bytes) {
    case .archive: self = .loads(try Self.archive(bytes, input.name))
    case .requests: self = .loads(Self.requests(bytes, nil, input.name, &status))
    case .columns(let names):
      let layout: TSVLayout
      do throws(InputError) {
        layout = try TSVLayout(names: names)
      } catch {
        throw InputError("\(input.name), line 1: \(error.message)")
      }
      self = .loads(Self.requests(bytes, layout, input.name, &status))
    case .console: self = .console(try Self.consoleLines(bytes, input.name))
    }
  }

  private static func archive(_ bytes: [UInt8], _ name: String) throws -> [ExplainedLoad] {
    let archive = try HARFile(bytes, name: name)
    try archive.checkEntries(name: name)
    if archive.invalidCount > 0 {
      ConsoleMessage.warning(
        "\(Shown.count(archive.invalidCount, "entry", "entries")) of \(name) left out: no URL that can "
          + "be parsed"
      )
    }
    return archive.entries.map {
      ExplainedLoad(load: $0.load, page: $0.page, causes: $0.causes, guesses: $0.guesses)
    }
  }

  /// Reads loads in columns if there is a layout, else as JSON, one per line.
  private static func requests(
    _ bytes: [UInt8],
    _ layout: TSVLayout?,
    _ name: String,
    _ status: inout ExitStatus
  ) -> [ExplainedLoad] {
    var reader = RequestReader()
    var pages: [[UInt8]: Int] = [:]
    var loads: [ExplainedLoad] = []
    var badLines = 0
    Chunk(bytes: bytes, firstLine: 1).forEachFilledLine(limit: bytes.count) { number, range in
      guard let range, !(layout?.isRepeated(bytes, range) ?? false) else { return }
      do throws(InputError) {
        let load: ResourceLoad
        if let layout {
          load = try layout.load(bytes, layout.read(bytes, range))
        } else {
          load = try reader.read(bytes.span.extracting(range))
        }
        let page = pages[load.topURL.utf8] ?? pages.count
        pages[load.topURL.utf8] = page
        loads.append(ExplainedLoad(load: load, page: page))
      } catch {
        badLines += 1
        status = .refused
        guard badLines <= toldBadLines else { return }
        ConsoleMessage.error("\(name), line \(number): \(error.message)")
      }
    }
    if badLines > 0 {
      ConsoleMessage.error(
        "\(Shown.count(badLines, "bad line")) of \(Shown.grouped(badLines + loads.count)) left out"
          + (badLines > toldBadLines ? "; the first \(toldBadLines) are above" : "")
      )
    }
    return loads
  }

  private static func consoleLines(_ bytes: [UInt8], _ name: String) throws -> [ConsoleLine] {
    var seen: Set<ConsoleLine> = []
    var lines: [ConsoleLine] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if let line = ConsoleLine(Array(line)), seen.insert(line).inserted { lines.append(line) }
    }
    guard !lines.isEmpty else {
      throw InputError(
        bytes.isEmpty
          ? "\(name) is empty; give a network log, requests, or lines of WebKit's console"
          : "\(name) is neither a network log, nor requests in JSON or in columns that the first "
            + "line names with url among them, nor has it lines of WebKit's console "
            + "such as \"Content blocker prevented frame displaying PAGE from loading a resource "
            + "from URL\"; give one of these"
      )
    }
    return lines
  }

  /// The form of a file of loads.
  private enum Form {
    case archive, requests, console
    /// Requests in columns, with the line that names them.
    case columns([UInt8])

    init(of bytes: [UInt8]) {
      let text = bytes.drop { $0 <= 0x20 }
      guard text.first == UInt8(ascii: "{") else {
        var names = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
        if names.last == UInt8(ascii: "\r") { names.removeLast() }
        self = TSVLayout.isHeader(names) ? .columns(names) : .console
        return
      }
      // A request is complete on its line; an archive is one object that rarely is, and has a
      // `log`.
      let line = Array(text.prefix { $0 != UInt8(ascii: "\n") })
      var tape = JSONTape()
      let isWhole = (try? tape.parse(line.span)) != nil
      self =
        isWhole && tape.member("log", of: JSONTape.root, in: line.span) == nil
        ? .requests : .archive
    }
  }
}
