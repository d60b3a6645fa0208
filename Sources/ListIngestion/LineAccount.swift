internal import CommandOutput
internal import FilterConversion
internal import FilterLists

/// What became of the lines of one filter list.
struct LineAccount {
  let collection: FilterCollection
  let conversion: FilterConversion
  /// The lines of each outcome.
  let counts: ListSummary.LineCounts
  /// The most frequent reasons.
  let reasons: [ListSummary.Reason]

  /// How many reasons are kept.
  private static let reasonLimit = 40

  init(collection: FilterCollection, conversion: FilterConversion) {
    self.collection = collection
    self.conversion = conversion
    counts = ListSummary.LineCounts(
      converted: conversion.count(.converted),
      approximated: conversion.count(.approximated),
      impossible: conversion.count(.impossible),
      comments: conversion.count(.comment)
    )
    struct Key: Hashable {
      var isImpossible: Bool
      var code: ConversionReason.Code
    }
    var found: [Key: ListSummary.Reason] = [:]
    for (line, outcome) in conversion.outcomes.enumerated()
    where outcome == .impossible || outcome == .approximated {
      for reason in conversion.reasons[line] ?? [] {
        let key = Key(isImpossible: outcome == .impossible, code: reason.code)
        found[
          key,
          default: ListSummary.Reason(
            isImpossible: key.isImpossible,
            code: reason.code.rawValue,
            sentence: reason.sentence,
            lines: 0,
            firstLine: Int(collection.lines[line].number)
          )
        ].lines += 1
      }
    }
    let sorted = found.values.sorted {
      ($1.isImpossible ? 1 : 0, $1.lines, $0.code) < ($0.isImpossible ? 1 : 0, $0.lines, $1.code)
    }
    reasons = Array(sorted.prefix(Self.reasonLimit))
  }

  /// Returns the account of every line, as Documentation/Convert.md describes maps.
  func map() -> [UInt8] {
    var json = JSONWriter()
    json.bytes.reserveCapacity(96 * collection.lines.count)
    json.object { json in
      json.field("version", 1)
      json.field("sources") { json in
        json.array(of: collection.sources) { json, source in json.string(source.name) }
      }
      json.field("rules", conversion.ruleCount)
      json.field("lines") { json in
        json.array { json in
          for line in collection.lines.indices {
            if line % 16 == 0 { json.bytes.append(0x0A) }
            write(line, to: &json)
          }
        }
      }
    }
    json.endLine()
    return json.bytes
  }

  private func write(_ line: Int, to json: inout JSONWriter) {
    let place = collection.lines[line]
    let reasons = conversion.reasons[line] ?? []
    json.object { json in
      json.field("file", collection.sources[Int(place.source)].name)
      json.field("line", Int(place.number))
      json.field("outcome", conversion.outcomes[line].word)
      json.field("rules") { json in
        json.array(of: conversion.rules(ofLine: line)) { json, rule in json.number(Int(rule)) }
      }
      json.field("reason") { json in
        if let reason = reasons.first { Self.write(reason, to: &json) } else { json.null() }
      }
      if reasons.count > 1 {
        json.field("furtherReasons") { json in
          json.array(of: reasons.dropFirst()) { json, reason in Self.write(reason, to: &json) }
        }
      }
    }
  }

  private static func write(_ reason: ConversionReason, to json: inout JSONWriter) {
    json.object { json in
      json.field("code", reason.code.rawValue)
      json.field("text", reason.sentence)
    }
  }
}
