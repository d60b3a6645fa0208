import BrowserDriving
import Foundation

/// Programs that are run to their end.
enum Tool {
  /// Runs a program, and returns what it writes.
  @discardableResult
  static func run(_ command: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw DrivingError("\(command.joined(separator: " ")) has failed")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
