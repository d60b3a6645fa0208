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
    // Known alternatives of a pattern are here already.
    for place in other.filters.indices where known[other.primary(of: place)] < 0 {
      var filter = other.filters[place]
      filter.program = programs[Int(filter.program)]
      if filter.primary >= 0 { filter.primary = numbers[Int(filter.primary)] }
      if filter.literal >= 0 {
        var literal = other.literals[Int(filter.literal)]
        literal.filter = filters.count
        literal.searchProgram = literal.searchProgram.map { programs[Int($0)] }
        filter.literal = Int32(truncatingIfNeeded: literals.count)
        literals.append(literal)
      }
      let number = append(filter)
      numbers[place] = Int32(truncatingIfNeeded: number)
      let key = Int(keyOfFilter[place])
      if key < 0 { continue }
      if keys[key] >= 0 {
        link(number, toKey: Int(keys[key]))
      } else {
        let (found, isNew) = keyTexts.number(ofString: key, in: other.keyTexts)
        add(number, toKey: found, isNew: isNew)
        keys[key] = Int32(truncatingIfNeeded: found)
      }
    }
    anchors |= other.anchors
    keyKinds |= other.keyKinds
    for filter in other.alwaysRun where known[filter] < 0 { alwaysRun.append(Int(numbers[filter])) }
    return numbers
  }
}
