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
  @Option(help: ArgumentHelp("How many threads to use, timed by the clock.", visibility: .private))
  var threads = 1

  func run() throws {
    try Self.report(inputs, inThisProcess: inThisProcess, threads: threads).write(inputs.format)
  }

  static func report(
    _ inputs: Inputs,
    inThisProcess: Bool = false,
    threads: Int = 1
  ) throws -> Report<CompileResult> {
    let job = "compile, milliseconds and megabytes"
    var results: [CompileResult] = []
    if inThisProcess {
      try inputs.forEachSubject {
        results.append(
          try CompileResult(measuring: $0, repeats: min(5, inputs.repeats), threads: threads)
        )
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
      var alone = try measure(file.path, subject.name, inputs, threads: 1)
      let together = try measure(file.path, subject.name, inputs, threads: parallelThreads)
      alone.parallel = together.milliseconds
      alone.parallelFirst = together.firstMilliseconds
      alone.parallelPeak = together.peak
      results.append(alone)
    }
    return Report(job: job, results: results)
  }

  /// The threads of the parallel figures, as far as there are processors.
  private static let parallelThreads = 2

  /// Measures a list in a process of its own.
  private static func measure(
    _ path: String,
    _ name: String,
    _ inputs: Inputs,
    threads: Int
  ) throws -> CompileResult {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      "compile", "--in-this-process", "--format", "json", "--repeats", "\(inputs.repeats)",
      "--threads", "\(threads)", "--list", path,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let results = try JSONDecoder().decode(Report<CompileResult>.self, from: output).results
    guard process.terminationStatus == 0, let result = results.first else {
      throw InputFault("compiling \(name) failed")
    }
    return result
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
  /// ``milliseconds`` by the clock, with two threads.
  var parallel: Double = 0
  /// ``firstMilliseconds`` by the clock, with two threads.
  var parallelFirst: Double = 0
  /// ``peak`` with two threads.
  var parallelPeak: Int = 0

  /// Measures in this process: by the thread's processor time with one thread, else by the clock.
  init(measuring subject: Subject, repeats: Int, threads: Int) throws {
    list = subject.name
    text = subject.text.count
    func compile() throws -> (file: [UInt8], report: RuleListReport) {
      do throws(RuleListError) {
        return try ContentRuleList.compile(subject.text, threads: threads)
      } catch {
        throw InputFault("\(subject.name): \(error.message)")
      }
    }
    func time(_ body: () throws -> Void) rethrows -> Double {
      if threads == 1 { return Double(try Clock.threadCPU(of: body)) / 1e6 }
      let start = Clock.wall
      try body()
      return Double(Clock.wall - start) / 1e6
    }
    guard ProcessMemory.resetPeak() else {
      throw InputFault("the kernel does not measure peak memory again; /proc/self/clear_refs")
    }
    before = ProcessMemory.resident
    var times: [Double] = []
    var sizes = (file: 0, rules: 0)
    times.append(
      try time {
        let (bytes, report) = try compile()
        sizes = (bytes.count, report.ruleCount)
      }
    )
    peak = ProcessMemory.peak
    firstMilliseconds = times[0]
    var readings: [Double] = []
    for _ in 1..<max(2, repeats) {
      times.append(try time { _ = try compile() })
      readings.append(
        time { _ = RuleListReader.read(subject.text, options: ContentRuleList.readingOptions()) }
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
      ("two threads ms", parallel.short), ("first ms", parallelFirst.short),
      ("reading ms", reading.short), ("peak MB", peak.megabytes),
      ("two threads MB", parallelPeak.megabytes), ("before MB", before.megabytes),
      ("file MB", file.megabytes),
    ]
  }
}
