// Most lists have no condition that runs on every page. In those that have one, it is an automaton
// over the whole URL: domains with a bracket, such as `*[::1]`, become patterns that only a backslash
// satisfies, which hardly any URL holds. The byte is found once, when the list is opened.

/// A filter over a page's URL that no look-up finds, with a byte that the URL must hold.
struct PageURLFilter: Sendable {
  /// The filter's record in the image.
  var record: Int
  /// A byte without which the filter does not match, and which few URLs hold; 0 if none is known.
  var requiredByte: UInt8
  var isCaseSensitive: Bool
}

extension IndexScanner {
  /// Returns the filters that always run, with the bytes that they require.
  ///
  /// - Complexity: O(*n*) for *n* filters, and ``RequiredByteSearch/mostSteps``.
  func pageURLFilters() -> [PageURLFilter] {
    var search = RequiredByteSearch(image: image, programs: runner.programs)
    var filters: [PageURLFilter] = []
    eachAlwaysRun { record in
      filters.append(
        PageURLFilter(
          record: record,
          requiredByte: search.requiredByte(of: programOfAlwaysRun(record)),
          isCaseSensitive: image.filterRecordHead(record).isCaseSensitive
        )
      )
    }
    return filters
  }

  /// Tries filters that always run, but for those whose byte the URL lacks.
  func scan<Sink: PostingSink>(
    _ filters: [PageURLFilter],
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    for filter in filters {
      if filter.requiredByte != 0 {
        let view = text.view(isCaseSensitive: filter.isCaseSensitive)
        if view.firstIndex(of: filter.requiredByte, from: 0) == nil { continue }
      }
      tryFilterRecord(filter.record, window: 0, text, &memory, &sink)
    }
  }
}

/// Finds bytes without which automata do not accept.
struct RequiredByteSearch {
  /// How many bytes of class maps and cells of tables are read for one index at most, so that no file
  /// takes long to open.
  static let mostSteps = 1 << 16

  private let image: Image
  private let programs: Int
  private var stepsLeft = mostSteps

  init(image: Image, programs: Int) {
    self.image = image
    self.programs = programs
  }

  /// Returns a byte that every text accepted by a validated program holds, and few URLs do; 0 if none
  /// is known.
  mutating func requiredByte(of program: Int) -> UInt8 {
    let offset = programs + program
    // Many filters may share a program, so its map counts for each.
    guard image.u8(offset) == Opcode.dfa, stepsLeft >= 128 else { return 0 }
    stepsLeft -= 128
    let stateCount = Int(image.u16(offset + 2))
    let classCount = Int(image.u16(offset + 4))
    let classMap = programs + Int(image.u32(offset + 8))
    // The only byte of each class, 128 for several.
    var only = [UInt8](repeating: 0, count: classCount)
    var isKnown = [Bool](repeating: false, count: classCount)
    for byte in 0..<128 {
      let number = Int(image.u8(classMap + byte))
      only[number] = isKnown[number] ? 128 : UInt8(byte)
      isKnown[number] = true
    }
    for number in 0..<classCount where Self.isRare(only[number]) {
      let steps = stateCount * classCount
      guard steps <= stepsLeft else { return 0 }
      stepsLeft -= steps
      if !accepts(offset, without: number) { return only[number] }
    }
    return 0
  }

  /// Whether few URLs hold a byte; 0, which stands for the end of the text, none does.
  private static func isRare(_ byte: UInt8) -> Bool {
    switch byte {
    case 0, 128...: false
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): false
    case UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "="),
      UInt8(ascii: "?"), UInt8(ascii: "_"):
      false
    default: true
    }
  }

  /// Whether an automaton has a way to accept that never reads a class.
  private func accepts(_ offset: Int, without excluded: Int) -> Bool {
    let isWide = image.u8(offset + 1) == 2
    let stateCount = Int(image.u16(offset + 2))
    let classCount = Int(image.u16(offset + 4))
    let firstAccepting = Int(image.u16(offset + 6))
    let table = offset + Opcode.dfaHeaderSize
    var isSeen = [Bool](repeating: false, count: stateCount)
    var waiting = [1]
    while let state = waiting.popLast() {
      if state >= firstAccepting { return true }
      for number in 0..<classCount where number != excluded {
        let cell = state * classCount + number
        let next = isWide ? Int(image.u16(table + 2 * cell)) : Int(image.u8(table + cell))
        if next != 0, !isSeen[next] {
          isSeen[next] = true
          waiting.append(next)
        }
      }
    }
    return false
  }
}
