internal import ArgumentParser
internal import ContentBlocking
internal import ContentRules
internal import Foundation
internal import Measuring
internal import RuleCompiler
internal import Workloads

/// Compiling from JSON text.
struct Compile: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times compiling from JSON text, validation included, and its peak memory."
  )

  @OptionGroup var inputs: Inputs
  @Flag(help: ArgumentHelp(visibility: .private)) var inThisProcess = false

  func run() throws { try Self.report(inputs, inThisProcess: inThisProcess).write(inputs.format) }

  static func report(
    _ inputs: Inputs,
    inThisProcess: Bool = false
  ) throws -> Report<CompileResult> {
    let job = "compile, milliseconds and megabytes"
    var results: [CompileResult] = []
    if inThisProcess {
      try inputs.forEachSubject {
        results.append(try CompileResult(measuring: $0, repeats: min(5, inputs.repeats)))
      }
      return Report(job: job, results: results)
    }
    // Each list in a process of its own, because memory that one leaves behind would hide what the
    // next one needs.
    try inputs.forEachSubject { subject in
      let file = FileManager.default.temporaryDirectory
        .appending(path: "tickbird-\(ProcessInfo.processInfo.processIdentifier)")
        .appending(path: subject.name + ".json")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
      try Data(subject.text).write(to: file)
      let process = Process()
      process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = [
        "compile", "--in-this-process", "--format", "json", "--repeats", "\(inputs.repeats)",
        "--list", file.path,
      ]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw InputFault("compiling \(subject.name) failed")
      }
      results += try JSONDecoder().decode(Report<CompileResult>.self, from: output).results
    }
    return Report(job: job, results: results)
  }
}

/// The cost of compiling one list.
struct CompileResult: Row {
  var list: String
  var rules: Int
  /// Bytes of the JSON text.
  var text: Int
  /// Milliseconds from the text to the compiled file: the median.
  var milliseconds: Double
  /// The same for the first compile of a process.
  var firstMilliseconds: Double
  /// The part of it that reads and checks the text.
  var reading: Double
  /// Bytes of the compiled file without its copy of the text.
  var file: Int
  /// The peak of the process's memory while compiling, all memory included.
  var peak: Int
  /// The part of it in use before, the text included.
  var before: Int

  init(measuring subject: Subject, repeats: Int) throws {
    list = subject.name
    text = subject.text.count
    func compile() throws -> (file: [UInt8], report: RuleListReport) {
      do throws(RuleListError) {
        return try ContentRuleList.compile(subject.text)
      } catch {
        throw InputFault("\(subject.name): \(error.message)")
      }
    }
    guard ProcessMemory.resetPeak() else {
      throw InputFault("the kernel does not measure peak memory again; /proc/self/clear_refs")
    }
    before = ProcessMemory.resident
    var times: [Double] = []
    var sizes = (file: 0, rules: 0)
    times.append(
      Double(
        try Clock.threadCPU {
          let (bytes, report) = try compile()
          sizes = (bytes.count, report.ruleCount)
        }
      ) / 1e6
    )
    peak = ProcessMemory.peak
    firstMilliseconds = times[0]
    var readings: [Double] = []
    for _ in 1..<max(2, repeats) {
      times.append(Double(try Clock.threadCPU { _ = try compile() }) / 1e6)
      readings.append(
        Double(
          Clock.threadCPU {
            _ = RuleListReader.read(subject.text, options: ContentRuleList.readingOptions())
          }
        ) / 1e6
      )
    }
    milliseconds = Distribution.median(times)
    reading = Distribution.median(readings)
    rules = sizes.rules
    file = sizes.file - subject.text.count
  }

  var cells: [(heading: String, text: String)] {
    [
      ("list", list), ("rules", String(rules)), ("text MB", text.megabytes),
      ("compile ms", milliseconds.short), ("first ms", firstMilliseconds.short),
      ("reading ms", reading.short), ("peak MB", peak.megabytes), ("before MB", before.megabytes),
      ("file MB", file.megabytes),
    ]
  }
}
