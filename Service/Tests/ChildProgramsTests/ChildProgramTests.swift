import CLibrary
import ChildPrograms
import Foundation
import Testing

struct ChildProgramTests {
  /// Runs a shell's commands, and gives what they print to a file.
  private func printed(
    _ commands: String,
    environment: [String: String]? = nil,
    folder: String? = nil,
    others: [Int32] = []
  ) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let output = try FileHandle(forWritingTo: file)
    let program = try ChildProgram(
      "/bin/sh",
      ["-c", commands],
      environment: environment,
      folder: folder,
      output: output.fileDescriptor,
      errors: output.fileDescriptor,
      others: others
    )
    #expect(program.wait() == .exited(0))
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test("a program has what it was given, and nothing else that is open here")
  func descriptors() throws {
    let file = try FileHandle(forReadingFrom: URL(filePath: "/etc/hostname"))
    // Without close-on-exec, and above all that a program is given.
    let leaked = fcntl(file.fileDescriptor, F_DUPFD, 50)
    defer { close(leaked) }
    let open = try printed("ls /proc/$$/fd; readlink /proc/$$/fd/0")
    #expect(open.split(separator: "\n") == ["0", "1", "2", "/dev/null"])
    let more = try printed(
      "ls /proc/$$/fd; readlink /proc/$$/fd/3 /proc/$$/fd/4",
      others: [leaked, 1]
    )
    let lines = more.split(separator: "\n")
    #expect(lines.prefix(5) == ["0", "1", "2", "3", "4"])
    #expect(lines[5] == "/etc/hostname" && lines.count == 7)
  }

  @Test("a program gets its environment, its folder and no signals that are kept away")
  func surroundings() throws {
    let words = try printed(
      "echo $A-$HOME; pwd; exec grep SigBlk /proc/self/status",
      environment: ["A": "b c"],
      folder: "/usr"
    )
    #expect(words == "b c-\n/usr\nSigBlk:\t0000000000000000\n")
    #expect(
      try printed("echo $PATH").dropLast() == ProcessInfo.processInfo.environment["PATH"] ?? ""
    )
  }

  @Test("a program ignores nothing that is ignored here")
  func ignored() throws {
    let before = signal(SIGTTOU, SIG_IGN)
    defer { signal(SIGTTOU, before) }
    let words = try printed("exec grep SigIgn /proc/self/status")
    let bits = try #require(words.split(separator: "\t").last)
    let ignored = try #require(UInt64(bits.dropLast(), radix: 16))
    // Above 31 the C library has its own.
    #expect(ignored & 0x7FFF_FFFF == 0)
  }

  @Test("its end is told as often as it is asked, by a status or a signal")
  func ends() throws {
    let seven = try ChildProgram("/bin/sh", ["-c", "exit 7"])
    #expect(seven.wait() == .exited(7))
    #expect(seven.wait() == .exited(7) && !seven.isRunning)
    // Nobody else's process is killed.
    seven.send(SIGKILL)
    let sleeper = try ChildProgram("/bin/sleep", ["1000"])
    #expect(sleeper.isRunning)
    sleeper.send(SIGTERM)
    while sleeper.isRunning { usleep(1000) }
    #expect(sleeper.wait() == .signalled(SIGTERM))
  }

  @Test("threads that wait for one program all learn its end")
  func severalWait() throws {
    let program = try ChildProgram("/bin/sleep", ["1000"])
    let waiting = DispatchGroup()
    for _ in 0..<4 {
      Thread.detachNewThread(in: waiting) { #expect(program.wait() == .signalled(SIGKILL)) }
    }
    usleep(10_000)
    program.send(SIGKILL)
    waiting.wait()
  }

  @Test("what cannot be started is told")
  func failures() {
    #expect(throws: SystemError(number: ENOENT)) { try ChildProgram("/nowhere/at all", []) }
    #expect(throws: SystemError(number: EACCES)) { try ChildProgram("/etc", []) }
    #expect(throws: SystemError(number: ENOENT)) {
      try ChildProgram("/bin/true", [], folder: "/nowhere")
    }
    #expect(throws: SystemError(number: EBADF)) { try ChildProgram("/bin/true", [], output: 9999) }
  }
}

extension Thread {
  fileprivate static func detachNewThread(
    in group: DispatchGroup,
    _ body: @escaping @Sendable () -> Void
  ) {
    group.enter()
    detachNewThread {
      body()
      group.leave()
    }
  }
}
