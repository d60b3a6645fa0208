/// Unicode normalisation form C.
///
/// > Source: The Unicode Standard, section 3.11 "Normalization Forms" and section 3.12
/// > "Conjoining Jamo Behavior".
enum Normalization {
  /// Returns the text in normalisation form C.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of code points.
  static func composed(_ text: [UInt32]) -> [UInt32] {
    // Below U+0300 every code point is its own form and combines with nothing.
    guard text.contains(where: { $0 >= 0x300 }) else { return text }
    var marked = decomposed(text)
    sortMarks(&marked)
    return compose(marked)
  }

  /// A code point with its canonical combining class.
  private struct Marked {
    var code: UInt32
    var combiningClass: UInt8
  }

  // MARK: Decomposition

  private static func decomposed(_ text: [UInt32]) -> [Marked] {
    let tables = IDNATables.shared
    var output: [Marked] = []
    output.reserveCapacity(text.count)
    func append(_ code: UInt32) {
      output.append(
        Marked(code: code, combiningClass: tables.properties(of: code).combiningClass)
      )
    }
    // What is left to decompose, the next last. Decompositions nest in their first part only, so
    // the stack stays as small as their depth.
    var pending: [UInt32] = []
    for code in text {
      pending.append(code)
      while let next = pending.popLast() {
        if let jamo = Hangul.decomposition(of: next) {
          for index in jamo.indices where jamo[index] != 0 { append(jamo[index]) }
        } else if let step = tables.decomposition(of: next) {
          if step.second != 0 { pending.append(step.second) }
          pending.append(step.first)
        } else {
          append(next)
        }
      }
    }
    return output
  }

  /// Sorts each run of combining marks by class, stably.
  private static func sortMarks(_ text: inout [Marked]) {
    var start = 0
    while start < text.count {
      guard text[start].combiningClass != 0 else {
        start += 1
        continue
      }
      var end = start + 1
      while end < text.count, text[end].combiningClass != 0 { end += 1 }
      if end - start > 1 {
        let run = text[start..<end].enumerated().sorted {
          ($0.element.combiningClass, $0.offset) < ($1.element.combiningClass, $1.offset)
        }
        text.replaceSubrange(start..<end, with: run.lazy.map { $0.element })
      }
      start = end
    }
  }

  // MARK: Composition

  private static func compose(_ text: [Marked]) -> [UInt32] {
    var output: [UInt32] = []
    output.reserveCapacity(text.count)
    var starter: Int?
    // The class of the last code point kept after the starter; nil directly behind the starter.
    var lastClass: UInt8?
    for next in text {
      // A mark is blocked from the starter by one of its own or a higher class in between.
      if let starter, lastClass.map({ $0 < next.combiningClass }) ?? true,
        let composite = Hangul.composition(output[starter], next.code)
          ?? IDNATables.shared.composition(output[starter], next.code)
      {
        output[starter] = composite
        continue
      }
      if next.combiningClass == 0 {
        starter = output.count
        lastClass = nil
      } else {
        lastClass = next.combiningClass
      }
      output.append(next.code)
    }
    return output
  }
}

/// The arithmetic of Hangul syllables.
private enum Hangul {
  static let syllables: Range<UInt32> = 0xAC00..<0xD7A4
  static let leading: Range<UInt32> = 0x1100..<0x1113
  static let vowels: Range<UInt32> = 0x1161..<0x1176
  static let trailing: Range<UInt32> = 0x11A8..<0x11C3

  /// Returns the two or three parts of a syllable; a missing third is 0.
  static func decomposition(of code: UInt32) -> [3 of UInt32]? {
    guard syllables.contains(code) else { return nil }
    let index = code - syllables.lowerBound
    let tail = index % 28
    return [
      leading.lowerBound + index / 588,
      vowels.lowerBound + index % 588 / 28,
      tail == 0 ? 0 : trailing.lowerBound - 1 + tail,
    ]
  }

  static func composition(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if leading.contains(first), vowels.contains(second) {
      let pair = (first - leading.lowerBound) * 21 + second - vowels.lowerBound
      return syllables.lowerBound + pair * 28
    }
    if syllables.contains(first), (first - syllables.lowerBound) % 28 == 0,
      trailing.contains(second)
    {
      return first + second - trailing.lowerBound + 1
    }
    return nil
  }
}
