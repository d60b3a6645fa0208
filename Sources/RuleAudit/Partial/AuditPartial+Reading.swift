internal import CommandInput

extension AuditPartial {
  static func read(_ text: [UInt8], name: String) throws(InputError) -> Audit {
    do throws(PartialReader.Fault) {
      return try PartialReader.audit(text).audit
    } catch {
      guard error.isPartial else {
        throw InputError(
          "\(name) is not a partial audit: \(error.message); make one with tickbird audit --partial"
        )
      }
      throw InputError(
        "\(name), byte \(error.offset) of its text: \(error.message); it is damaged, make it again"
      )
    }
  }
}

extension AuditPartial {
  /// Reads the findings about rows that another ``RowAudit`` of the same lists made.
  ///
  /// - Parameters:
  ///   - findings: The findings, with their seal.
  ///   - ruleCounts: The number of rules of each list.
  /// - Returns: The audit, without what follows from the lists, and whether its rows have numbers.
  /// - Throws: ``InputError`` if the findings are damaged.
  static func readFindings(
    _ findings: [UInt8],
    ruleCounts: [Int]
  ) throws(InputError) -> (audit: Audit, isNumbered: Bool) {
    guard !findings.isEmpty else { throw InputError("the findings are empty") }
    let text = Array(findings.dropLast(sealSize))
    guard findings == sealed(text) else {
      throw InputError("the findings are damaged, or are none; make them again")
    }
    do throws(PartialReader.Fault) {
      return try PartialReader.audit(text, findingsOf: ruleCounts)
    } catch {
      throw InputError("byte \(error.offset) of the findings: \(error.message)")
    }
  }
}

/// Reads the values of a partial audit, trusting none of them.
private struct PartialReader {
  struct Fault: Error {
    var message: String
    var offset: Int
    /// Whether the file is a partial audit at all.
    var isPartial = true
  }

  let text: [UInt8]
  let tape: JSONTape
  var logCount = 0
  /// The number of rules of each list, for findings, which lack the lists' tables.
  var ruleCounts: [Int]?
  /// The names of the sites, in the order of the file.
  var sites: [[UInt8]] = []

  static func audit(
    _ text: [UInt8],
    findingsOf ruleCounts: [Int]? = nil
  ) throws(Fault) -> (audit: Audit, isNumbered: Bool) {
    let mark = ruleCounts == nil ? #"{"tickbird_audit":"# : #"{"tickbird_findings":"#
    guard text.starts(with: mark.utf8) else {
      throw Fault(
        message: text.isEmpty ? "it is empty" : "it does not begin as one",
        offset: 0,
        isPartial: false
      )
    }
    var tape = JSONTape()
    do throws(JSONTape.Fault) {
      try tape.parse(text.span)
    } catch {
      throw Fault(message: "\(error.expected) is expected", offset: error.offset)
    }
    var reader = PartialReader(text: text, tape: tape, ruleCounts: ruleCounts)
    let audit = try reader.audit()
    guard ruleCounts != nil else { return (audit, false) }
    return (audit, try reader.number(reader.member("numbered", JSONTape.root)) != 0)
  }

