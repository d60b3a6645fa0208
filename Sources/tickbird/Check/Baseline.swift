internal import CommandInput
internal import CommandOutput

/// A file of accepted findings, by list.
///
///     {"tickbird-baseline": 2, "findings": [
///       {"list": "lists/a.json", "code": "unknown-key", "path": ".trigger.note",
///        "rule": "90c2ad4f31c7be05", "count": 1}
///     ]}
///
/// Each finding is on a line of its own. Accepting it in one list does not accept it in another;
/// ``ListNames`` defines the names of lists.
struct Baseline {
  /// The accepted findings of each list, with their numbers.
  var lists: [String: [FindingKey: Int]] = [:]

  private static let version = 2
  private static let sizeLimit = 256 << 20
  private static let marker = "tickbird-baseline"

  /// Reads a file.
  ///
  /// - Throws: ``InputError`` that names the file.
  init(path: String) throws(InputError) {
    let bytes = try ByteInput(path: path).readAll(limit: Self.sizeLimit)
    var tape = JSONTape()
    do throws(JSONTape.Fault) { try tape.parse(bytes.span) } catch {
      throw InputError("\(path) is no baseline: byte \(error.offset): expected \(error.expected)")
    }
    let text = bytes.span
    let version = tape.integer(
      tape.member("tickbird-baseline", of: JSONTape.root, in: text),
      in: text
    )
    guard version != 1 else {
      throw InputError(
        "\(path) is a baseline of an older form, which does not say in which list a finding is "
          + "accepted; write it anew with --write-baseline \(path)"
      )
    }
    guard version == Self.version,
      let findings = tape.member("findings", of: JSONTape.root, in: text),
      tape.kind(findings) == .array
    else {
      throw InputError(
        "\(path) is no baseline of this version; write one with tickbird check --write-baseline"
      )
    }
    var children = tape.children(of: findings)
    while let finding = children.next() {
      guard let list = tape.string(tape.member("list", of: finding, in: text), in: text),
        let code = tape.string(tape.member("code", of: finding, in: text), in: text),
        let path = tape.string(tape.member("path", of: finding, in: text), in: text),
        let digits = tape.string(tape.member("rule", of: finding, in: text), in: text),
        let rule = UInt64(digits, radix: 16),
        let count = tape.integer(tape.member("count", of: finding, in: text), in: text),
        count > 0, count < 1 << 40
      else {
        throw InputError("\(path): byte \(tape.offset(of: finding)): this is no accepted finding")
      }
      let key = FindingKey(code: code, path: path, rule: rule)
      let sum = lists[list, default: [:]][key, default: 0].addingReportingOverflow(count)
      lists[list, default: [:]][key] = sum.overflow ? .max : sum.partialValue
    }
  }

  /// Creates a baseline that accepts nothing.
  init() {}

  /// The number of accepted findings in all lists.
  var count: Int { lists.values.reduce(0) { $1.values.reduce($0, +) } }

  /// The text of the file, which does not depend on the order of findings.
  var text: [UInt8] {
    var text = Array("{\"\(Self.marker)\": \(Self.version), \"findings\": [".utf8)
    var isFirst = true
    for (list, counts) in lists.sorted(by: { $0.key < $1.key }) {
      let keys = counts.keys.sorted { ($0.code, $0.path, $0.rule) < ($1.code, $1.path, $1.rule) }
      for key in keys {
        var json = JSONWriter()
        json.object { json in
          json.field("list", list)
          json.field("code", key.code)
          json.field("path", key.path)
          json.field("rule", key.ruleText)
          json.field("count", counts[key] ?? 1)
        }
        text += Array(isFirst ? "\n  ".utf8 : ",\n  ".utf8) + json.bytes
        isFirst = false
      }
    }
    return text + Array("\n]}\n".utf8)
  }

  /// Whether a file with this beginning is a baseline, valid or not, of any version.
  static func isBaseline(startingWith bytes: [UInt8]) -> Bool {
    bytes.lazy.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      .starts(with: "{\"\(marker)\":".utf8)
  }
}
