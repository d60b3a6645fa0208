internal import ContentRules
internal import ResourceLoads
package import RuleMatching

/// Joining the compilations of a list's pieces, which may have been made on several threads.
extension RuleListCompilation {
  /// Adds the rules of compilations that were begun to be joined to this one.
  ///
  /// Afterwards this compilation is as if all rules had been added to it, and so is the file that
  /// ``finish(source:ruleCount:)`` makes of it, if ``isExact(withAlso:)`` was true before and is true
  /// behind it.
  ///
  /// - Parameters:
  ///   - others: The compilations of the rules that follow, in the list's order.
  ///   - ruleCounts: How many elements of the list precede those of each.
  ///   - callBoth: Calls the two functions that join slots and all else.
  /// - Complexity: O(*n*) for *n* rules, distinct patterns and conditions of the other compilations.
  package mutating func append(
    _ others: consuming [RuleListCompilation],
    after ruleCounts: [Int],
    callBoth: CallBoth
  ) {
    let waiting = others.map {
      (entries: $0.entries, waiting: $0.waiting ?? WaitingActions())
    }
    let lentSlots = Lent(SlotJoining(slots: actions, others: waiting))
    actions = ActionSlots()
    let lentTables = Lent((self, others))
    // Nothing of it is left here, so that nothing is copied when it changes.
    self = RuleListCompilation(limits: limits)
    callBoth(
      {
        lentTables.use { tables in
          for (other, ruleCount) in zip(tables.1, ruleCounts) {
            tables.0.appendTables(of: other, after: ruleCount)
          }
        }
      },
      { lentSlots.use { $0.join(after: ruleCounts) } }
    )
    self = lentTables.takeBack().0
    actions = lentSlots.takeBack().slots
  }

  /// Adds all but the slots of another compilation's rules.
  private mutating func appendTables(of other: RuleListCompilation, after ruleCount: Int) {
    let programs = writer.append(other.writer)
    let filters = appendFilters(of: other, programs)
    let conditions = conditions.append(other.conditions, from: ruleCount)
    entries.reserveCapacity(entries.count + other.entries.count)
    for var entry in other.entries {
      if entry.filter != Entry.universal { entry.filter = filters[Int(entry.filter)] }
      if entry.condition != Entry.never, entry.condition != 0 {
        entry.condition = EntryClass.conditionReference(
          number: conditions[Int(entry.condition - 1) / 2],
          isNegated: (entry.condition - 1) & 1 != 0
        )
      }
      entry.rule += UInt32(truncatingIfNeeded: ruleCount)
      entries.append(entry)
    }
  }

  /// Whether joining others to this compilation gives the result of adding all rules to one.
  ///
  /// The limit on the states of a list's tables is one that pieces cannot know of each other: a list that
  /// comes near it must be compiled in one go.
  package func isExact(withAlso others: [RuleListCompilation]) -> Bool {
    writer.hasStatesLeft(withAlso: others.map { $0.writer })
  }

  /// How many states the tables of all automata so far have.
  package var stateCount: Int { writer.stateCount }

  /// Adds the filters of another compilation; returns for each of them the filter here.
  private mutating func appendFilters(
    of other: borrowing RuleListCompilation,
    _ programs: [UInt32]
  ) -> [Int32] {
    /// A pattern that has no filter here yet.
    struct New {
      var table: Int
      var name: Int
      var filter: Int32
    }
    var new: [New] = []
    new.reserveCapacity(other.urlIndex.filters.count)
    var known = [Int32](repeating: -1, count: other.urlIndex.filters.count)
    for table in patterns.indices {
      let names = other.patterns[table].names
      for (place, filter) in other.patterns[table].filters.enumerated() {
        let (name, isNew) = patterns[table].names.number(ofString: place, in: names)
        if isNew {
          if filter != Entry.universal { new.append(New(table: table, name: name, filter: filter)) }
          patterns[table].filters.append(Entry.universal)
        } else if filter != Entry.universal {
          known[Int(filter)] = patterns[table].filters[name]
        }
      }
    }
    let numbers = urlIndex.append(other.urlIndex, known: known, programs: programs)
    for pattern in new {
      patterns[pattern.table].filters[pattern.name] = numbers[Int(pattern.filter)]
    }
    return numbers
  }
}

/// Gives slots to the rules of several compilations, which need no more of their filters than whether they
/// match everything.
private struct SlotJoining {
  var slots: ActionSlots
  var others: [(entries: [RuleListCompilation.Entry], waiting: WaitingActions)]

  mutating func join(after ruleCounts: [Int]) {
    for (number, ruleCount) in ruleCounts.enumerated() {
      for (place, entry) in others[number].entries.enumerated() {
        let rule = others[number].waiting.rule(
          place,
          index: Int(entry.rule) + ruleCount,
          packedFlags: entry.flags
        )
        slots.add(rule, matchesEverything: entry.filter == RuleListCompilation.Entry.universal)
      }
    }
  }
}

/// The actions of a compilation's rules, until the rules before them are known.
///
/// Of plain rules, which most are, only what a slot depends on is kept.
struct WaitingActions {
  /// For each rule the place of its action in ``plainActions``, and 128 for a condition; or 255.
  private var kinds: [UInt8] = []
  /// The rules of 255, and for each its place among all.
  private var others: [(place: Int, rule: Rule)] = []
  /// How many of ``others`` have been returned.
  private var returned = 0

  private static let plainActions: [Action] = [
    .block, .blockCookies, .ignorePreviousRules, .ignoreFollowingRules, .makeHTTPS,
  ]
  /// Stands for any condition.
  private static let condition = Condition(subject: .domain, isNegated: false, entries: [])

  /// Adds the next rule.
  mutating func add(_ rule: Rule) {
    let action: UInt8? =
      switch rule.action {
      case .block: 0
      case .blockCookies: 1
      case .ignorePreviousRules: 2
      case .ignoreFollowingRules: 3
      case .makeHTTPS: 4
      case .cssDisplayNone, .notify, .redirect, .modifyHeaders: nil
      }
    if let action, rule.identifier == nil {
      kinds.append(rule.trigger.condition == nil ? action : action | 128)
    } else {
      var rule = rule
      // What it says is of no account, and takes memory.
      if rule.trigger.condition != nil { rule.trigger.condition = Self.condition }
      others.append((kinds.count, rule))
      kinds.append(255)
    }
  }

  /// Returns the rule at a place, as far as its slot depends on it; to be called with all places in their
  /// order.
  mutating func rule(_ place: Int, index: Int, packedFlags: UInt32) -> Rule {
    let kind = kinds[place]
    if kind == 255 {
      var rule = others[returned].rule
      returned += 1
      rule.index = index
      return rule
    }
    return Rule(
      index: index,
      trigger: Trigger(
        urlFilter: URLFilter(""),
        flags: TriggerFlags(packed: packedFlags),
        condition: kind & 128 == 0 ? nil : Self.condition
      ),
      action: Self.plainActions[Int(kind & 127)]
    )
  }
}
