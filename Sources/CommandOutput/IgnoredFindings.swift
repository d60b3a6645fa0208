/// An option or a configuration file that suppresses findings.
package struct Silencer: Hashable, Sendable {
  /// The setting, by the option's name.
  package enum Setting: String, Sendable {
    case ignore, severity, quiet, baseline
  }

  package var setting: Setting
  /// The path of the configuration file; `nil` for the command line.
  package var file: String?

  /// Creates a silencer.
  package init(_ setting: Setting, file: String? = nil) {
    self.setting = setting
    self.file = file
  }

  /// The option, or the file and the setting in it.
  package var text: String {
    file.map { "\($0) (\(setting.rawValue))" } ?? "--\(setting.rawValue)"
  }
}

/// The numbers of suppressed findings, by silencer.
///
/// Whoever checks a stranger's list has to see what a file beside it hides.
package struct IgnoredFindings: Sendable {
  private var counts: [Silencer: Int] = [:]
  /// More of them would make the line too long.
  private static let namedLimit = 3

  /// Creates an empty count.
  package init() {}

  /// Counts a finding.
  package mutating func add(_ silencer: Silencer) { counts[silencer, default: 0] += 1 }

  /// Adds the counts of another list.
  package mutating func add(_ other: Self) {
    for (silencer, count) in other.counts { counts[silencer, default: 0] += count }
  }

  /// The silencers with the numbers of findings that they hide, the command line first.
  package var inOrder: [(silencer: Silencer, count: Int)] {
    counts.map { (silencer: $0.key, count: $0.value) }.sorted {
      ($0.silencer.file ?? "", $0.silencer.setting.rawValue)
        < ($1.silencer.file ?? "", $1.silencer.setting.rawValue)
    }
  }

  /// A summary in a few words; `nil` if nothing was suppressed.
  package var text: String? {
    let parts = inOrder
    guard let first = parts.first else { return nil }
    let total = Shown.grouped(parts.reduce(0) { $0 + $1.count })
    if parts.count == 1 { return "\(total) ignored by \(first.silencer.text)" }
    var texts = parts.prefix(Self.namedLimit).map {
      "\(Shown.grouped($0.count)) by \($0.silencer.text)"
    }
    let others = parts.dropFirst(Self.namedLimit)
    if !others.isEmpty {
      let count = others.reduce(0) { $0 + $1.count }
      texts.append("\(Shown.grouped(count)) by \(Shown.count(others.count, "other setting"))")
    }
    return "\(total) ignored: \(texts.joined(separator: ", "))"
  }
}

extension JSONWriter {
  /// Writes an array of objects.
  mutating func ignored(_ findings: IgnoredFindings) {
    array(of: findings.inOrder) { json, part in
      json.object { json in
        json.field("setting", part.silencer.setting.rawValue)
        json.field("file") { json in
          guard let file = part.silencer.file else { return json.null() }
          json.string(file)
        }
        json.field("count", part.count)
      }
    }
  }
}
