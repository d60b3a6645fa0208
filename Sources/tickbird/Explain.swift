internal import ArgumentParser
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ResourceLoads
internal import TextOutput
internal import WebURL

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what rules do to the loads of a page, and why.",
    discussion: """
      The loads come from one of these:

        --har FILE                         the network log of a page, as the developer
                                           tools of any browser save it
        --url URL --type TYPE --page URL   one load
        FILE or -                          a network log, requests as tickbird match takes
                                           them, or lines that WebKit wrote to a console
                                           ("Content blocker prevented frame displaying …")

      Each load is shown with what becomes of it, every rule that matched with its place, what it \
      matched, and which rule overrode it. --rule N says of every load why rule N does not match.

      \(LoadHelp.defaults) Console lines do not tell a load's type, so that all are tried.

      JSON output has one object a load, one a line.

      Exit status: 0 explained; 1 there were bad lines, or a list was refused; 2 wrong use, or a \
      file cannot be read.
      """
  )

  @Option(name: .shortAndLong, help: "A list; give the option several times for several lists.")
  var list: [String]

  @Option(help: ArgumentHelp("A network log; - is standard input.", valueName: "file"))
  var har: String?

  @Option(help: ArgumentHelp("The page that makes the load.", valueName: "url"))
  var page: String?

  @Option(help: ArgumentHelp("The URL of the load.", valueName: "url"))
  var url: String?

  @Option(help: "The load's resource type, such as image, style-sheet, script or document.")
  var type: String?

  @Option(help: ArgumentHelp("The document of the frame that makes the load.", valueName: "url"))
  var frame: String?

  @Option(help: "The method by which the document was fetched; null if it is unknown.")
  var method: String?

  @Option(help: "Which frame makes the load: top-frame or child-frame.")
  var context: String?

  @Option(
    help: ArgumentHelp(
      "Say why this rule does not match; with several lists, rule N of list L (from 0) is L:N.",
      valueName: "n"
    )
  )
  var rule: String?

  @Flag(help: "Show only loads that a rule matched.")
  var matched = false

  @Flag(help: "Do not shorten URLs and rules.")
  var wide = false

  @Option(help: "How to write the explanation.")
  var format: TextFormat = .text

  @OptionGroup var output: OutputOptions

  @Argument(help: "A network log, requests or console lines; - is standard input.")
  var input: String?

  func validate() throws {
    let inputs = [har, url, input].compactMap(\.self)
    guard inputs.count == 1 else {
      throw ValidationError(
        inputs.isEmpty
          ? "Say what to explain: --har FILE, or --page URL --url URL --type TYPE, or a file, or - "
            + "for standard input."
          : "Give only one of --har, --url and a file."
      )
    }
    if url == nil, [type, frame, method, context].contains(where: { $0 != nil }) {
      throw ValidationError("--type, --frame, --method and --context belong to --url; give that.")
    }
    if har != nil, page != nil {
      throw ValidationError("A network log knows its page; leave out --page.")
    }
    if list.contains("-"), har == "-" || input == "-" {
      throw ValidationError("Standard input (-) cannot be both a list and the loads.")
    }
  }

  func run() throws {
    // What is wrong with the options is said before lists are read.
    var loads: [ExplainedLoad] = []
    if url != nil { loads = [ExplainedLoad(load: try SingleLoad(self).load(), page: 0)] }
    var console: [ConsoleLine] = []
    var status = ExitStatus.fine
    if let path = har ?? input {
      let text = try ByteInput(path: path)
      let bytes = try text.readAll()
      switch har != nil ? .archive : InputForm(of: bytes) {
      case .archive: loads = try archive(bytes, text.name)
      case .requests: loads = requests(bytes, text.name, &status)
      case .console: console = try consoleLines(bytes, text.name)
      }
    }
    let files = try Lists.open(list)
    try Lists.checkSources(files)
    var explainer = Explainer(files)
    let asked = try rule.map { try explainer.rule($0) }
    var out = OutputStream.standardOutput()
    if !console.isEmpty {
      let style = TextStyle(paint: output.paint, width: Terminal.width, isWide: wide)
      var explainer = ConsoleExplainer(explainer: explainer, style: style)
      try explainer.explain(console, page: try page.map { try SingleLoad.parse($0, "--page") }) {
        text,
        json throws(OutputError) in
        if format == .json {
          try out.write(json)
        } else {
          try out.write(OutputText(painted: text))
        }
      }
    } else if format == .json {
      for load in loads {
        let explanation = explainer.explanation(for: load.load)
        if matched, explanation.matches.isEmpty { continue }
        var json = JSONWriter()
        explainer.write(explanation, page: load.page, asked: asked, to: &json)
        try out.write(json.bytes)
      }
    } else {
      let style = TextStyle(paint: output.paint, width: Terminal.width, isWide: wide)
      var table = LoadTable(style: style, asked: asked, showsAll: !matched)
      var progress = Progress()
      for (number, load) in loads.enumerated() {
        progress.tick("\(number) of \(loads.count) loads")
        let explanation = explainer.explanation(for: load.load)
        table.add(explanation, page: load.page, explainer)
      }
      progress.end()
      try out.write(OutputText(painted: table.text(explainer)))
    }
    try out.flush()
    try status.finish()
  }

  private func archive(_ bytes: [UInt8], _ name: String) throws -> [ExplainedLoad] {
    let archive = try HARFile(bytes, name: name)
    if archive.invalidCount > 0 {
      Report.warning(
        "\(Shown.count(archive.invalidCount, "entry", "entries")) of \(name) have no URL that can "
          + "be parsed, and are left out"
      )
    }
    guard !archive.entries.isEmpty else {
      throw InputError(
        "\(name) has no requests; open the network tab before the page is loaded, then save again"
      )
    }
    return archive.entries.map { ExplainedLoad(load: $0.load, page: $0.page) }
  }

  private func requests(
    _ bytes: [UInt8],
    _ name: String,
    _ status: inout ExitStatus
  ) -> [ExplainedLoad] {
    var reader = RequestReader()
    var pages: [[UInt8]: Int] = [:]
    var loads: [ExplainedLoad] = []
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      do throws(InputError) {
        let load = try reader.read(Array(line).span)
        let page = pages[load.topURL.utf8] ?? pages.count
        pages[load.topURL.utf8] = page
        loads.append(ExplainedLoad(load: load, page: page))
      } catch {
        Report.error("\(name): request \(number + 1): \(error.message)")
        status = .refused
      }
    }
    return loads
  }

  private func consoleLines(_ bytes: [UInt8], _ name: String) throws -> [ConsoleLine] {
    var seen: Set<ConsoleLine> = []
    var lines: [ConsoleLine] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if let line = ConsoleLine(Array(line)), seen.insert(line).inserted { lines.append(line) }
    }
    guard !lines.isEmpty else {
      throw InputError(
        bytes.isEmpty
          ? "\(name) is empty; give a network log, requests, or lines of WebKit's console"
          : "\(name) is neither a network log, nor requests, nor has it lines of WebKit's console "
            + "such as \"Content blocker prevented frame displaying PAGE from loading a resource "
            + "from URL\"; give one of these"
      )
    }
    return lines
  }
}

