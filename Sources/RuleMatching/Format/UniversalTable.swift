/// The entries of filters that match every URL, which depend on the page and the load's flags
/// alone.
///
///     offset    size  field
///          0       4  entries without a condition or with a negated one, u
///          4       4  those of them that do more than hide whatever the load, v; they come first
///          8       4  entries in all, n
///         12  4(c+1)  for each of the c conditions, and once more for the end: the number of its
///                     first entry, the first u apart
///                 8n  entry class and rule, 4 bytes each: the u first, then by condition
public enum UniversalTable {
  /// The size of an entry in bytes.
  public static let entrySize = 8
  /// The size of the fixed part in bytes.
  public static let headerSize = 12
}

/// The universal table of a list with its header decoded.
struct UniversalTableView: Sendable {
  /// Entries without a condition or with a negated one.
  let always: Int
  /// Of those, the ones that do more than hide elements whatever the load; they come first.
  let alwaysActing: Int
  let count: Int
  private let offsets: Int
  private let entries: Int
  private let image: Image
  private let classes: EntryClasses

  init(_ image: Image, _ sections: SectionTable, _ info: ListInfo, _ classes: EntryClasses) {
    self.image = image
    self.classes = classes
    let start = sections.start(.universal)
    always = Int(image.u32(start))
    alwaysActing = Int(image.u32(start + 4))
    count = Int(image.u32(start + 8))
    offsets = start + UniversalTable.headerSize
    entries = offsets + 4 * (Int(info.conditionCount) + 1)
  }

  /// Returns the number of a condition's first entry, or of the end for the number of conditions.
  func first(_ condition: Int) -> Int { Int(image.u32(offsets + 4 * condition)) }

  /// Returns the entry class and the rule of an entry.
  func entry(_ number: Int) -> (entryClass: UInt32, rule: UInt32) {
    let offset = entries + UniversalTable.entrySize * number
    return (image.u32(offset), image.u32(offset + 4))
  }

  /// Calls `body` with the entries that may apply on a page: those without a condition, with a
  /// negated one, or with one that matches.
  ///
  /// `hiding` selects those that hide elements whatever the load, or all others.
  @inline(__always)
  func eachEntry(
    of page: PageState,
    hiding: Bool,
    _ body: (_ entryClass: EntryClass, _ rule: UInt32) -> Void
  ) {
    func visit(_ number: Int) {
      let (number, rule) = entry(number)
      let entryClass = classes[number]
      if entryClass.hidesWhateverTheLoad == hiding { body(entryClass, rule) }
    }
    for number in hiding ? alwaysActing..<always : 0..<alwaysActing { visit(number) }
    for condition in page.matchedConditions {
      for number in first(Int(condition))..<first(Int(condition) + 1) { visit(number) }
    }
  }
}

/// The entries that apply to every URL of every page, and those that some pages' conditions exclude,
/// without those that hide elements whatever the load.
struct UniversalPageEntries: Sendable {
  /// Those without a condition.
  private(set) var usual: [PageEntry] = []
  /// Those with a condition, which must not match, as references.
  private(set) var negated: [(entry: PageEntry, condition: UInt32)] = []

  /// Collects the entries of a validated table.
  ///
  /// - Complexity: O(*n*) for *n* entries that do not hide.
  init(_ table: UniversalTableView, _ classes: EntryClasses) {
    for number in 0..<table.alwaysActing {
      let (entryClass, rule) = table.entry(number)
      let properties = classes[entryClass]
      guard !properties.hidesWhateverTheLoad else { continue }
      let entry = PageEntry(properties, universal: rule)
      if properties.condition == 0 {
        usual.append(entry)
      } else {
        negated.append((entry, properties.condition))
      }
    }
  }
}