  private mutating func audit() throws(Fault) -> Audit {
    let root = JSONTape.root
    let version =
      try number(
        ruleCounts == nil ? member("tickbird_audit", root) : member("tickbird_findings", root)
      )
    guard version == AuditPartial.version else {
      throw Fault(
        message: "its format is \(version), and this tickbird reads \(AuditPartial.version)",
        offset: 0,
        isPartial: false
      )
    }
    let logs = try elements(member("logs", root))
    logCount = logs.count
    var audit = Audit(lists: [])
    for log in logs {
      let fields = try elements(log, count: 5)
      var read = AuditedLog(name: try string(fields[0]))
      read.digest = try string(fields[1])
      read.size = try number(fields[2])
      read.requests = try number(fields[3])
      read.badLines = try number(fields[4])
      audit.logs.append(read)
    }
    audit.outcomes = try outcomes(member("outcomes", root))
    for site in try elements(member("sites", root)) {
      let fields = try elements(site, count: 3)
      var read = AuditedSite()
      read.outcomes = try outcomes(fields[1])
      read.record = try record(fields[2])
      let name = try bytes(fields[0])
      guard audit.sites.updateValue(read, forKey: name) == nil else {
        throw fault("the site is there twice", site)
      }
      sites.append(name)
    }
    for list in try elements(member("lists", root)) {
      audit.lists.append(try self.list(list, number: audit.lists.count))
    }
    let badLines = try elements(member("bad_lines", root))
    guard badLines.count <= Audit.badLineLimit else {
      throw try fault(
        "there are more than \(Audit.badLineLimit) bad lines",
        member("bad_lines", root)
      )
    }
    for line in badLines {
      let fields = try elements(line, count: 3)
      audit.badLines.append(
        Audit.BadLine(
          log: try log(fields[0]),
          line: try number(fields[1]),
          message: try string(fields[2])
        )
      )
    }
    return audit
  }

  private func list(_ object: Int, number place: Int) throws(Fault) -> AuditedList {
    let actions = try actions(member("actions", object))
    var ruleCount = actions.count
    if let ruleCounts {
      guard place < ruleCounts.count else { throw fault("there are too many lists", object) }
      guard actions.isEmpty else { throw fault("findings have no table of rules", object) }
      ruleCount = ruleCounts[place]
    }
    let places = try places(member("places", object), count: actions.count)
    var list = AuditedList(
      name: try string(member("name", object)),
      digest: try string(member("digest", object)),
      rules: RuleTable(actions: actions, places: places)
    )
    list.outcomes = try outcomes(member("outcomes", object))
    list.record = try record(member("record", object))
    list.attachedSheets = try number(member("sheets", object))
    for rule in try elements(member("rules", object)) {
      let fields = try elements(rule, count: 7)
      let number = try number(fields[0])
      guard number < ruleCount else { throw fault("there is no such rule", fields[0]) }
      var read = AuditedList.RuleRecord(
        record: try record(fields[3]),
        filter: try string(fields[1]),
        selector: try string(fields[2]),
        conditions: try string(fields[4])
      )
      read.effects = try effects(fields[5])
      read.sites = try appliedBySite(fields[6])
      guard list.matches.updateValue(read, forKey: number) == nil else {
        throw fault("the rule is there twice", fields[0])
      }
    }
    return list
  }

  private func actions(_ value: Int) throws(Fault) -> [RuleTable.Action] {
    var actions: [RuleTable.Action] = []
    for letter in try bytes(value) {
      guard let action = RuleTable.Action(rawValue: letter) else {
        throw fault("a rule's action is unknown", value)
      }
      actions.append(action)
    }
    return actions
  }

  private func places(_ value: Int, count: Int) throws(Fault) -> [RuleTable.Place] {
    let numbers = try elements(value, count: 2 * count)
    var places: [RuleTable.Place] = []
    var last = RuleTable.Place(line: 1, column: 0)
    for index in 0..<count {
      let line = try last.line + signed(numbers[2 * index])
      let column = try signed(numbers[2 * index + 1])
      last = RuleTable.Place(
        line: line,
        column: line == last.line ? last.column + column : column
      )
      guard (1...AuditPartial.numberLimit).contains(last.line),
        (0...AuditPartial.numberLimit).contains(last.column)
      else { throw fault("a rule's place is impossible", numbers[2 * index]) }
      places.append(last)
    }
    return places
  }

  private func effects(_ value: Int) throws(Fault) -> RuleEffects {
    let fields = try elements(value, count: 5)
    var effects = RuleEffects()
    effects.onlyBlocker = try number(fields[0])
    effects.rescued = try number(fields[1])
    effects.firstParty = try blocks(fields[2...])
    return effects
  }

