internal import CommandInput
package import ContentBlocking
internal import ResourceLoads
internal import WebURL

/// Writes a test file from loads and what lists do to them today.
///
/// Pages are in the order in which they appear, each with a section, and below it the sections of
/// its frames; lines are in the order of their URLs. The same load is written once. A file that is
/// read again has the same loads.
package struct ListTestWriter {
  /// A section by its page and frame.
  private struct Place: Hashable {
    var page: WebURL
    var frame: WebURL?
  }

  private var order: [Place] = []
  private var lines: [Place: Set<Line>] = [:]
  /// The number of loads that were written once already.
  package private(set) var duplicateCount = 0
  /// The number of loads that the format cannot describe.
  package private(set) var leftOutCount = 0

  /// An expectation, in the order of lines.
  private struct Line: Hashable, Comparable {
    /// 0 for the section's own document, which comes first.
    var rank: Int
    var load: String
    var outcome: String

    static func < (a: Line, b: Line) -> Bool {
      (a.rank, a.load, a.outcome) < (b.rank, b.load, b.outcome)
    }
  }

  /// Creates an empty writer.
  package init() {}

  /// Adds a load with what happens to it.
  package mutating func add(_ load: ResourceLoad, _ decision: LoadDecision) {
    // Rules do not look at them, and they may be megabytes long.
    // A page whose URL has a space cannot stand in a heading.
    guard load.isChecked, !load.topURL.utf8.contains(0x20), !load.frameURL.utf8.contains(0x20)
    else {
      leftOutCount += 1
      return
    }
    let isFramed =
      load.frameURL != load.topURL && load.resourceType != .childDocument
      && load.resourceType != .topDocument
    let place = Place(page: load.topURL, frame: isFramed ? load.frameURL : nil)
    guard let text = Self.text(of: load, in: place) else {
      leftOutCount += 1
      return
    }
    let page = Place(page: load.topURL, frame: nil)
    for place in [page, place] where lines[place] == nil {
      order.append(place)
      lines[place] = []
    }
    let line = Line(
      rank: text == "page" ? 0 : 1,
      load: text,
      outcome: Self.outcome(of: decision)
    )
    if lines[place]?.insert(line).inserted != true { duplicateCount += 1 }
  }

  /// Whether a line of the file's head can name a list by a path, so that reading gives the path back.
  ///
  /// A path may have line ends, white space at its ends, or what would begin a comment.
  package static func canName(list path: String) -> Bool {
    let read = ListTestReader.read(Array("list: \(path)\n".utf8), name: "")
    return read.faults.isEmpty && read.file.lists.map(\.value) == [path]
      && read.file.expectations.isEmpty && read.file.permissions.isEmpty
  }

  /// Returns the file's text.
  ///
  /// - Parameters:
  ///   - lists: The paths of the lists, relative to the file, each such that ``canName(list:)`` holds.
  ///   - comment: What stands at the beginning, a line each.
  /// - Returns: The text, which ``ListTestReader`` reads without faults.
  package func text(lists: [String], comment: [String]) -> String {
    var text = comment.map { "# \($0)\n" }.joined()
    for list in lists { text += "list: \(list)\n" }
    let pages = order.filter { $0.frame == nil }
    let framesOfPages = Dictionary(grouping: order.filter { $0.frame != nil }) { $0.page }
    for page in pages {
      let frames = framesOfPages[page.page, default: []]
        .sorted { ($0.frame?.serialized ?? "") < ($1.frame?.serialized ?? "") }
      for place in [page] + frames {
        guard let lines = lines[place], !lines.isEmpty else { continue }
        if let frame = place.frame {
          text += "\n[frame \(frame.serialized) on \(place.page.serialized)]\n"
        } else {
          text += "\n[page \(place.page.serialized)]\n"
        }
        for line in lines.sorted() { text += "\(line.load) => \(line.outcome)\n" }
      }
    }
    return text
  }

  // MARK: Lines

  /// Returns the text of a load in a section, such that reading it gives the same load; `nil` if
  /// there is none.
  private static func text(of load: ResourceLoad, in place: Place) -> String? {
    let section = ListTestReader.Section(text: "", page: place.page, frame: place.frame)
    for text in candidates(load, place) {
      let words = TestLine(Array(text.utf8)[...])
      var reader = LoadPartReader(section: section, urls: KnownURLs())
      guard let read = try? reader.load(words.words(in: 0..<words.count), arrow: 1) else {
        continue
      }
      if read == load { return text }
    }
    return nil
  }

  /// Returns texts for a load, shorter ones first.
  private static func candidates(_ load: ResourceLoad, _ place: Place) -> [String] {
    var heads: [String] = []
    if load.resourceType == .topDocument { heads.append("page") }
    let type = LoadWords.word(for: load.resourceType)
    heads.append("\(load.url.serialized) \(type)")
    let method = load.requestMethod.map { "\($0)" } ?? "null"
    let methods = load.requestMethod == .get ? [""] : [" method \(method)"]
    let contexts = ["", load.loadContext == .topFrame ? " top-frame" : " child-frame"]
    let parties =
      load.loadTypeOverride.map { [$0 == .firstParty ? " first-party" : " third-party"] } ?? [""]
    let frames = ["", " in \(load.frameURL.serialized)"]
    var texts: [String] = []
    for head in heads {
      for frame in frames {
        for context in contexts {
          for method in methods {
            for party in parties { texts.append(head + frame + method + context + party) }
          }
        }
      }
    }
    return texts
  }

  /// Returns what happens to a load, as an expectation.
  package static func outcome(of decision: LoadDecision) -> String {
    guard !decision.isBlocked else { return "block" }
    var words: [String] = []
    if let newURL = decision.newURL {
      let isRedirected = decision.actions.contains { $0.kind == .redirect && $0.isEffective }
      words.append(isRedirected ? "redirect \"\(newURL.serialized)\"" : "https")
    }
    if decision.blocksCookies { words.append("cookies stripped") }
    return words.isEmpty ? "load" : words.joined(separator: ", ")
  }
}
