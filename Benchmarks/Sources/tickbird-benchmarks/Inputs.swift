internal import ArgumentParser
internal import Workloads

/// The format of results.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// The options that most jobs share.
struct Inputs: ParsableArguments {
  @Option(
    name: .long,
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Lists as JSON, plain or gzip.",
      discussion: """
        Without them, every list of the shared data; without that, generated lists.
        """,
      valueName: "file"
    )
  )
  var list: [String] = []

  @Option(help: ArgumentHelp("A log of requests, plain or gzip.", valueName: "tsv"))
  var requests: String?

  @Option(
    help: ArgumentHelp(
      "The decisions that one list must give: letters b, c and h, or -, a line each.",
      valueName: "file"
    )
  )
  var expected: String?

  @Option(help: "How to show the results.")
  var format = OutputFormat.text

  @Option(help: ArgumentHelp("How often to repeat each measurement.", valueName: "n"))
  var repeats = 15

  func validate() throws {
    if expected != nil, list.count != 1 {
      throw ValidationError("--expected belongs to one --list; give exactly one")
    }
    if repeats < 1 { throw ValidationError("--repeats is at least 1") }
  }

  /// Calls `body` for each list with its requests; each list is read only then.
  func forEachSubject(_ body: (Subject) throws -> Void) throws {
    let paths = list.isEmpty ? SharedData.lists : list
    guard !paths.isEmpty else {
      for generated in Self.generatedLists {
        try body(
          Subject(
            name: generated.name,
            text: generated.json(),
            requests: try requests.map { try RequestLog.read(path: $0) }
              ?? GeneratedRequests.make(20_000, for: generated),
            log: requests.map { Subject.name(ofPath: $0) } ?? "generated"
          )
        )
      }
      return
    }
    let sharedLog = requests == nil ? SharedData.requests : nil
    let log = try (requests ?? sharedLog).map { try RequestLog.read(path: $0) }
    for path in paths {
      let name = Subject.name(ofPath: path)
      let answers = expected ?? (sharedLog == nil ? nil : SharedData.expected(list: name))
      try body(
        Subject(
          name: name,
          text: try InputFile.read(path: path),
          requests: log ?? GeneratedRequests.make(20_000, for: Self.generatedLists[0]),
          log: (requests ?? sharedLog).map { Subject.name(ofPath: $0) } ?? "generated",
          expected: try answers.map { try Subject.answers(path: $0) }
        )
      )
    }
  }

  /// The substitutes for real lists.
  static let generatedLists = [
    GeneratedList(dialect: .short, ruleCount: 115_000),
    GeneratedList(dialect: .conditional, ruleCount: 53_000),
    GeneratedList(dialect: .short, ruleCount: 500),
  ]
}

/// A list with its requests.
struct Subject {
  var name: String
  var text: [UInt8]
  var requests: [Request]
  /// Where the requests come from: a log's name, or "generated".
  var log: String
  /// The expected decisions, one text per request; `nil` if unknown.
  var expected: [String]?

  /// Returns a file's name without its folder and extensions.
  static func name(ofPath path: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    for ending in [".json.gz", ".json", ".tsv.gz", ".tsv"] where file.hasSuffix(ending) {
      return String(file.dropLast(ending.count))
    }
    return String(file)
  }

  /// Reads recorded decisions.
  static func answers(path: String) throws -> [String] {
    String(decoding: try InputFile.read(path: path), as: UTF8.self)
      .split(separator: "\n").map { String($0) }
  }
}
