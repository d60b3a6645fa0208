import Dispatch
import Foundation
import FoundationNetworking
import Glibc
import Synchronization

/// Does what extensions do, and prints a line for each that did not work.
func work() async {
  let home = variable("HOME")
  let group = variable("PROBE_GROUP")
  func check(_ name: String, _ body: () async throws -> Bool) async {
    do {
      if try await !body() { say("failed: \(name)") }
    } catch {
      say("failed: \(name): \(error)")
    }
  }
  await check("atomic writing") {
    for folder in [home, group] {
      let file = URL(filePath: folder + "/list.json")
      for text in ["[]", "[{}]"] { try Data(text.utf8).write(to: file, options: .atomic) }
      guard try String(contentsOf: file, encoding: .utf8) == "[{}]" else { return false }
    }
    return true
  }
  await check("moving into the group") {
    let (from, to) = (home + "/moving", group + "/moved")
    _ = FileManager.default.createFile(atPath: from, contents: Data("x".utf8))
    try FileManager.default.moveItem(atPath: from, toPath: to)
    return FileManager.default.fileExists(atPath: to)
  }
  await check("permissions and times") {
    let path = home + "/list.json"
    let date = Date(timeIntervalSince1970: 1_000_000)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return attributes[.posixPermissions] as? Int == 0o640
      && attributes[.modificationDate] as? Date == date
  }
  await check("temporary files") {
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: folder.appending(path: "file"))
    try FileManager.default.removeItem(at: folder)
    return true
  }
  await check("defaults") {
    UserDefaults.standard.set("value", forKey: "key")
    return UserDefaults.standard.synchronize()
  }
  await check("the bundle") {
    Bundle.main.bundleIdentifier == "org.example.probe"
      && Bundle.main.url(forResource: "list", withExtension: "json") != nil
  }
  await check("dispatch") {
    let count = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 1000) { _ in count.withLock { $0 += 1 } }
    return count.withLock { $0 } == 1000
  }
  await check("more blocks than processors, waiting") {
    // Dispatch looks at its threads about once a second while blocks wait.
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<32 {
        group.addTask {
          await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
              usleep(100_000)
              continuation.resume()
            }
          }
        }
      }
    }
    return true
  }
  await check("tasks") {
    await withTaskGroup(of: Int.self) { group in
      for number in 0..<100 { group.addTask { number } }
      return await group.reduce(0, +)
    } == 4950
  }
  await check("threads") {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: true) }.start()
    }
  }
  await check("timers") {
    try await Task.sleep(for: .milliseconds(1))
    return true
  }
  await check("time zones and formats") {
    let style = Date.FormatStyle(timeZone: TimeZone(identifier: "Europe/Vienna") ?? .gmt)
    return !Date(timeIntervalSince1970: 0).formatted(style).isEmpty
      && TimeZone(identifier: "Europe/Vienna") != nil
  }
  await check("coding") {
    let object: [String: Any] = ["a": [1, 2, true]]
    let data = try PropertyListSerialization.data(
      fromPropertyList: object,
      format: .xml,
      options: 0
    )
    return try !JSONSerialization.data(withJSONObject: object).isEmpty && !data.isEmpty
  }
  await check("the channel") { unsafe write(3, "channel", 7) == 7 }
  say("done")
}

/// Fetches an address by URLSession and prints what came.
func fetch(_ address: String) async {
  guard let url = URL(string: address) else { return say("failed: no address") }
  do {
    let (data, _) = try await URLSession.shared.data(from: url)
    say("fetched: \(String(decoding: data, as: UTF8.self))")
  } catch {
    say("failed: \((error as NSError).domain) \((error as NSError).code)")
  }
}

/// Waits for a connection on loopback and says its port, or the call that failed.
func listenAndAnswer() {
  let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  guard server >= 0 else { return say("failed: socket \(errno)") }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let bound = unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe bind(server, $0, size)
    }
  }
  if bound != 0 { say("failed: bind \(errno)") }
  if listen(server, 1) != 0 { say("failed: listen \(errno)") }
  say("done")
}

/// Uses up one thing.
func use(_ what: String) {
  switch what {
  case "memory":
    var blocks: [[UInt8]] = []
    while true { blocks.append([UInt8](repeating: UInt8(blocks.count & 0xFF), count: 1 << 20)) }
  case "processor":
    var number: UInt64 = 1
    while true { number = number &* 6_364_136_223_846_793_005 &+ 1 }
  case "file":
    let file = unsafe open(variable("HOME") + "/big", O_WRONLY | O_CREAT, 0o600)
    let block = [UInt8](repeating: 0, count: 1 << 20)
    while unsafe write(file, block, block.count) > 0 {}
  case "threads":
    while true {
      Thread { sleep(1000) }.start()
      usleep(1000)
    }
  case "refusals":
    // Each is another one.
    for number in 0..<10_000 { _ = systemCall(Number["socket"] ?? 0, 100 + number) }
    say("done")
  case "nothing":
    say("waiting")
    while true { sleep(1000) }
  case "users":
    _ = unsafe getpwnam("nobody")
    _ = unsafe getgrnam("nogroup")
    say("done")
  case "trap":
    preconditionFailure("as asked")
  default: exit(Int32(what) ?? 0)
  }
}

/// Prints what the process sees of itself, and makes a file.
func sayWhoIAm() {
  _ = FileManager.default.createFile(
    atPath: variable("HOME") + "/mine",
    contents: Data("x".utf8)
  )
  let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
  say("process \(getpid()) parent \(getppid()) user \(getuid()) group \(getgid())")
  say("threads \(entries.count)")
  // Code from the container: a copy of the program, mapped to be executed.
  let copy = variable("HOME") + "/code"
  try? FileManager.default.copyItem(atPath: Bundle.main.executablePath ?? "", toPath: copy)
  let file = unsafe open(copy, O_RDONLY)
  let mapped = unsafe mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0)
  say("code \(unsafe mapped == MAP_FAILED ? "refused" : "mapped")")
  say("waiting")
  while true { sleep(1000) }
}
