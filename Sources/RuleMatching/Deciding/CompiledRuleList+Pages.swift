/// Collects the conditions that match.
private struct ConditionSink: PostingSink {
  var conditions: [UInt64]
  var matched: [UInt32]

  func wants(_ number: UInt32) -> Bool {
    conditions[Int(number &>> 6)] &>> UInt64(number & 63) & 1 == 0
  }

  mutating func take(_ posting: Posting, isAlternative: Bool) {
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
    scratch.prepare(for: self)
    scratch.memory.hosts.use(identity)
    var sink = ConditionSink(conditions: page.conditions, matched: page.matchedConditions)
    page.conditions = []
    page.matchedConditions = []
    sink.matched.removeAll(keepingCapacity: true)
    let words = Int(info.conditionCount + 63) / 64
    if sink.conditions.count != words {
      sink.conditions = Array(repeating: 0, count: words)
    } else {
      for word in sink.conditions.indices { sink.conditions[word] = 0 }
    }
    if !isEmpty(topURLIndex) {
      scratch.text.assign(topURL)
      scanner(topURLIndex).scan(scratch.text, &scratch.memory, &sink)
      scanner(topURLIndex).scan(topURLFilters, scratch.text, &scratch.memory, &sink)
    }
    if !isEmpty(frameURLIndex) {
      scratch.text.assign(frameURL)
      scanner(frameURLIndex).scan(scratch.text, &scratch.memory, &sink)
      scanner(frameURLIndex).scan(frameURLFilters, scratch.text, &scratch.memory, &sink)
    }
    page.conditions = sink.conditions
    page.matchedConditions = sink.matched
    collectUniversal(&page)
    if !alwaysRun.records.isEmpty || !page.alwaysRun.isEmpty {
      collectAlwaysRun(&page, &scratch.keys)
    }
  }

  private func isEmpty(_ index: FilterIndexView) -> Bool {
    index.keySlots == 0 && index.gramStride == 0 && image.u8(index.alwaysRun) == 0
  }

  func scanner(_ index: FilterIndexView) -> IndexScanner {
    IndexScanner(image: image, index: index, runner: runner)
  }

  private func collectUniversal(_ page: inout PageState) {
    var universal: [PageEntry] = []
    swap(&universal, &page.universal)
    universal.removeAll(keepingCapacity: true)
    let table = self.universal
    page.withConditions { conditions in
      table.eachEntry(of: page, hiding: false) { entryClass, rule in
        guard conditions.holds(entryClass.condition) else { return }
        universal.append(
          PageEntry(
            entry: MatchedEntry(
              slot: entryClass.slot,
              rule: rule,
              kind: entryClass.kind,
              isPlainUniversal: entryClass.flags == 0 && entryClass.condition == 0
            ),
            flags: entryClass.flags
          )
        )
      }
    }
    swap(&universal, &page.universal)
  }

  private func collectAlwaysRun(_ page: inout PageState, _ keys: inout [UInt64]) {
    var filters: [PageFilter] = []
    var entries: [PageEntry] = []
    swap(&filters, &page.alwaysRun)
    swap(&entries, &page.alwaysEntries)
    filters.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    let table = alwaysRun
    // The conditional entries that apply, by filter: what several conditions add must be tried by one
    // run of the filter.
    keys.removeAll(keepingCapacity: true)
    for condition in page.matchedConditions {
      for number in table.entries(ofCondition: condition) {
        keys.append(
          UInt64(table.conditional[number].filter) << 32 | UInt64(truncatingIfNeeded: number)
        )
      }
    }
    keys.sortWithoutAllocating()
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
      let entry = alwaysRun.conditional[Int(truncatingIfNeeded: keys[next] & 0xFFFF_FFFF)]
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
