/// Collects the conditions that match.
private struct ConditionSink: PostingSink {
  /// The bits of the conditions; those that are set are those of `matched`.
  var conditions: [UInt64]
  var matched: [UInt32]

  /// Forgets what matched; `words` is the number of words for the conditions.
  mutating func reset(words: Int) {
    if conditions.count != words {
      conditions = Array(repeating: 0, count: words)
    } else {
      // Few of many bits are set.
      for number in matched { conditions[Int(number &>> 6)] = 0 }
    }
    if !matched.isEmpty { matched.removeAll(keepingCapacity: true) }
  }

  func wants(_ number: UInt32) -> Bool {
    conditions[Int(number &>> 6)] &>> UInt64(number & 63) & 1 == 0
  }

  mutating func take(_ posting: Posting) {
    conditions[Int(posting.number &>> 6)] |= 1 &<< UInt64(posting.number & 63)
    matched.append(posting.number)
  }
}

extension CompiledRuleList {
  /// Determines what the list says about a page and a frame.
  ///
  /// - Parameters:
  ///   - page: The state to fill; it may have been used for any page and list.
  ///   - topURL: The serialised URL of the main frame's document, in ASCII.
  ///   - frameURL: The serialised URL of the document in the frame that starts the load.
  ///   - scratch: Working memory; its URL is overwritten.
  /// - Complexity: O(*n* + *u*) for *n* bytes of URL and *u* entries of filters that match or run
  ///   on every URL, and have no condition, a negated one, or one that matches.
  public func update(
    _ page: inout PageState,
    topURL: Span<UInt8>,
    frameURL: Span<UInt8>,
    _ scratch: inout MatchScratch
  ) {
    if !scratch.memory.hosts.use(identity) {
      scratch.prepare(for: self)
      scratch.memory.hosts.use(identity)
    }
    var sink = ConditionSink(conditions: [], matched: [])
    swap(&sink.conditions, &page.conditions)
    swap(&sink.matched, &page.matchedConditions)
    sink.reset(words: Int(info.conditionCount + 63) / 64)
    if hasTopURLConditions {
      scratch.text.assign(topURL)
      scanner(topURLIndex).scan(scratch.text, &scratch.memory, &sink)
      scanner(topURLIndex).scan(topURLFilters, scratch.text, &scratch.memory, &sink)
    }
    if hasFrameURLConditions {
      scratch.text.assign(frameURL)
      scanner(frameURLIndex).scan(scratch.text, &scratch.memory, &sink)
      scanner(frameURLIndex).scan(frameURLFilters, scratch.text, &scratch.memory, &sink)
    }
    swap(&sink.conditions, &page.conditions)
    swap(&sink.matched, &page.matchedConditions)
    collectUniversal(&page)
    collectAlwaysRun(&page, &scratch.keys)
    if !crowded.filters.isEmpty || !page.crowds.isEmpty { collectCrowds(&page, &scratch.keys) }
  }

  private var hasTopURLConditions: Bool { !isEmpty(topURLIndex) || !topURLFilters.isEmpty }
  private var hasFrameURLConditions: Bool { !isEmpty(frameURLIndex) || !frameURLFilters.isEmpty }

  /// Whether no filter of an index is looked up.
  private func isEmpty(_ index: FilterIndexView) -> Bool {
    index.keySlots == 0 && index.gramStride == 0
  }

  func scanner(_ index: FilterIndexView) -> IndexScanner {
    IndexScanner(image: image, index: index, runner: runner)
  }

  private func collectUniversal(_ page: inout PageState) {
    guard
      !universalEntries.negated.isEmpty || !page.universal.isEmpty
        || !page.matchedConditions.isEmpty
    else { return }
    var entries: [PageEntry] = []
    swap(&entries, &page.universal)
    if !entries.isEmpty { entries.removeAll(keepingCapacity: true) }
    let table = universal
    page.withConditions { conditions in
      for negated in universalEntries.negated where conditions.holds(negated.condition) {
        entries.append(negated.entry)
      }
      for condition in page.matchedConditions {
        for number in table.first(Int(condition))..<table.first(Int(condition) + 1) {
          let (entryClass, rule) = table.entry(number)
          let properties = classes[entryClass]
          // The table's order is the compiler's, so the condition is tested again.
          guard !properties.hidesWhateverTheLoad, conditions.holds(properties.condition) else {
            continue
          }
          entries.append(PageEntry(properties, universal: rule))
        }
      }
    }
    swap(&entries, &page.universal)
  }

