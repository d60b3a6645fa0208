internal import ArgumentParser
internal import CommandArguments
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import TextOutput

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Shows what rules do to the loads of a page, and why.",
    discussion: """
      The loads come from one of these:

        --har FILE  a network log, as any browser's developer tools save it
        --url URL --type TYPE --page URL  one load
        FILE or -   a network log, requests as tickbird match takes them, or
                    WebKit's messages in a console, such as "Content blocker
                    prevented frame displaying …"

      For example:
        tickbird explain --list ads.json --har page.har --blocked
        tickbird explain --list ads.json --rule 17 requests.tsv

      The output begins with a summary of all loads. Then it has, page by page, the rules that \
      decide, with their lines, or their patterns if a file has no lines. A log of up to 24 \
      loads, or the loads that --blocked, --loaded, --matched, --type and --host select, are \
      shown one by one, each with every rule that matched, what it matched, and which rule \
      overrode it. --rule N says for every load why rule N does not match.

      Where a rule seems to break a page by accident, a remedy is proposed. It has been tried on \
      all loads of the input, and changes only the loads that it is meant for.

      \(LoadHelp.defaults)

      Console messages do not have the type of a load, so all types are tried.

      With --map, rules are named with the lines of the filters that they were converted from, as \
      in rule 413 (rules.json:415:1; easylist.txt:1204); matches in JSON have "source": [{"file", \
      "line"}].

      JSON output is one object for each load, one a line; with --by one for each row, with \
      --summary one in all, proposals included.

      Exit status: 0 all is well; 1 there were bad lines, or a list was refused; 2 wrong \
      use, or a file cannot be read.
      """
  )

  @Option(name: .shortAndLong, help: "\(Lists.help)")
  var list: [String]

  @Option(help: ArgumentHelp("\(RuleSources.help)", valueName: "file"))
  var map: [String] = []

  @Option(help: ArgumentHelp("A network log; - is standard input.", valueName: "file"))
  var har: String?

  @Option(help: ArgumentHelp("The page that makes the load.", valueName: "url"))
  var page: String?

  @Option(help: ArgumentHelp("The URL of the load.", valueName: "url"))
  var url: String?

  @Option(
    help: ArgumentHelp(
      "With --url, the load's resource type, such as image, style-sheet, script or "
        + "document. Without --url, show only loads of this type, one by one; can then be given "
        + "several times.",
      valueName: "type"
    )
  )
  var type: [String] = []

  @Option(help: ArgumentHelp("The document of the frame that makes the load.", valueName: "url"))
  var frame: String?

  @Option(help: "The method that the document was fetched with; null if unknown.")
  var method: String?

  @Option(help: "Which frame makes the load: top-frame or child-frame.")
  var context: String?

  @Option(
    help: ArgumentHelp(
      "For every load, say why a rule does not match. The rule is given by its position "
        + "from 0, as in 17; with several lists, behind the list's position, as in 0:17.",
      valueName: "n"
    )
  )
  var rule: String?

  @Flag(help: "Show only loads that are blocked, one by one.")
  var blocked = false

  @Flag(help: "Show only loads that are not blocked, one by one.")
  var loaded = false

  @Flag(help: "Show only loads that rules other than hiding rules matched, one by one.")
  var matched = false

  @Option(
    help: "Show only loads to this host and its subdomains, one by one; can be given several times."
  )
  var host: [String] = []

  @Flag(help: "List the rules that hide something, page by page.")
  var hidden = false

  @Option(
    help: ArgumentHelp(
      "Count loads by the rule that decides, by their host, or by the site of their page.",
      valueName: "rule|host|site"
    )
  )
  var by: LoadCounts.Subject?

  @Flag(help: "Show only counts and proposals.")
  var summary = false

  @Flag(help: "Do not shorten URLs, rules and tables.")
  var wide = false

  @Option(help: "The output format.")
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
    if url == nil, [frame, method, context].contains(where: { $0 != nil }) {
      throw ValidationError("--frame, --method and --context belong to --url; give that.")
    }
    if url != nil, type.count > 1 {
      throw ValidationError("A load has one type; give --type once.")
    }
    if har != nil, page != nil {
      throw ValidationError("A network log knows its page; leave out --page.")
    }
    if blocked, loaded {
      throw ValidationError("No load is both; give only one of --blocked and --loaded.")
    }
    if summary, by != nil {
      throw ValidationError("Give only one of --by and --summary.")
    }
    if hidden, summary || by != nil {
      let other = summary ? "--summary" : "--by"
      throw ValidationError("--hidden belongs to pages; leave out \(other).")
    }
    if list.contains("-"), har == "-" || input == "-" {
      throw ValidationError("Standard input (-) cannot be both a list and the loads.")
    }
    if map.contains("-") { throw ValidationError("A map is a file, and not standard input (-).") }
  }

  private var singleLoad: SingleLoad {
    SingleLoad(
      url: url,
      page: page,
      frame: frame,
      type: type.first,
      context: context,
      method: method
    )
  }

  func run() throws {
    // Reports wrong options before lists are read.
    if let rule { _ = try Explainer.numbers(ofRule: rule) }
    var filter = try LoadFilter(types: url == nil ? type : [], hosts: host)
    filter.onlyBlocked = blocked
    filter.onlyLoaded = loaded
    filter.onlyMatched = matched
    var status = ExitStatus.fine
    let given: ExplainInput =
      if let path = har ?? input {
        try ExplainInput(path: path, isArchive: har != nil, status: &status)
      } else {
        .loads([ExplainedLoad(load: try singleLoad.load(), page: 0)])
      }
    if case .console = given, filter.isActive || hidden || summary || by != nil {
      throw InputError(
        "console lines do not say what loads were for, and are shown one by one; leave out options "
          + "that choose or count"
      )
    }
    let files = try Lists.open(list)
    try Lists.checkSources(files)
    let sources = files.map { ListSource($0.list.source) }
    var explainer = Explainer(
      files,
      sources: sources,
      origins: try RuleSources(map, lists: zip(files, sources).map { ($0.name, $1.ruleCount) })
    )
    let asked = try rule.map { try explainer.rule($0) }
    var out = OutputStream.standardOutput()
    let style = TextStyle(paint: output.paint, width: Terminal.width, isWide: wide)
    switch given {
    case .console(let lines):
      var explainer = ConsoleExplainer(explainer: explainer, style: style)
      try explainer.explain(lines, page: try page.map { try SingleLoad.parse($0, "--page") }) {
        text,
        json throws(OutputError) in
        if format == .json {
          try out.write(json)
        } else {
          try out.write(OutputText(painted: text))
        }
      }
    case .loads(let loads):
      let verdicts = LoadVerdicts(loads, &explainer)
      let report = ExplainReport(
        verdicts: verdicts,
        filter: filter,
        asked: asked,
        style: style,
        listsHiding: hidden
      )
      if format == .json {
        try report.writeJSON(by: by, isSummary: summary, &explainer, &out)
      } else {
        try report.writeText(by: by, isSummary: summary, &explainer, &out)
      }
    }
    try out.flush()
    try status.finish()
  }
}

extension LoadCounts.Subject: ExpressibleByArgument {}
