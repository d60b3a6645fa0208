extension IndexBuilder {
  /// Adds the filters of another builder that are not here yet, as if their patterns had been added here.
  ///
  /// Neither has postings yet.
  ///
  /// - Parameters:
  ///   - other: The other builder.
  ///   - known: For each of its filters that has a pattern of its own the filter here that has the same
  ///     pattern, if there is one, else −1; ignored for further alternatives of a pattern.
  ///   - programs: For the offset of each of its programs that of the same program here.
  /// - Returns: For each of its filters the one here.
  mutating func append(
    _ other: IndexBuilder,
    known: [Int32],
    programs: [UInt32]
  ) -> [Int32] {
    var numbers = known
    var keyOfFilter = [Int32](repeating: -1, count: other.filters.count)
    for (key, filters) in other.keys.enumerated() {
      var filter = filters.firstFilter
      while filter >= 0 {
        keyOfFilter[Int(filter)] = Int32(truncatingIfNeeded: key)
        filter = other.nextInKey[Int(filter)]
      }
    }
    var keys = [Int32](repeating: -1, count: other.keys.count)
    filters.reserveCapacity(filters.count + other.filters.count)
    nextInKey.reserveCapacity(filters.count + other.filters.count)
    for place in other.filters.indices {
      if let primary = other.filters[place].primary {
        // Known alternatives are here already.
        guard known[primary] < 0 else { continue }
      } else if known[place] >= 0 {
        continue
      }
      var filter = other.filters[place]
      filter.program = programs[Int(filter.program)]
      if let program = filter.searchProgram { filter.searchProgram = programs[Int(program)] }
      if let primary = filter.primary { filter.primary = Int(numbers[primary]) }
      let number = append(filter)
      numbers[place] = Int32(truncatingIfNeeded: number)
      let key = Int(keyOfFilter[place])
      if key < 0 { continue }
      if keys[key] >= 0 {
        link(number, toKey: Int(keys[key]))
      } else {
        let text = other.keyTexts.bytes.span.extracting(other.keyTexts.range(key))
        let (found, isNew) = keyTexts.number(of: text)
        add(number, toKey: found, isNew: isNew)
        keys[key] = Int32(truncatingIfNeeded: found)
      }
    }
    anchors |= other.anchors
    keyKinds |= other.keyKinds
    literalFilters += newOnes(other.literalFilters, known, other, numbers)
    alwaysRun += newOnes(other.alwaysRun, known, other, numbers)
    return numbers
  }

  /// Returns the numbers here of those filters of another builder that were not here.
  private func newOnes(
    _ filters: [Int],
    _ known: [Int32],
    _ other: IndexBuilder,
    _ numbers: [Int32]
  ) -> [Int] {
    filters.filter { known[other.filters[$0].primary ?? $0] < 0 }.map { Int(numbers[$0]) }
  }
}