  private func collectAlwaysRun(_ page: inout PageState, _ keys: inout [UInt64]) {
    let table = alwaysRun
    // By filter: what several conditions add must be tried by one run of the filter.
    table.conditional.collect(page.matchedConditions, &keys)
    guard !keys.isEmpty || !table.usualFilters.isEmpty || !page.alwaysRun.isEmpty else { return }
    var filters: [PageFilter] = []
    var entries: [PageEntry] = []
    swap(&filters, &page.alwaysRun)
    swap(&entries, &page.alwaysEntries)
    if !filters.isEmpty { filters.removeAll(keepingCapacity: true) }
    if !entries.isEmpty { entries.removeAll(keepingCapacity: true) }
    page.withConditions { conditions in
      var next = 0
      for usual in table.usualFilters {
        while next < keys.count, keys[next] >> 32 < usual.filter {
          let first = entries.count
          let hides = takeConditional(keys, &next, &entries)
          filters.append(filter(UInt32(keys[next - 1] >> 32), first..<entries.count, hides))
        }
        let first = entries.count
        for number in usual.acting {
          let entry = table.usual[number]
          let entryClass = classes[entry.entryClass]
          guard conditions.holds(entryClass.condition) else { continue }
          entries.append(PageEntry(entryClass, rule: entry.rule))
        }
        var hides = usual.hiding.contains {
          conditions.holds(classes[table.usual[$0].entryClass].condition)
        }
        if next < keys.count, keys[next] >> 32 == usual.filter {
          if takeConditional(keys, &next, &entries) { hides = true }
        }
        if hides || entries.count > first {
          filters.append(filter(usual.filter, first..<entries.count, hides))
        }
      }
      while next < keys.count {
        let first = entries.count
        let hides = takeConditional(keys, &next, &entries)
        filters.append(filter(UInt32(keys[next - 1] >> 32), first..<entries.count, hides))
      }
    }
    swap(&filters, &page.alwaysRun)
    swap(&entries, &page.alwaysEntries)
  }

  /// Takes the conditional entries of the filter that the next key names.
  ///
  /// - Returns: Whether one of them hides elements whatever the load.
  private func takeConditional(
    _ keys: [UInt64],
    _ next: inout Int,
    _ entries: inout [PageEntry]
  ) -> Bool {
    let filter = keys[next] >> 32
    var hides = false
    while next < keys.count, keys[next] >> 32 == filter {
      let entry = alwaysRun.conditional.entry(keys[next])
      let entryClass = classes[entry.entryClass]
      if entryClass.hidesWhateverTheLoad {
        hides = true
      } else {
        entries.append(PageEntry(entryClass, rule: entry.rule))
      }
      next += 1
    }
    return hides
  }

  private func collectCrowds(_ page: inout PageState, _ keys: inout [UInt64]) {
    crowded.conditional.collect(page.matchedConditions, &keys)
    if !page.crowds.isEmpty { page.crowds.removeAll(keepingCapacity: true) }
    for key in keys {
      let entry = crowded.conditional.entry(key)
      page.crowds.append(
        PageCrowdEntry(
          filter: entry.filter,
          entry: PageEntry(classes[entry.entryClass], rule: entry.rule)
        )
      )
    }
  }

  private func filter(_ number: UInt32, _ entries: Range<Int>, _ hides: Bool) -> PageFilter {
    PageFilter(record: alwaysRun.records[Int(number)], entries: entries, hides: hides)
  }

  /// Returns the rules of the last decision that hide elements whatever the load, by slot.
  ///
  /// Loads of a page mostly share them, so they are looked up only when actions are asked for.
  ///
  /// - Complexity: O(*m* log *m*) for *m* such rules; allocates the result.
  public func hidingEntries(
    _ page: PageState,
    _ scratch: borrowing MatchScratch
  ) -> [MatchedEntry] {
    var entries: [MatchedEntry] = []
    let table = universal
    page.withConditions { conditions in
      table.eachEntry(of: page, hiding: true) { entryClass, rule in
        guard conditions.holds(entryClass.condition) else { return }
        entries.append(
          MatchedEntry(
            slot: entryClass.slot,
            rule: rule,
            kind: entryClass.kind,
            isPlainUniversal: entryClass.condition == 0
          )
        )
      }
    }
    entries += hidingEntries(ofFilters: scratch.hidingFilters, page)
    entries.sort { ($0.slot, $0.rule) < ($1.slot, $1.rule) }
    return entries
  }

  /// Returns those of the given filters, by slot.
  func hidingEntries(ofFilters filters: [Int], _ page: PageState) -> [MatchedEntry] {
    var entries: [MatchedEntry] = []
    let scanner = scanner(urlIndex)
    page.withConditions { conditions in
      for record in filters {
        scanner.eachPosting(of: record) { posting in
          let entryClass = classes[posting.number]
          guard entryClass.hidesWhateverTheLoad, conditions.holds(entryClass.condition) else {
            return
          }
          entries.append(
            MatchedEntry(
              slot: entryClass.slot,
              rule: posting.rule,
              kind: entryClass.kind,
              isPlainUniversal: false
            )
          )
        }
      }
    }
    entries.sort { ($0.slot, $0.rule) < ($1.slot, $1.rule) }
    return entries
  }
}
