internal import CommandInput
internal import CommandOutput

/// Findings that somebody has looked at and accepted, in a file.
///
///     {"tickbird-baseline": 1, "findings": [
///       {"code": "unknown-key", "path": ".trigger.note", "rule": "90c2ad4f31c7be05", "count": 1}
///     ]}
enum Baseline {
  private static let version = 1
  private static let sizeLimit = 256 << 20

  /// Reads a file.
  ///
  /// - Throws: ``InputError`` that names the file.
  static func read(_ path: String) throws(InputError) -> [FindingKey: Int] {
    let bytes = try ByteInput(path: path).readAll(limit: sizeLimit)
    var tape = JSONTape()
    do throws(JSONTape.Fault) { try tape.parse(bytes.span) } catch {
      throw InputError("\(path) is no baseline: byte \(error.offset): expected \(error.expected)")
    }
    let text = bytes.span
    guard
      tape.integer(tape.member("tickbird-baseline", of: JSONTape.root, in: text), in: text)
        == version,
      let findings = tape.member("findings", of: JSONTape.root, in: text),
      tape.kind(findings) == .array
    else {
      throw InputError(
        "\(path) is no baseline of this version; write one with tickbird check --write-baseline"
      )
    }
    var counts: [FindingKey: Int] = [:]
    var children = tape.children(of: findings)
    while let finding = children.next() {
      guard let code = tape.string(tape.member("code", of: finding, in: text), in: text),
        let path = tape.string(tape.member("path", of: finding, in: text), in: text),
        let digits = tape.string(tape.member("rule", of: finding, in: text), in: text),
        let rule = UInt64(digits, radix: 16),
        let count = tape.integer(tape.member("count", of: finding, in: text), in: text),
        count > 0, count < 1 << 40
      else {
        throw InputError("\(path): byte \(tape.offset(of: finding)): this is no accepted finding")
      }
      counts[FindingKey(code: code, path: path, rule: rule), default: 0] += count
    }
    return counts
  }

  /// The text of a file, the same for the same findings in whatever order.
  static func text(of counts: [FindingKey: Int]) -> [UInt8] {
    let keys = counts.keys.sorted {
      ($0.code, $0.path, $0.rule) < ($1.code, $1.path, $1.rule)
    }
    var text = Array("{\"tickbird-baseline\": \(version), \"findings\": [".utf8)
    for (index, key) in keys.enumerated() {
      var json = JSONWriter()
      json.object { json in
        json.field("code", key.code)
        json.field("path", key.path)
        json.field("rule", key.ruleText)
        json.field("count", counts[key] ?? 1)
      }
      text += Array(index == 0 ? "\n  ".utf8 : ",\n  ".utf8) + json.bytes
    }
    return text + Array("\n]}\n".utf8)
  }
}
