internal import ArgumentParser
internal import CommandArguments
internal import CommandInput
internal import CommandOutput
internal import TextOutput

struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Converts filter lists to rule lists, with an account of every source line.",
    discussion: """
      Reads Adblock Plus', AdGuard's and uBlock Origin's syntax, hosts files and lists of domains, \
      and writes one rule list for Safari and WebKit. Each source line is converted, approximated \
      or impossible, or a comment; the summary counts them. For example:

        tickbird convert easylist.txt easyprivacy.txt -o rules.json --map map.json
        tickbird convert --from hosts --target safari26.2 hosts.txt > rules.json
        tickbird convert --from dnr extension/ -o rules.json
        tickbird convert --to dnr easylist.txt -o rules.json

      --from dnr reads Chromium's declarative rules: a file, or an extension's folder, of which the \
      enabled rules are read. --to dnr writes them, of filter lists or with --from webkit of rule \
      lists. There the account has rules instead of lines, at the lines where they begin.

      Without --from each list's syntax is recognised, by it and what it includes, and the summary \
      names it. !#include reads files of the list's own \
      folder. Without --target the rules are for Safari 16.4 and later; the summary says what a newer \
      target gives. Name the oldest that you support: older ones may refuse the whole list.

      --map writes {"version": 1, "sources": […], "syntaxes": […], "digests": […], "rules", "lines": [{"file", \
      "line", "outcome", "rules", "reason"}]}, an entry for each source line in order; tickbird check, explain, test, \
      audit, analyze, diff and preview name the source lines by it. Outcomes are converted, approximated, \
      impossible and comment; rules count from 0, lines from 1; a reason is null or {"code", \
      "text"}, and others are in "furtherReasons".

      --format json writes one object: {"output", "map", "rules", "ruleLimit", "bytes", \
      "syntaxes": [{"file", "syntax", "recognized"}], "lines", "converted", "approximated", "impossible", "comments", "reasons": [{"outcome", "code", \
      "lines", "example", "file", "line"}], "notes": [{"code", "text"}], "accounts"?: […]}, with \
      the entries of the map and each line's "text" if --accounts is given.

      Exit status: 0 all is well, also if lines are impossible; 1 a list was refused, or \
      with --strict, lines are impossible, or WebKit would not take the list: there are more rules \
      than one list may have, or none; 2 wrong use, or a file cannot be read or written.
      """
  )

  @Argument(help: "Lists to convert to one; - is standard input.")
  var lists: [String]

  @Option(help: "The lists' syntax; by default it is recognised.")
  var from: ConvertedSyntax?

  @Option(help: "What to write: WebKit's rules, or a browser's declarative rules.")
  var to: ConversionProduct = .webkit

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file for the rules; by default, and for -, standard output.",
      valueName: "file"
    )
  )
  var output: String?

  @Option(help: ArgumentHelp("The file for the account of every line.", valueName: "file"))
  var map: String?

  @Option(
    help: "The oldest engine that is to take the rules, such as safari26.2; by default safari16.4."
  )
  var target: TargetRelease?

  @Option(help: "The format of the summary; text goes to standard error, json to standard output.")
  var format: TextFormat = .text

  @Flag(help: "With --format json, write the account of every line as well.")
  var accounts = false

  @Flag(help: "Let impossible lines, and more rules than one list may have or none, be failures.")
  var strict = false

  /// The file for the rules; `nil` for standard output.
  private var outputFile: String? { output == "-" ? nil : output }

  func validate() throws {
    if lists.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("Standard input (-) can be given only once.")
    }
    try OutputOption.requireName(output, of: "-o")
    try OutputOption.requireName(map, of: "--map")
    if map == "-" { throw ValidationError("A map is a file, and not standard output (-).") }
    if let outputFile, outputFile == map {
      throw ValidationError("-o and --map name the same file; give another one to one of them.")
    }
    if format == .json, outputFile == nil {
      throw ValidationError(
        "--format json goes to standard output, where the rules would go; give them a file by -o."
      )
    }
    if accounts, format != .json {
      throw ValidationError(
        "--accounts belongs to --format json; --map writes the accounts to a file."
      )
    }
  }

  func run() throws {
    let route = try ConversionRoute.find(from: from, to: to)
    let outputs = [outputFile, map].compactMap { $0 }
    for output in outputs { try OwnInputs(lists).check(output: output) }
    try refuseOneOutput(outputs)
    let list = try route.convert(
      ConversionRequest(paths: lists, syntax: from, target: target?.release)
    )
    // Those that lists include are known now.
    for output in outputs { try OwnInputs(list.sources).refuse(output) }
    let summary = ConversionSummary(list)
    if let map { try OutputFile.replace(map, with: ConversionMap(list: list).json()) }
    var out = OutputStream.standardOutput()
    if let outputFile {
      try OutputFile.replace(outputFile, with: list.bytes)
      if format == .json {
        try out.write(summary.json(output: outputFile, map: map, withAccounts: accounts))
      }
    } else {
      try out.write(list.bytes)
    }
    try out.flush()
    if format == .text { StandardError.line(summary.text(reasonLimit: 8)) }
    try tell(list, summary).finish()
  }

  /// Refuses to write both outputs to one file, by whatever path they are named.
  private func refuseOneOutput(_ outputs: [String]) throws(InputError) {
    let parts = outputs.map { $0.split(separator: "/").filter { $0 != "." } }
    let identities = outputs.compactMap { ByteInput.identity(path: $0) }
    if outputs.count == 2,
      parts[0] == parts[1] || (identities.count == 2 && identities[0] == identities[1])
    {
      throw InputError("-o and --map name the same file; give another one to one of them")
    }
  }

  /// Warns of what the reader of the rules will not take, and returns the status.
  private func tell(_ list: any ConvertedList, _ summary: ConversionSummary) -> ExitStatus {
    var isGood = summary.count(.impossible) == 0
    if list.ruleCount > list.ruleLimit {
      isGood = false
      let parts = (list.ruleCount - 1) / list.ruleLimit + 1
      ConsoleMessage.warning(
        "one list may have \(Shown.count(list.ruleLimit, "rule")), and these are \(Shown.grouped(list.ruleCount)); convert the lists in at least \(parts) groups, each with the exceptions that belong to it"
      )
    }
    if list.ruleCount == 0, to == .webkit {
      isGood = false
      ConsoleMessage.warning("no \(list.unit) became a rule, and WebKit takes no empty lists")
    } else if list.ruleCount == 0 {
      ConsoleMessage.warning("no \(list.unit) became a rule")
    }
    return strict && !isGood ? .refused : .fine
  }
}

extension ConvertedSyntax: ExpressibleByArgument {}
extension ConversionProduct: ExpressibleByArgument {}
