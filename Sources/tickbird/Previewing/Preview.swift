internal import ArgumentParser
internal import BrowserPipe
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import Foundation
internal import PagePreview
internal import TextOutput
internal import WebURL

struct Preview: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Shows a page with and without lists, side by side, in one HTML file.",
    discussion: """
      Opens the page in Chromium without a window, once as it is and once with the lists, which \
      Tickbird's own engine applies: it decides each request with its type, page and frame, and hides \
      elements by style sheets. The report has both pictures, every request with what became of it \
      and the rule behind that, which elements are hidden, and the bytes and time saved. It needs no \
      network and no script. For example:

        tickbird preview --list ads.json -o report.html https://news.example/
        tickbird preview --list ads.json -o report.html --har page.har
        tickbird preview --list ads.json -o report.html page.html --page https://news.example/

      A saved page is an HTML file with its files beside it, a folder with an index.html, or MHTML; \
      what is not there is not fetched. A network log needs no browser, and gives no pictures.

      The browser is Chromium, of the package chromium, or the program that TICKBIRD_CHROMIUM names. \
      Its profile is a private folder that is removed at the end. As root it runs without its \
      sandbox, which is said.

      JSON output is one object: {"page", "title", "lists", "requests": [{"url", "type", "frame", \
      "outcome", "blocked", "rule": null or {"list", "rule", "place", "pattern", "source"?: [{"file", \
      "line"}] with --map}, "reasons", "note"?, \
      "failure"?, "status", "bytes": {"without", "with"}}], "hidden": [{"rule", "selector", \
      "elements"}], "blocked", "notRequested", "bytes": {"without", "with"}, "seconds": {"without", \
      "with"}, "notes"}.

      Exit status: 0 all is well; 1 a list was refused; 2 wrong use, or the page or a file cannot be \
      read, the browser fails, or the report cannot be written.
      """
  )

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case html, json
  }

  @Option(name: .shortAndLong, help: "\(Lists.help)")
  var list: [String]

  @Option(help: ArgumentHelp("\(RuleSources.help)", valueName: "file"))
  var map: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The report; - is standard output.", valueName: "file")
  )
  var output: String = "-"

  @Option(help: ArgumentHelp("A network log instead of a page.", valueName: "file"))
  var har: String?

  @Option(help: ArgumentHelp("The URL that a saved page had.", valueName: "url"))
  var page: String?

  @Option(help: ArgumentHelp("How long a visit may take, in seconds.", valueName: "seconds"))
  var timeout = 30

  @Option(help: "The output format: html or json.")
  var format: Format = .html

  @Argument(help: ArgumentHelp("The page's URL, or a saved page.", valueName: "url-or-file"))
  var target: String?

  func validate() throws {
    try OutputOption.requireName(output, of: "-o")
    guard (target == nil) != (har == nil) else {
      throw ValidationError(
        target == nil
          ? "Give a URL, a saved page, or a network log by --har."
          : "Give a page or --har, not both."
      )
    }
    if har != nil, page != nil {
      throw ValidationError("A network log knows its page; leave out --page.")
    }
    if let page, Self.webURL(page) == nil {
      throw ValidationError("--page: \(page) is not an http or https URL.")
    }
    if map.contains("-") {
      throw ValidationError("A map is a file, and not standard input (-).")
    }
    guard (1...600).contains(timeout) else {
      throw ValidationError("--timeout is a number of seconds from 1 to 600.")
    }
    if output == "-", format == .html, Terminal.isTerminal(1) {
      throw ValidationError("The report is an HTML file; say where it goes by -o report.html.")
    }
  }

  /// Returns a URL of the web; `nil` for anything else.
  private static func webURL(_ text: String) -> WebURL? {
    guard let url = WebURL(text), url.scheme == "http" || url.scheme == "https" else { return nil }
    return url
  }

  func run() throws {
    let inputs = list + map + [har, target].compactMap(\.self)
    if output != "-" { try OwnInputs(inputs).check(output: output) }
    let files = try Lists.open(list)
    try Lists.checkSources(files)
    let named = map.isEmpty ? [] : files.map { ($0.name, ListSource($0.list.source).ruleCount) }
    let origins = map.isEmpty ? .none : try RuleSources(map, lists: named)
    let decider = ListPreviewDecider(files, origins: origins)
    let report: PreviewReport
    if let har {
      let input = try ByteInput(path: har)
      let text = try input.readAll()
      let visit = try ArchivedLog.visit(text, name: input.name, decider: decider)
      report = PreviewReport(lists: files.map(\.name), without: visit, with: nil)
    } else {
      report = try browse(decider, files)
    }
    try write(report)
  }

  private func browse(_ decider: ListPreviewDecider, _ files: [ListFile]) throws -> PreviewReport {
    let options = try visitOptions()
    // Nothing leaves the machine for a saved page, whatever it tries.
    let arguments = options.archive == nil ? [] : Self.offline
    var progress = Progress(after: 0)
    let visits = try PrivateBrowser.run(
      arguments: arguments,
      opensForeignPages: options.archive == nil,
      otherWay: "--har FILE works without a browser"
    ) { browser in
      try [false, true].map { appliesLists in
        progress.show("visiting the page \(appliesLists ? "with" : "without") the lists …")
        let visit = BrowserVisit(
          options,
          browser: browser,
          decider: decider,
          appliesLists: appliesLists
        )
        return try visit.run()
      }
    }
    progress.end()
    return PreviewReport(lists: files.map(\.name), without: visits[0], with: visits[1])
  }

  /// Arguments with which Chromium reaches nobody.
  private static let offline = [
    "--proxy-server=http://127.0.0.1:9", "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
  ]

  private func visitOptions() throws -> BrowserVisit.Options {
    let target = target ?? ""
    if let url = Self.webURL(target) {
      guard page == nil else {
        throw InputError("--page is the URL that a saved page had; \(target) is a URL itself")
      }
      return BrowserVisit.Options(url: url.description, patience: timeout)
    }
    if target.firstRange(of: "://") != nil {
      throw InputError("\(target) is not an http or https URL; give one, or a saved page")
    }
    let archive = try PageArchive(path: target, page: page.flatMap { Self.webURL($0)?.description })
    return BrowserVisit.Options(url: archive.url, patience: timeout, archive: archive)
  }

  private func write(_ report: PreviewReport) throws {
    var bytes: [UInt8]
    switch format {
    case .html: bytes = ReportPage(report).bytes
    case .json:
      var json = JSONWriter()
      report.write(to: &json)
      bytes = json.bytes
    }
    guard output != "-" else {
      var out = OutputStream.standardOutput()
      try out.write(bytes)
      return try out.flush()
    }
    try OutputFile.replace(output, with: bytes)
    var out = OutputStream.standardOutput()
    let size = report.bytes
    let saved = max(0, size.without - size.with)
    try out.write(
      "\(path: output): \(Shown.count(report.rows.count, "request")), \(Shown.grouped(report.blockedCount)) blocked, \(Shown.grouped(saved)) bytes saved\n"
    )
    try out.flush()
  }
}
