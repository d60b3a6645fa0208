internal import ArgumentParser
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
      exceptions, is named.

      --format json writes one object: {"rules", "bytes", "parts": [{"file", "rules", "exceptions", \
      "bytes", "numbers"}], "loadsTried"}; "numbers" are those of the rules in the list, from 0.

      Exit status: 0 all is well; 1 the list cannot be cut within the limits; 2 wrong use, or a file \
      that cannot be read or written, or a list that WebKit refuses.
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
    help: "What the names of the parts begin with; by default that of the list without its ending."
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
    if list == "-", output == nil {
      throw ValidationError("Give -o: standard input has no name that parts could have.")
    }
  }

  func run() throws {
    let prefix = output ?? Self.stem(of: list)
    try OutputFile.check(Self.name(1, prefix))
    let read = try ReadList.read([list], refusal: .wrongUse, isAnySize: true)[0]
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
    } catch ListSplitter.Failure.tooMuch(let rule, let exceptions, let rules, let bytes) {
      progress.end()
      ConsoleMessage.error(
        "\(read.source.name): rule \(rule) may meet \(Shown.count(exceptions, "exception")), and a "
          + "list of these has \(Shown.count(rules, "rule")) and \(Shown.count(bytes, "byte")); allow "
          + "more, or make the exceptions narrower, so that fewer of them may meet it"
      )
      throw ExitStatus.refused
    } catch {
      progress.end()
      throw AuthoringError.failure(error, read)
    }
    guard !parts.isEmpty else {
      ConsoleMessage.error("\(read.source.name) has exceptions alone, and nothing to part")
      throw ExitStatus.refused
    }
    for number in parts.indices { try OwnInputs([list]).refuse(Self.name(number + 1, prefix)) }
    for (number, part) in parts.enumerated() {
      try OutputFile.replace(Self.name(number + 1, prefix), with: part.text)
    }
    var out = OutputStream.standardOutput()
    switch format {
    case .json: try out.write(json(parts, read, prefix, tried))
    case .text: try out.write(OutputText(painted: text(parts, read, prefix, tried)))
    }
    try out.flush()
  }

  private static func name(_ number: Int, _ prefix: String) -> String { "\(prefix)-\(number).json" }

  /// Returns a path without the endings of a list.
  private static func stem(of path: String) -> String {
    for ending in [".json.gz", ".json", ".tickbird"] where path.hasSuffix(ending) {
      return String(path.dropLast(ending.count))
    }
    return path
  }

  private func text(
    _ parts: [ListSplitter.Part],
    _ read: ReadList,
    _ prefix: String,
    _ tried: Int
  ) -> String {
    var text =
      "\(Shown.line(read.source.name)): \(Shown.count(read.rules.count, "rule")), "
      + "\(Shown.count(read.source.text.count, "byte"))\n"
    for (number, part) in parts.enumerated() {
      text +=
        "  \(Shown.line(Self.name(number + 1, prefix))): \(Shown.count(part.rules.count, "rule")), of "
        + "which \(Shown.count(part.exceptionCount, "exception")), "
        + "\(Shown.count(part.text.count, "byte"))\n"
    }
    return text
      + (tried > 0 ? "compared on \(Shown.count(tried, "load")): they do the same\n" : "")
  }

  private func json(
    _ parts: [ListSplitter.Part],
    _ read: ReadList,
    _ prefix: String,
    _ tried: Int
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("rules", read.rules.count)
      json.field("bytes", read.source.text.count)
      json.field("parts") { json in
        json.array(of: parts.enumerated()) { json, part in
          json.object { json in
            json.field("file", Self.name(part.offset + 1, prefix))
            json.field("rules", part.element.rules.count)
            json.field("exceptions", part.element.exceptionCount)
            json.field("bytes", part.element.text.count)
            json.field("numbers") { json in
              json.array(of: part.element.rules) { $0.number($1) }
            }
          }
        }
      }
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
