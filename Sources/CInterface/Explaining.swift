public import CTickbird
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import WebURL

/// Explains a load.
@c @implementation
public func tickbird_explain(
  _ decider: OpaquePointer?,
  _ load: UnsafePointer<tickbird_load>?,
  _ names: UnsafePointer<UnsafePointer<CChar>?>?,
  _ json: UnsafeMutablePointer<tickbird_text>?
) -> tickbird_status {
  unsafe explain(decider, load, names, json, detail: .ranges)
}

/// Explains a load in as much detail as is wanted.
func explain(
  _ decider: OpaquePointer?,
  _ load: UnsafePointer<tickbird_load>?,
  _ names: UnsafePointer<UnsafePointer<CChar>?>?,
  _ json: UnsafeMutablePointer<tickbird_text>?,
  detail: Explanation.Detail
) -> tickbird_status {
  unsafe clear(json)
  guard let decider = unsafe decider, unsafe json != nil, let parts = unsafe LoadParts(load) else {
    return .badArgument
  }
  let working = unsafe Decider.of(decider)
  do throws(LoadFault) {
    let described = try parts.described()
    let texts = working.blocker.lists.enumerated().map { number, list in
      unsafe names?[number].map { unsafe String(cString: $0) } ?? list.identifier
    }
    let line = working.explanation(of: described, names: texts, detail: detail)
    unsafe give(bytes: line, to: json)
    return .ok
  } catch {
    unsafe give(error.message, to: json)
    return error.status
  }
}

/// What is wrong with a load.
struct LoadFault: Error {
  var status: tickbird_status
  var message: String
}

extension LoadParts {
  /// Returns the load that the texts describe.
  func described() throws(LoadFault) -> ResourceLoad {
    var seen = 0
    if case .failure(let fault) = traits(seen: &seen),
      fault.status == .missing || fault.status == .tooLong
    {
      throw LoadFault(status: fault.status, message: "\(fault.status.words)")
    }
    let word = unsafe String(decoding: type, as: UTF8.self)
    var load = DescribedLoad(url: try unsafe Self.parse(url, "url"), type: word)
    if unsafe !page.isEmpty { load.page = try unsafe Self.parse(page, "page") }
    if unsafe !frame.isEmpty { load.frame = try unsafe Self.parse(frame, "frame") }
    if unsafe !context.isEmpty {
      load.context = try unsafe Self.word(
        "context",
        context,
        ["top-frame", "child-frame"],
        LoadWords.loadContext
      )
    }
    if unsafe !party.isEmpty {
      load.party = unsafe LoadWord.party(party)
      if load.party == nil {
        load.party = try unsafe Self.word(
          "party",
          party,
          ["first-party", "third-party"],
          LoadWords.loadType
        )
      }
    }
    if unsafe !method.isEmpty {
      load.method = unsafe LoadWords.requestMethod(String(decoding: method, as: UTF8.self))
    }
    guard let made = load.load() else {
      throw LoadFault(
        status: .badWord,
        message: LoadWords.unknown("type", word, among: LoadWords.resourceTypeWords)
      )
    }
    return made
  }

  private static func parse(_ text: Text, _ part: String) throws(LoadFault) -> WebURL {
    if let url = unsafe WebURL(utf8: text.span) { return url }
    let shown = unsafe String(decoding: text.prefix(80), as: UTF8.self)
    throw LoadFault(
      status: .badURL,
      message: "the \(part) is not an absolute URL: \(shown); write it in full, such as "
        + "https://example.com/"
    )
  }

  private static func word<Value>(
    _ part: String,
    _ text: Text,
    _ known: [String],
    _ meaning: (String) -> Value?
  ) throws(LoadFault) -> Value {
    let word = unsafe String(decoding: text, as: UTF8.self)
    if let value = meaning(word) { return value }
    throw LoadFault(status: .badWord, message: LoadWords.unknown(part, word, among: known))
  }
}

extension Decider {
  /// Returns the line that `tickbird explain --format json` prints for a load.
  func explanation(
    of load: ResourceLoad,
    names: [String],
    detail: Explanation.Detail
  ) -> [UInt8] {
    let sources =
      self.sources
      ?? blocker.lists.map { ListSource($0.isSourceIntact ? $0.source : []) }
    self.sources = sources
    var page = PageHiding(listCount: sources.count)
    let hides = blocker.addHiding(of: load, to: &page)
    let decider = blocker.explanation(for: load, sources: sources, detail: []).decider
    let explanation = blocker.explanation(for: load, sources: sources, detail: detail)
    var json = JSONWriter()
    json.object { json in
      json.explanationFields(explanation, place: 0, page: 0, decider: decider, hides: hides) {
        id,
        json in
        json.ruleFields(id, in: sources[id.list], named: names[id.list])
      }
    }
    json.endLine()
    return json.bytes
  }
}
