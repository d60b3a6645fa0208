internal import ArgumentParser
internal import CommandArguments
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ListAnalysis
internal import TextOutput

struct Split: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "split",
    abstract: "Cuts a list into several that together do what it does.",
    discussion: """
      Safari takes at most 150,000 rules in a list, and lists do not see each other's exceptions. \
      So each part gets the exceptions that its rules may meet, in their order. The parts are \
      compared with the whole list by the engine. For example:

        tickbird split big.json --max-rules 150000 --max-bytes 19M -o part

      writes part-1.json, part-2.json and so on. A rule that cannot be put into any part, with its \
      exceptions, is named. Rules that WebKit skips are in no part. Parts of the same name with \
      higher numbers, which an earlier run may have left, are named and stay.

      --format json writes one object: {"rules", "skipped", "bytes", "parts": [{"file", "rules", \
      "exceptions", "bytes", "numbers"}], "otherParts", "loadsTried"}; "numbers" are those of the \
      rules in the list, from 0, and "otherParts" the names of parts that are not of this run.

      Exit status: 0 all is well; 1 the list was refused, or cannot be cut within the limits; 2 wrong \
      use, or a file cannot be read or written.
      """
  )

  @Argument(help: "The list, as JSON or compiled; - is standard input.")
  var list: String

  @Option(help: "The most rules of a part.")
  var maxRules = RuleListReader.ruleLimit

  @Option(help: "The most bytes of a part, such as 19M or 500K.")
  var maxBytes: ByteCount = ByteCount(.max)

  @Option(
    name: .shortAndLong,
    help: """
      What the names of the parts begin with, or a folder that exists; by default the name of the \
      list without its ending.
      """
  )
  var output: String?

  @Option(help: "The format of the summary.")
  var format: TextFormat = .text

  func validate() throws {
    guard (1...RuleListReader.ruleLimit).contains(maxRules) else {
      throw ValidationError(
        "--max-rules takes a number from 1 to \(RuleListReader.ruleLimit), which is the most that "
          + "WebKit accepts."
      )
    }
    try OutputOption.requireName(output, of: "-o", naming: "a file or a folder")
    if list == "-", output == nil {
      throw ValidationError("Give -o: standard input has no name that parts could have.")
    }
  }

  func run() throws {
    let names = try PartNames(list: list, output: output)
    try OutputFile.check(names[1])
    let read = try ReadList.read([list], isAnySize: true)[0]
    var progress = Progress()
    progress.show("cutting the list …")
    let parts: [ListSplitter.Part]
    let tried: Int
    do {
      let splitter = ListSplitter(read.input, maxRules: maxRules, maxBytes: maxBytes.count)
      parts = try splitter.parts()
      progress.show("comparing the parts with the list …")
      tried = try splitter.confirm(parts)
      progress.end()
    } catch ListSplitter.Failure.tooMuch(let excess) {
      progress.end()
      ConsoleMessage.error("\(read.source.name): \(message(excess))")
      throw ExitStatus.refused
    } catch {
      progress.end()
      throw AuthoringError.failure(error, read)
    }
    guard !parts.isEmpty else {
      ConsoleMessage.error("\(read.source.name) has exceptions alone, and nothing to part")
      throw ExitStatus.refused
    }
    for number in parts.indices { try OwnInputs([list]).refuse(names[number + 1]) }
    for (number, part) in parts.enumerated() {
      try OutputFile.replace(names[number + 1], with: part.text)
    }
    let others = names.existing(after: parts.count)
    if !others.isEmpty {
      let shown = others.prefix(4).map { Shown.line($0) }.joined(separator: ", ")
      ConsoleMessage.warning(
        "\(shown)\(others.count > 4 ? ", …" : "") \(others.count == 1 ? "is" : "are") not of this "
          + "run, but named as \(others.count == 1 ? "a part" : "parts") of it; remove what an earlier "
          + "run left there before the parts are read together"
      )
    }
    var out = OutputStream.standardOutput()
    switch format {
    case .json: try out.write(json(parts, read, names, others, tried))
    case .text: try out.write(OutputText(painted: text(parts, read, names, tried)))
    }
    try out.flush()
  }

  /// Says why rules fit into no part, and which limit would let them.
  private func message(_ excess: ListSplitter.Excess) -> String {
    let own =
      excess.ruleCount == 1
      ? "rule \(excess.rule)"
      : "rule \(excess.rule) and \(Shown.count(excess.ruleCount - 1, "other")), which act on each "
        + "other and so stay together,"
    let bytes = Shown.count(excess.byteCount, "byte")
    if excess.byteCount > maxBytes.count {
      return "\(own) alone \(excess.ruleCount == 1 ? "makes" : "make") a list of \(bytes), and "
        + "--max-bytes allows \(Shown.grouped(maxBytes.count)); allow at least as many"
    }
    if excess.ruleCount > maxRules {
      return "\(own) are more than the \(Shown.count(maxRules, "rule")) of --max-rules; allow at "
        + "least \(Shown.grouped(excess.ruleCount + excess.exceptionCount))"
    }
    return
      "\(own) may meet \(Shown.count(excess.exceptionCount, "exception")), and a list of these "
      + "has \(Shown.count(excess.ruleCount + excess.exceptionCount, "rule")) and "
      + "\(Shown.count(excess.totalByteCount, "byte")); allow more, or make the exceptions narrower, "
      + "so that fewer of them may meet it"
  }

  private func text(
    _ parts: [ListSplitter.Part],
    _ read: ReadList,
    _ names: PartNames,
    _ tried: Int
  ) -> String {
    var text =
      "\(Shown.line(read.source.name)): \(read.sizeWords), "
      + "\(Shown.count(read.source.text.count, "byte"))\n"
    for (number, part) in parts.enumerated() {
      text +=
        "  \(Shown.line(names[number + 1])): \(Shown.count(part.rules.count, "rule")), of "
        + "which \(Shown.count(part.exceptionCount, "exception")), "
        + "\(Shown.count(part.text.count, "byte"))\n"
    }
    if let note = SkippedRules.note([read]) { text += "\(note)\n" }
    return text
      + (tried > 0 ? "compared on \(Shown.count(tried, "load")): they do the same\n" : "")
  }

  private func json(
    _ parts: [ListSplitter.Part],
    _ read: ReadList,
    _ names: PartNames,
    _ others: [String],
    _ tried: Int
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("rules", read.rules.count)
      json.field("skipped", read.skippedCount)
      json.field("bytes", read.source.text.count)
      json.field("parts") { json in
        json.array(of: parts.enumerated()) { json, part in
          json.object { json in
            json.field("file", names[part.offset + 1])
            json.field("rules", part.element.rules.count)
            json.field("exceptions", part.element.exceptionCount)
            json.field("bytes", part.element.text.count)
            json.field("numbers") { json in
              json.array(of: part.element.rules) { $0.number($1) }
            }
          }
        }
      }
      json.field("otherParts") { json in json.array(of: others) { $0.string($1) } }
      json.field("loadsTried", tried)
    }
    json.endLine()
    return json.bytes
  }
}

/// A number of bytes, as people write it.
struct ByteCount: ExpressibleByArgument, CustomStringConvertible {
  let count: Int

  init(_ count: Int) { self.count = count }

  /// Reads `500`, `500K`, `19M` or `1G`; `nil` for anything else.
  init?(argument: String) {
    var digits = argument[...]
    var unit = 1
    switch argument.last {
    case "K", "k": unit = 1 << 10
    case "M", "m": unit = 1 << 20
    case "G", "g": unit = 1 << 30
    default: break
    }
    if unit > 1 { digits = digits.dropLast() }
    guard let number = Int(digits), number > 0 else { return nil }
    let (count, overflow) = number.multipliedReportingOverflow(by: unit)
    guard !overflow else { return nil }
    self.count = count
  }

  var description: String { count == .max ? "any" : "\(count)" }
}
