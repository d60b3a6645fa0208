public import ResourceLoads

/// Collects the entries whose flags and conditions hold.
///
/// Contains no counted references, so that passing it costs no reference counting.
private struct EntrySink: PostingSink {
  /// The list, which outlives this.
  unowned(unsafe) let list: CompiledRuleList
  let load: UInt32
  let conditions: ConditionView
  let crowds: PageCrowdView
  var entries: [MatchedEntry]

  private var classes: EntryClasses {
    @inline(__always) get { unsafe list.classes }
  }

  @inline(__always)
  func wants(_ number: UInt32) -> Bool {
    let trigger = classes.trigger(number)
    return TriggerFlags.packed(trigger.flags, admits: load) && conditions.holds(trigger.condition)
  }

  @inline(__always)
  mutating func take(_ posting: Posting) {
    let entryClass = classes[posting.number]
    entries.append(
      MatchedEntry(
        slot: entryClass.slot,
        rule: posting.rule,
        kind: entryClass.kind,
        isPlainUniversal: false
      )
    )
  }

  @inline(never)
  mutating func takeCrowd(at postings: Int, if matches: () -> Bool) -> Int? {
    let table = unsafe list.crowded
    guard let number = table.filter(at: postings) else { return nil }
    let filter = table.filters[number]
    var isTried = false
    for posting in table.usual[filter.usual] where wants(posting.number) {
      if !isTried, !matches() { return filter.postings.upperBound }
      isTried = true
      take(posting)
    }
    crowds.each(ofFilter: number) { entry in
      guard TriggerFlags.packed(entry.flags, admits: load) else { return true }
      if !isTried, !matches() { return false }
      isTried = true
      entries.append(entry.entry)
      return true
    }
    return filter.postings.upperBound
  }
}

extension [MatchedEntry] {
  /// Takes out what is there twice from a place on: several filters of a pattern may match.
  @inline(never)
  fileprivate mutating func removeRepeated(from start: Int) {
    // Few rules match, but of a hostile list a hundred thousand may.
    let isSorted = count &- start > 16
    if isSorted { sort(from: start) }
    var end = start
    for place in start..<count {
      let entry = self[place]
      // By index: a slice would hold on to the array, and writing would copy it.
      var known = isSorted ? Swift.max(start, end &- 1) : start
      while known < end, self[known] != entry { known &+= 1 }
      if known < end { continue }
      if end < place { self[end] = entry }
      end &+= 1
    }
    if end < count { removeLast(count &- end) }
  }

  /// Sorts by slot and rule from a place on, as a heap: the standard library's sort allocates.
  private mutating func sort(from start: Int) {
    var end = count &- start
    for root in (0..<end / 2).reversed() { sink(root, start, end) }
    while end > 1 {
      end &-= 1
      swapAt(start, start &+ end)
      sink(0, start, end)
    }
  }

  /// Moves an entry of a heap down to where it belongs.
  private mutating func sink(_ root: Int, _ start: Int, _ end: Int) {
    var root = root
    while true {
      var child = 2 &* root &+ 1
      guard child < end else { return }
      if child &+ 1 < end, isBefore(start &+ child, start &+ child &+ 1) { child &+= 1 }
      guard isBefore(start &+ root, start &+ child) else { return }
      swapAt(start &+ root, start &+ child)
      root = child
    }
  }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    (self[one].slot, self[one].rule) < (self[other].slot, self[other].rule)
  }
}