/// A load to be explained, and the page that it is shown under.
struct ExplainedLoad {
  var load: ResourceLoad
  var page: Int
}

/// What a file of loads looks like.
private enum InputForm {
  case archive, requests, console

  init(of bytes: [UInt8]) {
    let text = bytes.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    guard text.first == UInt8(ascii: "{") else {
      self = .console
      return
    }
    // A request is whole on its line; an archive is one object that hardly is, and has a log.
    let line = Array(text.prefix { $0 != UInt8(ascii: "\n") })
    var tape = JSONTape()
    let isWhole = (try? tape.parse(line.span)) != nil
    self =
      isWhole && tape.member("log", of: JSONTape.root, in: line.span) == nil ? .requests : .archive
  }
}

/// The load that the options describe.
struct SingleLoad {
  let options: Explain

  init(_ options: Explain) { self.options = options }

  func load() throws -> ResourceLoad {
    let url = try Self.parse(options.url ?? "", "--url")
    // What is empty is absent.
    let page = try options.page.flatMap { $0.isEmpty ? nil : try Self.parse($0, "--page") }
    let frame = try options.frame.flatMap { $0.isEmpty ? nil : try Self.parse($0, "--frame") }
    let context = try options.context.map { word in
      guard let context = LoadWords.loadContext(word) else {
        throw InputError(
          "--context: "
            + LoadWords.unknown("context", word, among: ["top-frame", "child-frame"])
        )
      }
      return context
    }
    return ResourceLoad(
      url: url,
      topURL: page,
      frameURL: frame,
      resourceType: try type(context, url: url, page: page),
      loadContext: context,
      requestMethod: options.method.map { LoadWords.requestMethod($0) } ?? .get
    )
  }

  private func type(
    _ context: LoadContext?,
    url: WebURL,
    page: WebURL?
  ) throws -> ResourceType {
    guard let word = options.type else {
      throw InputError(
        "--type is missing; say what the load is for, one of "
          + LoadWords.resourceTypeWords.joined(separator: ", ")
      )
    }
    if word == "document" { return LoadWords.documentType(context, url: url, page: page) }
    guard let type = LoadWords.resourceType(word) else {
      throw InputError(
        "--type: " + LoadWords.unknown("type", word, among: LoadWords.resourceTypeWords)
      )
    }
    return type
  }

  static func parse(_ text: String, _ option: String) throws -> WebURL {
    guard let url = WebURL(text) else {
      throw InputError(
        "\(option): \(text.isEmpty ? "an empty text" : text) is no absolute URL; write it in full, "
          + "such as https://example.com/"
      )
    }
    return url
  }
}