  private func blocks(_ fields: ArraySlice<Int>) throws(Fault) -> FirstPartyBlocks {
    var blocks = FirstPartyBlocks()
    blocks.documents = try number(fields[fields.startIndex])
    blocks.scripts = try number(fields[fields.startIndex + 1])
    blocks.styleSheets = try number(fields[fields.startIndex + 2])
    return blocks
  }

  private func appliedBySite(_ value: Int) throws(Fault) -> [[UInt8]: Int] {
    let numbers = try elements(value)
    guard numbers.count.isMultiple(of: 2) else { throw fault("a count is missing", value) }
    var applied: [[UInt8]: Int] = [:]
    for index in stride(from: 0, to: numbers.count, by: 2) {
      let site = try number(numbers[index])
      guard site < sites.count else { throw fault("there is no such site", numbers[index]) }
      let count = try number(numbers[index + 1])
      guard applied.updateValue(count, forKey: sites[site]) == nil else {
        throw fault("the site is there twice", numbers[index])
      }
    }
    return applied
  }

  private func outcomes(_ value: Int) throws(Fault) -> Outcomes {
    let fields = try elements(value, count: 10)
    var outcomes = Outcomes()
    outcomes.requests = try number(fields[0])
    outcomes.unchecked = try number(fields[1])
    outcomes.blocked = try number(fields[2])
    outcomes.withoutCookies = try number(fields[3])
    outcomes.upgraded = try number(fields[4])
    outcomes.hiding = try number(fields[5])
    outcomes.unaffected = try number(fields[6])
    outcomes.firstParty = try blocks(fields[7...])
    return outcomes
  }

  private func record(_ value: Int) throws(Fault) -> Record {
    let fields = try elements(value, count: 6)
    var record = Record()
    record.tally.matched = try number(fields[0])
    record.tally.cutByPrevious = try number(fields[1])
    record.tally.cutByFollowing = try number(fields[2])
    record.tally.withoutEffect = try number(fields[3])
    guard record.tally.applied >= 0 else { throw fault("the counts do not add up", value) }
    record.first = try example(fields[4])
    record.last = try example(fields[5])
    return record
  }

  private func example(_ value: Int) throws(Fault) -> Example? {
    if tape.kind(value) == .null { return nil }
    let fields = try elements(value, count: 3)
    return Example(log: try log(fields[0]), line: try number(fields[1]), url: try bytes(fields[2]))
  }

  private func log(_ value: Int) throws(Fault) -> Int {
    let log = try number(value)
    guard log < logCount else { throw fault("there is no such log", value) }
    return log
  }

  // MARK: Values

  private func member(_ key: StaticString, _ object: Int) throws(Fault) -> Int {
    guard let value = tape.member(key, of: object, in: text.span) else {
      throw fault("\"\(key)\" is missing", object)
    }
    return value
  }

  private func elements(_ value: Int, count: Int? = nil) throws(Fault) -> [Int] {
    guard tape.kind(value) == .array else { throw fault("an array is expected", value) }
    let elements = Array(tape.children(of: value))
    if let count, elements.count != count {
      throw fault("an array of \(count) is expected, not of \(elements.count)", value)
    }
    return elements
  }

  private func signed(_ value: Int) throws(Fault) -> Int {
    guard let number = tape.integer(value, in: text.span),
      number.magnitude <= UInt(AuditPartial.numberLimit)
    else { throw fault("a whole number is expected", value) }
    return number
  }

  private func number(_ value: Int) throws(Fault) -> Int {
    let number = try signed(value)
    guard number >= 0 else { throw fault("a number is negative", value) }
    return number
  }

  private func bytes(_ value: Int) throws(Fault) -> [UInt8] {
    guard let bytes = tape.bytes(value, in: text.span) else {
      throw fault("a string is expected", value)
    }
    return bytes
  }

  private func string(_ value: Int) throws(Fault) -> String {
    String(decoding: try bytes(value), as: UTF8.self)
  }

  private func fault(_ message: String, _ value: Int) -> Fault {
    Fault(message: message, offset: tape.offset(of: value))
  }
}
