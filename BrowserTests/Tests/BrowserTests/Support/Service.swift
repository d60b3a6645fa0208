import BrowserDriving
import Foundation

/// The product's own host and service, as the user of a browser has them, in a home of their own.
final class Service {
  /// The home folder, which is the browser's too.
  let home: URL
  private var process: Process?

  /// The program; `nil` when it is not built (`swift build --package-path Service`).
  ///
  /// `TICKBIRD_HOST_PROGRAM` names one; otherwise it is the one that was built last.
  static let program: URL? = {
    if let named = ProcessInfo.processInfo.environment["TICKBIRD_HOST_PROGRAM"] {
      return URL(filePath: named)
    }
    let built = ["debug", "release"].map {
      Session.packageRoot.appending(path: "Service/.build/\($0)/tickbird-host")
        .resolvingSymlinksInPath()
    }
    func date(_ file: URL) -> Date? {
      try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
    }
    return built.filter { date($0) != nil }.max { date($0) ?? .now < date($1) ?? .now }
  }()

  init(home: URL) { self.home = home }

  /// Lets the browsers of this home start the program.
  func install(in browser: BrowserKind) throws {
    try run("browser", "install", browser.rawValue)
  }

  /// Starts the service and waits until it answers.
  func start() throws {
    let process = try process(["run"])
    process.standardOutput = FileHandle.nullDevice
    let log = home.appending(path: "service.log")
    try Data().write(to: log)
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    self.process = process
    _ = try eventually("the service answers") {
      guard process.isRunning else {
        throw DrivingError("no service: \(try String(contentsOf: log, encoding: .utf8))")
      }
      return (try? run("extensions", "list")) == nil ? nil : true
    }
  }

  /// Ends the service, as a crash would.
  func stop() {
    guard let process, process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }

  /// Runs the program to its end, and returns what it writes.
  @discardableResult
  func run(_ arguments: String..., input: String = "") throws -> String {
    try run(arguments, input: input)
  }

  /// Runs the program to its end, and returns what it writes.
  @discardableResult
  func run(_ arguments: [String], input: String = "") throws -> String {
    let process = try process(arguments)
    let output = Pipe()
    let errors = Pipe()
    let standardInput = Pipe()
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = standardInput
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw DrivingError(
        "tickbird-host \(arguments.joined(separator: " ")): "
          + String(decoding: complaint, as: UTF8.self)
      )
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Installs a rule list, in place of an earlier one of its name, and turns it on.
  ///
  /// - Returns: Its identifier.
  @discardableResult
  func use(_ name: String, _ json: String) throws -> String {
    let list = home.appending(path: "\(name).json")
    try Data(json.utf8).write(to: list)
    try run("extensions", "install", "--on", list.path)
    return "list.\(name.lowercased())"
  }

  private func process(_ arguments: [String]) throws -> Process {
    guard let program = Self.program else { throw DrivingError("tickbird-host is not built") }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ["HOME": home.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    process.standardInput = FileHandle.nullDevice
    return process
  }
}
