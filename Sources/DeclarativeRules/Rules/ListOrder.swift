internal import ContentRules

/// The order of a list's actions, as heights: what is higher decides.
///
/// A rule of the engine's drops those before it, or those behind it. The browser asks the rule with
/// the highest priority alone, so each ignore rule must stand above what it drops and below the
/// rest.
struct ListOrder {
  /// Where a rule stands.
  enum Place: Hashable {
    /// Above all ignore rules of all lists, for no ignore rule of its list drops it.
    case top
    /// At a height within the list's own band, from 0.
    case height(Int)
  }

  /// The heights of the band; 0 if the list needs none.
  private(set) var heightCount = 0
  /// The number of ignore rules.
  private(set) var ignoreCount = 0
  /// The place of each draft.
  private(set) var places: [Place] = []
  /// What the order makes of a draft's rule, by its position.
  private(set) var differences: [Int: Difference] = [:]

  /// An action, as far as order is concerned.
  enum Kind {
    case acts, ignoresPrevious, ignoresFollowing
  }

  /// Orders a list's actions.
  init(_ kinds: [Kind]) {
    ignoreCount = kinds.count { $0 != .acts }
    // An ignore rule with nothing to drop does nothing.
    let firstAct = kinds.firstIndex(of: .acts) ?? kinds.count
    let lastAct = kinds.lastIndex(of: .acts) ?? -1
    let previous = kinds.indices.filter { kinds[$0] == .ignoresPrevious && $0 > firstAct }
    let following = kinds.indices.filter { kinds[$0] == .ignoresFollowing && $0 < lastAct }
    if following.isEmpty {
      ascend(kinds, lastIgnore: previous.last)
    } else if previous.isEmpty {
      descend(kinds, firstIgnore: following[0])
    } else {
      // No order of heights says both; an ignore rule that lifts more does less harm than one that
      // lifts less.
      ascend(kinds, lastIgnore: kinds.count)
      for index in kinds.indices where kinds[index] == .ignoresFollowing {
        places[index] = .height(heightCount)
        differences[index] = .liftsEarlierToo
      }
      heightCount += 1
    }
  }

  private mutating func ascend(_ kinds: [Kind], lastIgnore: Int?) {
    var height = 0
    var previous = Kind.acts
    for (index, kind) in kinds.enumerated() {
      if kind != previous { height += 1 }
      previous = kind
      let isTop = kind == .acts && index > lastIgnore ?? -1
      places.append(isTop ? .top : .height(height))
      if !isTop { heightCount = height + 1 }
    }
  }

  private mutating func descend(_ kinds: [Kind], firstIgnore: Int) {
    var depths: [Int?] = []
    var depth = 0
    var previous = Kind.acts
    for (index, kind) in kinds.enumerated() {
      if kind != previous { depth += 1 }
      previous = kind
      depths.append(kind == .acts && index < firstIgnore ? nil : depth)
    }
    heightCount = depth + 1
    places = depths.map { $0.map { .height(heightCount - 1 - $0) } ?? .top }
  }
}
