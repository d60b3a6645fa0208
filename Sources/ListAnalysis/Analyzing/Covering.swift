internal import RuleProofs

/// Finds for each rule the rules that match whatever it matches.
struct Covering {
  /// The rules that together match whatever a rule matches; one, if one does.
  struct Cover {
    /// Their places, those first that cover more.
    var places: [Int]
  }

  let list: ListFacts
  let sets: LoadSets
  let samples: PatternSamples
  private let index: CoverIndex
  let interference: Interference

  /// The most candidates that are compared with one rule.
  private static let limit = 512

  init(_ list: ListFacts, sets: LoadSets, samples: PatternSamples) {
    self.list = list
    self.sets = sets
    self.samples = samples
    index = CoverIndex(list, sets: sets, samples: samples)
    interference = Interference(list, sets: sets)
  }

  /// Returns the places of the rules of a role that match some loads in any way that they are
  /// loaded, in part: what is left open are types, parties and contexts.
  private func partial(_ loads: LoadSet, _ role: CoverIndex.Role, except place: Int) -> [Int] {
    let candidates = index.candidates(
      samples.wider(loads.pattern),
      loads,
      role,
      limit: Self.limit
    )
    var seen: Set<Int> = [place]
    var places: [Int] = []
    for candidate in candidates where seen.insert(candidate).inserted {
      guard let other = list.facts[candidate].loads, other.cells & loads.cells != 0,
        sets.isIncludedApartFromCells(loads, in: other)
      else { continue }
      places.append(candidate)
    }
    return places.sorted()
  }

  /// Returns what covers a rule: first single rules, then one set of several.
  ///
  /// - Parameters:
  ///   - place: The rule.
  ///   - role: What the others have to do.
  ///   - accepts: Whether a rule at a place may take part.
  /// - Returns: The covers.
  func covers(
    of place: Int,
    by role: CoverIndex.Role,
    where accepts: (Int) -> Bool
  ) -> [Cover] {
    guard let loads = list.facts[place].loads else { return [] }
    var singles: [Cover] = []
    var parts: [Int] = []
    for other in partial(loads, role, except: place) where accepts(other) {
      guard let cells = list.facts[other].loads?.cells else { continue }
      if loads.cells & ~cells == 0 {
        singles.append(Cover(places: [other]))
      } else {
        parts.append(other)
      }
    }
    if !singles.isEmpty { return singles }
    return union(parts, of: loads.cells).map { [Cover(places: $0)] } ?? []
  }

  /// Chooses few rules that have all cells between them; `nil` if they do not.
  private func union(_ places: [Int], of cells: UInt64) -> [Int]? {
    var missing = cells
    var chosen: [Int] = []
    while missing != 0 {
      var best: (place: Int, count: Int) = (0, 0)
      for place in places {
        let count = ((list.facts[place].loads?.cells ?? 0) & missing).nonzeroBitCount
        if count > best.count { best = (place, count) }
      }
      guard best.count > 0 else { return nil }
      chosen.append(best.place)
      missing &= ~(list.facts[best.place].loads?.cells ?? 0)
    }
    return chosen.sorted()
  }
}
