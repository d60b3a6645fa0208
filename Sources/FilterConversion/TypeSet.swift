internal import ContentRules
internal import FilterLists

/// Types of loads, as filters name them.
struct TypeSet: OptionSet, Hashable {
  var rawValue: UInt32

  static let script = TypeSet(.script)
  static let image = TypeSet(.image)
  static let stylesheet = TypeSet(.stylesheet)
  static let font = TypeSet(.font)
  static let media = TypeSet(.media)
  static let object = TypeSet(.object)
  static let subdocument = TypeSet(.subdocument)
  static let fetch = TypeSet(.xmlhttprequest)
  static let websocket = TypeSet(.websocket)
  static let ping = TypeSet(.ping)
  static let other = TypeSet(.other)
  static let document = TypeSet(.document)
  static let popup = TypeSet(.popup)

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init(_ kind: FilterModifierKind) { rawValue = 1 << UInt32(kind.rawValue) }

  /// What a filter without types is about.
  static let ordinary: TypeSet = [
    .script, .image, .stylesheet, .font, .media, .object, .subdocument, .fetch, .websocket, .ping,
    .other,
  ]
  /// What is asked for by the person in front of the browser.
  static let pages: TypeSet = [.document, .popup]
}

/// The fields of a trigger that say which types of loads a rule is for.
///
/// One rule is not always enough for an engine: before Safari 26 documents of frames are told from
/// those of pages by `load-context` alone.
struct TypeFields {
  /// The fields of each rule, with a comma in front; one empty one for a rule without types.
  var variants: [[UInt8]]
  /// What the rules do not do as the filter says.
  var reasons: [ConversionReason] = []

  /// WebKit's words in the order in which they are written.
  private static let words: [(TypeSet, [String])] = [
    (.subdocument, ["child-document"]), (.document, ["top-document"]), (.image, ["image"]),
    (.stylesheet, ["style-sheet"]), (.script, ["script"]), (.font, ["font"]),
    (.media, ["media"]), (.popup, ["popup"]), (.fetch, ["fetch"]), (.websocket, ["websocket"]),
    (.ping, ["ping"]), (.other, ["other"]),
  ]

  /// Returns the fields for types.
  ///
  /// - Parameters:
  ///   - types: The types; ``TypeSet/ordinary`` means no restriction.
  ///   - isComplement: Whether they are what is left of all, so that kinds of loads without a
  ///     name in filters belong to them.
  ///   - isForAllURLs: Whether the rule's pattern matches every URL.
  ///   - target: The engine; `nil` for the newest.
  /// - Returns: The fields of each rule.
  static func fields(
    _ types: TypeSet,
    isComplement: Bool,
    isForAllURLs: Bool = false,
    target: EngineRelease?
  ) -> TypeFields {
    if types == .ordinary { return TypeFields(variants: [[]]) }
    var fields = TypeFields(variants: [])
    var types = types
    if !isComplement, types.contains(.ping), !types.contains(.other) {
      // `navigator.sendBeacon` is of type other, `<a ping>` of type ping.
      if isForAllURLs {
        fields.reasons.append(ConversionReason(.pingsWithoutBeacons))
      } else {
        types.insert(.other)
        fields.reasons.append(ConversionReason(.beaconsAreOther))
      }
    } else if types.contains(.other), !types.contains(.ping) {
      fields.reasons.append(ConversionReason(.otherIncludesPings))
    }
    var words = Self.words.filter { types.contains($0.0) }.flatMap { $0.1 }
    if isComplement { words.append("svg-document") }
    guard let target else {
      fields.variants = [json(words)]
      return fields
    }
    let lacksFetch = target.lacks(resourceType: "fetch")
    if lacksFetch, words.contains(where: { ["fetch", "websocket", "other"].contains($0) }) {
      words.removeAll { ["fetch", "websocket", "other"].contains($0) }
      words.append("raw")
      if !types.isSuperset(of: [.fetch, .websocket, .ping, .other]) {
        fields.reasons.append(ConversionReason(.rawTypes, "\(target)"))
      }
    }
    guard target.lacks(resourceType: "child-document"),
      words.contains(where: { $0.hasSuffix("-document") && $0 != "svg-document" })
    else {
      fields.variants = [json(words)]
      return fields
    }
    let documents = words.filter { $0 == "child-document" || $0 == "top-document" }
    words.removeAll { documents.contains($0) }
    if documents.count == 2 || target.lacksLoadContext {
      if documents.count == 1 {
        fields.reasons.append(ConversionReason(.documentsOfAllFrames, "\(target)"))
      }
      fields.variants = [json(["document"] + words)]
      return fields
    }
    let context = documents == ["child-document"] ? "child-frame" : "top-frame"
    fields.variants = [json(["document"]) + Array(#","load-context":["\#(context)"]"#.utf8)]
    if !words.isEmpty { fields.variants.append(json(words)) }
    return fields
  }

  private static func json(_ words: [String]) -> [UInt8] {
    var json: [UInt8] = []
    RuleText.appendList("resource-type", words.map { Array($0.utf8) }, to: &json)
    return json
  }
}