extension CompiledRuleList {
  /// Decides the load whose URL the scratch holds.
  ///
  /// - Parameters:
  ///   - properties: Everything about the load but its URLs.
  ///   - page: This list's state for the load's page and frame.
  ///   - scratch: Prepared for this list, with the load's URL assigned; afterwards its
  ///     ``MatchScratch/matchedEntries`` are the rules that matched.
  /// - Returns: What the list does to the load.
  /// - Complexity: O(*n*) for *n* bytes of URL, plus what hits; allocates nothing.
  public func decide(
    _ properties: LoadProperties,
    _ page: PageState,
    _ scratch: inout MatchScratch
  ) -> ListDecision {
    let load = properties.packed
    var entries: [MatchedEntry] = []
    swap(&entries, &scratch.entries)
    if !entries.isEmpty { entries.removeAll(keepingCapacity: true) }
    if !scratch.hidingFilters.isEmpty { scratch.hidingFilters.removeAll(keepingCapacity: true) }
    for universal in universalEntries.usual
    where TriggerFlags.packed(universal.flags, admits: load) {
      entries.append(universal.entry)
    }
    for universal in page.universal
    where TriggerFlags.packed(universal.flags, admits: load) {
      entries.append(universal.entry)
    }
    scratch.memory.hosts.use(identity)
    let scanner = scanner(urlIndex)
    let first = entries.count
    page.withConditions { conditions in
      page.withCrowds { crowds in
        var sink = EntrySink(
          list: self,
          load: load,
          conditions: conditions,
          crowds: crowds,
          entries: []
        )
        swap(&entries, &sink.entries)
        scanner.scan(scratch.text, &scratch.memory, &sink)
        swap(&entries, &sink.entries)
      }
    }
    if entries.count > first &+ 1 { entries.removeRepeated(from: first) }
    for filter in page.alwaysRun {
      let isWanted =
        filter.hides
        || filter.entries.contains {
          TriggerFlags.packed(page.alwaysEntries[$0].flags, admits: load)
        }
      guard isWanted,
        scanner.alwaysRunMatches(filter.record, scratch.text, &scratch.memory)
      else { continue }
      for entry in page.alwaysEntries[filter.entries]
      where TriggerFlags.packed(entry.flags, admits: load) {
        entries.append(entry.entry)
      }
      if filter.hides { scratch.hidingFilters.append(filter.record) }
    }
    swap(&entries, &scratch.entries)
    return scratch.entries.isEmpty ? ListDecision() : decision(of: scratch.entries)
  }

  private func decision(of entries: [MatchedEntry]) -> ListDecision {
    var decision = ListDecision()
    for entry in entries where entry.kind == .ignoreFollowingRules {
      decision.upperSlot = min(decision.upperSlot, Int64(entry.slot))
    }
    for entry in entries
    where entry.kind == .ignorePreviousRules && Int64(entry.slot) < decision.upperSlot {
      decision.lowerSlot = max(decision.lowerSlot, Int64(entry.slot))
    }
    for entry in entries where decision.keeps(entry.slot) {
      decision.kinds |= 1 &<< UInt16(entry.kind.rawValue)
    }
    return decision
  }

  /// Returns the actions of the last decision in slot order, with the rules of each.
  ///
  /// A slot reached both by a plain universal rule and by another pattern is listed twice, as in
  /// WebKit; see the rule language, section 7.2.
  ///
  /// - Parameters:
  ///   - decision: The last decision.
  ///   - page: This list's state for the load's page and frame.
  ///   - scratch: The scratch, as the decision left it.
  ///   - includesHiding: Whether to include actions that hide something.
  /// - Returns: The actions.
  /// - Complexity: O(*m* log *m*) for *m* matched rules; allocates the result.
  public func appliedActions(
    _ decision: ListDecision,
    _ page: PageState,
    _ scratch: borrowing MatchScratch,
    includesHiding: Bool = true
  ) -> [AppliedAction] {
    var kept = entries(page, scratch, includesHiding: includesHiding).filter {
      decision.keeps($0.slot)
    }
    kept.sort { ($0.slot, $0.rule) < ($1.slot, $1.rule) }
    var actions: [AppliedAction] = []
    var index = 0
    while index < kept.count {
      let slot = kept[index].slot
      var isReachedPlainly = false
      var isReachedOtherwise = false
      var rules: [UInt32] = []
      let kind = kept[index].kind
      while index < kept.count, kept[index].slot == slot {
        if kept[index].isPlainUniversal {
          isReachedPlainly = true
        } else {
          isReachedOtherwise = true
        }
        if rules.last != kept[index].rule { rules.append(kept[index].rule) }
        index += 1
      }
      let action = AppliedAction(slot: slot, kind: kind, rules: rules)
      actions.append(action)
      if isReachedPlainly && isReachedOtherwise { actions.append(action) }
    }
    return actions
  }

  /// Returns the rules of the last decision that matched, in no particular order.
  private func entries(
    _ page: PageState,
    _ scratch: borrowing MatchScratch,
    includesHiding: Bool
  ) -> [MatchedEntry] {
    includesHiding
      ? scratch.entries + hidingEntries(page, scratch)
      : scratch.entries.filter { $0.kind != .cssDisplayNone }
  }

  /// Returns all rules of the last decision that matched, in slot order.
  ///
  /// Includes rules that an ignore rule cut off; `includesHiding` says whether to include those
  /// that hide elements.
  public func matchedEntries(
    _ page: PageState,
    _ scratch: borrowing MatchScratch,
    includesHiding: Bool = true
  ) -> [MatchedEntry] {
    var entries = entries(page, scratch, includesHiding: includesHiding)
    entries.sort { ($0.slot, $0.rule) < ($1.slot, $1.rule) }
    var unique: [MatchedEntry] = []
    for entry in entries where unique.last != entry {
      unique.append(entry)
    }
    return unique
  }
}
