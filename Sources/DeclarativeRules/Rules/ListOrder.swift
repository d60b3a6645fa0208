internal import ContentRules

/// The order of a list's actions, as heights; the highest decides.
///
/// In the engine, an ignore rule drops the rules before it, or those behind it. The browser applies
/// only the rule with the highest priority, so each ignore rule must be above what it drops and
/// below the rest.
struct ListOrder {
  /// The position of a rule.
  enum Place: Hashable {
    /// Above all ignore rules of all lists, because no ignore rule of its own list drops it.
    case top
    /// At a height within the list's own band, from 0.
    case height(Int)
    /// Nowhere, for an ignore rule with nothing to drop.
    case nowhere
  }

  /// The heights of the band; 0 if the list needs none.
  private(set) var heightCount = 0
  /// The number of ignore rules.
  private(set) var ignoreCount = 0
  /// The place of each draft.
  private(set) var places: [Place] = []
  /// The deviations that the order causes, by the position of a draft.
  private(set) var differences: [Int: Difference] = [:]

  /// The kind of an action, as far as order matters.
  enum Kind {
    case acts, ignoresPrevious, ignoresFollowing
  }

  /// Whether no order says all.
  var hasDifferences: Bool { !differences.isEmpty }

  /// Orders those actions of a list that are about pages, and the others, each by themselves.
  init(_ kinds: [Kind], isOfPages: [Bool]) {
    places = Array(repeating: .nowhere, count: kinds.count)
    for flag in [true, false] {
      let indices = kinds.indices.filter { isOfPages[$0] == flag }
      let order = ListOrder(indices.map { kinds[$0] })
      for (place, index) in zip(order.places, indices) { places[index] = place }
      for (number, difference) in order.differences { differences[indices[number]] = difference }
      heightCount = max(heightCount, order.heightCount)
      ignoreCount += order.ignoreCount
    }
  }

  /// Orders a list's actions.
  init(_ kinds: [Kind]) {
    let firstAct = kinds.firstIndex(of: .acts) ?? kinds.count
    let lastAct = kinds.lastIndex(of: .acts) ?? -1
    let previous = kinds.indices.filter { kinds[$0] == .ignoresPrevious && $0 > firstAct }
    // `ignore-following-rules` drops later ignore rules, too.
    let lastDropped = max(lastAct, previous.last ?? -1)
    let following = kinds.indices.filter { kinds[$0] == .ignoresFollowing && $0 < lastDropped }
    let effective = Set(previous + following)
    ignoreCount = effective.count
    if following.isEmpty {
      ascend(kinds, effective, lastIgnore: previous.last ?? -1)
    } else if previous.isEmpty {
      descend(kinds, effective, firstIgnore: following[0])
    } else {
      // No order of heights expresses both; an ignore rule that allows too much does less harm than
      // one that allows too little.
      ascend(kinds, effective, lastIgnore: kinds.count)
      for index in following {
        places[index] = .height(heightCount)
        differences[index] = .liftsEarlierToo
      }
      heightCount += 1
    }
  }

  private mutating func ascend(_ kinds: [Kind], _ effective: Set<Int>, lastIgnore: Int) {
    var height = 0
    var isIgnoring = false
    for (index, kind) in kinds.enumerated() {
      guard kind == .acts || effective.contains(index) else {
        places.append(.nowhere)
        continue
      }
      if (kind != .acts) != isIgnoring {
        height += 1
        isIgnoring.toggle()
      }
      let isTop = kind == .acts && index > lastIgnore
      places.append(isTop ? .top : .height(height))
      if !isTop { heightCount = height + 1 }
    }
  }

  private mutating func descend(_ kinds: [Kind], _ effective: Set<Int>, firstIgnore: Int) {
    var depth = 0
    var isIgnoring = false
    let depths = kinds.enumerated().map { index, kind -> Int? in
      guard kind == .acts || effective.contains(index) else { return nil }
      if (kind != .acts) != isIgnoring {
        depth += 1
        isIgnoring.toggle()
      }
      return depth
    }
    heightCount = depth + 1
    places = kinds.indices.map { index in
      guard let depth = depths[index] else { return .nowhere }
      return index < firstIgnore ? .top : .height(heightCount - 1 - depth)
    }
  }
}
