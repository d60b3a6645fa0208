internal import Foundation
internal import Synchronization

/// A native host that serves the compiled lists of a folder, named by its first argument.
///
/// `lists.json` there is `[{identifier, name, file, digest, size}]`; when it changes, the extension
/// is told. A file `stop` ends it. Every question is written to `questions.log`.
@main
enum TestHost {
  /// Not the real host's: the extension takes parts of any size.
  private static let partSize = 600_000
  private static let output = Mutex(FileHandle.standardOutput)

  static func main() {
    let folder = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? ".")
    let place = folder.appendingPathComponent("lists.json")
    Thread.detachNewThread {
      var known = try? Data(contentsOf: place)
      while true {
        if FileManager.default.fileExists(atPath: folder.appendingPathComponent("stop").path) {
          exit(0)
        }
        Thread.sleep(forTimeInterval: 0.05)
        let now = try? Data(contentsOf: place)
        guard now != known else { continue }
        known = now
        send(["type": "changed"])
      }
    }
    while let question = receive() {
      log(question, in: folder)
      send(answer(question, lists: place))
    }
  }

  private static func answer(_ question: [String: Any], lists place: URL) -> [String: Any] {
    let lists =
      (try? Data(contentsOf: place)).flatMap {
        try? JSONSerialization.jsonObject(with: $0) as? [[String: Any]]
      } ?? []
    var answer: [String: Any] = [
      "question": question["question"] ?? 0, "type": question["type"] ?? "",
    ]
    if question["request"] as? String == "page" {
      answer.merge(["type": "page", "notes": [Any](), "choices": [Any]()]) { $1 }
      return answer
    }
    if question["request"] as? String == "hello" {
      answer.merge(["type": "hello", "version": 2]) { $1 }
      return answer
    }
    switch question["type"] as? String {
    case "lists":
      answer["lists"] = lists.map { list in
        list.filter { $0.key != "file" }
      }
    case "declarative":
      let translation = Translations.translation(of: lists)
      answer["digest"] = translation.digest
      answer["size"] = translation.text.count
    case "part":
      guard let bytes = bytes(question["digest"] as? String, lists),
        let offset = question["offset"] as? Int, offset >= 0, offset < bytes.count
      else {
        answer["type"] = "error"
        answer["code"] = "unknown-part"
        answer["message"] = "there are no such bytes any more"
        return answer
      }
      answer["offset"] = offset
      answer["bytes"] = bytes[offset..<min(offset + partSize, bytes.count)].base64EncodedString()
    default:
      answer["type"] = "error"
      answer["code"] = "unknown-question"
      answer["message"] = "nobody answers this"
    }
    return answer
  }

  /// The bytes of a list, or of the translation of all, by their digest.
  private static func bytes(_ digest: String?, _ lists: [[String: Any]]) -> Data? {
    if let file = lists.first(where: { $0["digest"] as? String == digest })?["file"] as? String {
      return try? Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped)
    }
    let translation = Translations.translation(of: lists)
    return translation.digest == digest ? translation.text : nil
  }

  private static func log(_ question: [String: Any], in folder: URL) {
    let place = folder.appendingPathComponent("questions.log")
    let json = try? JSONSerialization.data(withJSONObject: question, options: .sortedKeys)
    let line = (json ?? Data("?".utf8)) + Data("\n".utf8)
    guard let file = try? FileHandle(forWritingTo: place) else {
      try? line.write(to: place)
      return
    }
    _ = try? file.seekToEnd()
    try? file.write(contentsOf: line)
  }

  private static func receive() -> [String: Any]? {
    guard let head = try? FileHandle.standardInput.read(upToCount: 4), head.count == 4 else {
      return nil
    }
    let count = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard count <= 1 << 20, let body = try? FileHandle.standardInput.read(upToCount: count) else {
      return nil
    }
    return (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
  }

  private static func send(_ message: [String: Any]) {
    guard let body = try? JSONSerialization.data(withJSONObject: message) else { return }
    let head = Data((0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) })
    output.withLock { try? $0.write(contentsOf: head + body) }
  }
}
