internal import FilterLists

/// What the modifiers of a network filter say together.
struct FilterMeaning {
  /// What an exception lifts for all of a page.
  struct Lifted: OptionSet {
    var rawValue: UInt8
    static let hiding = Lifted(rawValue: 1)
    static let genericHiding = Lifted(rawValue: 2)
    static let specificHiding = Lifted(rawValue: 4)
    static let genericBlocking = Lifted(rawValue: 8)
    static let blocking = Lifted(rawValue: 16)
    static let everything = Lifted(rawValue: 32)
    /// What WebKit never does.
    static let others = Lifted(rawValue: 64)
  }

  enum Party { case first, third }

  var types: TypeSet = []
  /// Whether a type is named, be it excluded.
  var namesTypes = false
  /// Whether the types are what is left of all.
  var isComplement = false
  /// Whether pages are excluded by `~document`.
  var excludesPages = false
  var lifted: Lifted = []
  /// Whether nothing but what is lifted was named, so that no load is excepted on its own.
  var liftsOnly = false
  /// Whether uBlock Origin's `$genericblock` is named, which does nothing and is no type.
  private var hasUnsupported = false
  /// The modifier by which ``lifted`` has what WebKit never does.
  private var liftedOther = ""
  /// Whether an exception is one from a modifier that no rule has, whatever else it names.
  private var exceptsModifier = false
  var party: Party?
  /// The party by the host alone, if it is named.
  private var strictParty: Party?
  var isCaseSensitive = false
  var isImportant = false
  var isBadfilter = false
  var blocksCookies = false
  var pages = PageScope()
  /// The modifier that names domains of ``pages`` without `~`.
  private var includedBy: FilterModifierKind?
  var to: [PageScope.Domain] = []
  var denied: [PageScope.Domain] = []
  /// The modifier that names ``denied``, for reasons.
  var deniedBy = ""
  /// WebKit's word for the method of the request.
  var method: String?
  var reasons: [ConversionReason] = []
  private let dialect: FilterDialect

  /// Reads the modifiers of a filter.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - text: The list's bytes.
  ///   - dialect: How the list is read.
  /// - Throws: The reason why WebKit cannot do what one of them says.
  init(
    _ filter: NetworkFilter,
    _ text: [UInt8],
    dialect: FilterDialect
  ) throws(ConversionReason) {
    // Adblock Plus takes it out, uBlock Origin refuses the filter, and in AdGuard no address has it. Often it stands
    // around modifiers, which then are part of the pattern.
    guard filter.isRegex || !text[filter.pattern].contains(where: FilterText.isSpace) else {
      throw ConversionReason(.noFilter, "there is white space in it, which no address has")
    }
    self.dialect = dialect
    pages = Self.noPages(dialect)
    var positive: TypeSet = []
    var negative: TypeSet = []
    var nameless: [String] = []
    for modifier in filter.modifiers {
      try read(modifier, filter, text, &positive, &negative, &nameless)
    }
    try finish(filter, positive, negative, nameless)
  }

  private mutating func read(
    _ modifier: FilterModifier,
    _ filter: NetworkFilter,
    _ text: [UInt8],
    _ positive: inout TypeSet,
    _ negative: inout TypeSet,
    _ nameless: inout [String]
  ) throws(ConversionReason) {
    func name() -> String {
      let all = FilterText.string(text, modifier.text)
      return String(all.prefix { $0 != "=" })
    }
    if modifier.kind.isType { namesTypes = true }
    switch modifier.kind {
    case .script, .image, .stylesheet, .font, .media, .object, .subdocument, .xmlhttprequest,
      .websocket, .ping, .other:
      note(TypeSet(modifier.kind), modifier, &positive, &negative)
    case .document:
      if !modifier.isNegated, filter.isException, dialect != .ubo {
        lifted.insert(.everything)
      } else {
        note(.document, modifier, &positive, &negative)
      }
    case .popup, .popunder: note(.popup, modifier, &positive, &negative)
    case .all:
      if filter.isException, dialect == .adguard {
        throw ConversionReason(.noFilter, "AdGuard ignores exceptions with $all")
      }
      positive.formUnion(TypeSet.ordinary.union(.pages))
    case .webrtc, .inlineScript, .inlineFont:
      if !modifier.isNegated { nameless.append(name()) }
    case .elemhide: try lift(.hiding, modifier)
    case .generichide: try lift(.genericHiding, modifier)
    case .specifichide: try lift(.specificHiding, modifier)
    case .genericblock where dialect == .ubo && !modifier.isNegated: hasUnsupported = true
    case .genericblock: try lift(.genericBlocking, modifier)
    case .urlblock where dialect == .ubo:
      throw ConversionReason(.noFilter, "uBlock Origin has no $urlblock")
    case .urlblock: try lift(.blocking, modifier)
    case .liftsOthers, .stealth:
      lifted.insert(.others)
      liftedOther = name()
    case .thirdParty, .firstParty, .strictThirdParty, .strictFirstParty:
      let isThird = modifier.kind == .thirdParty || modifier.kind == .strictThirdParty
      let wanted: Party = isThird != modifier.isNegated ? .third : .first
      let isStrict = modifier.kind == .strictThirdParty || modifier.kind == .strictFirstParty
      if let party, party != wanted {
        // Another host of the page's own site is both first-party and strictly third-party.
        let strict = isStrict ? wanted : strictParty
        throw ConversionReason(strict == .third ? .strictPartyAsParty : .neverApplies)
      }
      party = wanted
      if isStrict {
        strictParty = wanted
        reasons.append(ConversionReason(.strictPartyAsParty))
      }
    case .domain, .top: try readPages(modifier, name(), text)
    case .to, .denyallow: try readHosts(modifier, text)
    case .method: try readMethod(modifier, text)
    case .matchCase:
      if dialect == .ubo, !filter.isRegex {
        throw ConversionReason(
          .noFilter,
          "uBlock Origin has $match-case for regular expressions alone"
        )
      }
      isCaseSensitive = !modifier.isNegated
    case .important:
      if dialect == .ubo, modifier.isNegated || filter.isException {
        throw ConversionReason(.noFilter, "uBlock Origin ignores exceptions that are important")
      }
      isImportant = !modifier.isNegated
    case .badfilter: isBadfilter = true
    case .redirect, .emptyAnswer:
      if filter.isException { throw ConversionReason(.exceptionOfOtherKind, name()) }
      reasons.append(ConversionReason(.redirectedAsBlocked))
    case .cookie:
      guard !filter.isException, modifier.value?.isEmpty ?? true else {
        throw ConversionReason(.unsupportedModifier, name())
      }
      blocksCookies = true
      reasons.append(ConversionReason(.cookiesWholly))
    case .csp, .removeparam, .permissions, .replace, .removeheader, .header, .urlTransform,
      .urlSkip, .responsePruning, .referrerPolicy, .redirectRule, .app, .dns, .address, .cname:
      // What is never done needs no exception. Other modifiers only say where it is not done.
      let changesNoLoad =
        modifier.kind != .app && modifier.kind != .dns && modifier.kind != .address
        && modifier.kind != .header
      guard filter.isException, changesNoLoad else {
        throw ConversionReason(.unsupportedModifier, name())
      }
      exceptsModifier = true
    case .noop, .reason: break
    case .unknown: throw ConversionReason(.unknownModifier, name())
    }
  }

  private mutating func lift(
    _ lifted: Lifted,
    _ modifier: FilterModifier
  ) throws(ConversionReason) {
    if !modifier.isNegated {
      self.lifted.insert(lifted)
    } else if dialect == .ubo {
      throw ConversionReason(.noFilter, "uBlock Origin knows no ~ there")
    }
  }

  /// Adds a type to those that a filter names, or to those that it excludes.
  private func note(
    _ type: TypeSet,
    _ modifier: FilterModifier,
    _ positive: inout TypeSet,
    _ negative: inout TypeSet
  ) {
    if modifier.isNegated {
      negative.formUnion(type)
    } else if dialect != .abp || negative.isEmpty {
      positive.formUnion(type)
    } else {
      // Adblock Plus reads them in their order: what is named behind others that are excluded is added to all else.
      negative.subtract(type)
      if positive.isEmpty, !TypeSet.ordinary.isSuperset(of: type) {
        positive = .ordinary.subtracting(negative)
      }
      if !positive.isEmpty { positive.formUnion(type) }
    }
  }

  /// The pages of a filter that names none.
  private static func noPages(_ dialect: FilterDialect) -> PageScope {
    var pages = PageScope()
    pages.nearestDecides = dialect == .abp
    pages.starIsEveryPage = dialect == .adguard
    return pages
  }

  private mutating func readPages(
    _ modifier: FilterModifier,
    _ name: String,
    _ text: [UInt8]
  ) throws(ConversionReason) {
    let value = modifier.value ?? 0..<0
    if text[value].contains(UInt8(ascii: "/")) {
      throw ConversionReason(.domainPattern, FilterText.string(text, value))
    }
    let domains = FilterText.split(text, value, at: UInt8(ascii: "|"))
    guard !domains.isEmpty else {
      throw ConversionReason(.noFilter, "$\(name) names no domain")
    }
    // Adblock Plus takes the last one alone.
    if dialect == .abp { (pages, includedBy) = (Self.noPages(dialect), nil) }
    if domains.contains(where: { text[$0.lowerBound] != UInt8(ascii: "~") }) {
      // One for the frame's document and one for the page in the window must both hold.
      guard includedBy == nil || includedBy == modifier.kind else {
        throw ConversionReason(.twoConditions)
      }
      includedBy = modifier.kind
    }
    pages.add(text, value, separator: UInt8(ascii: "|"))
  }

  private mutating func readHosts(
    _ modifier: FilterModifier,
    _ text: [UInt8]
  ) throws(ConversionReason) {
    var scope = PageScope()
    scope.add(text, modifier.value ?? 0..<0, separator: UInt8(ascii: "|"))
    let name = modifier.kind == .to ? "$to" : "$denyallow"
    if scope.unusable.isEmpty, scope.isEmpty {
      throw ConversionReason(.noFilter, "\(name) names no domain")
    }
    guard scope.unusable.isEmpty else {
      throw ConversionReason(.domainPattern, scope.unusable.joined(separator: ", "))
    }
    if modifier.kind == .to {
      to += scope.included
      denied += scope.excluded
      if !scope.excluded.isEmpty { deniedBy = "~ in $to" }
    } else {
      denied += scope.included
      deniedBy = name
      if !scope.excluded.isEmpty {
        throw ConversionReason(.noFilter, "~ has no meaning in $denyallow")
      }
    }
  }

  private mutating func readMethod(
    _ modifier: FilterModifier,
    _ text: [UInt8]
  ) throws(ConversionReason) {
    let words = ["get", "head", "options", "trace", "put", "delete", "post", "patch", "connect"]
    let value = modifier.value.map { FilterText.string(text, $0).lowercased() } ?? ""
    guard words.contains(value) else { throw ConversionReason(.methodOfPage) }
    method = value
  }

  /// Writes the hosts of pages that a filter blocks as a condition, as a page is its own top URL.
  private mutating func moveHostsToPages() {
    guard types.contains(.document), pages.isEmpty, !pages.namesIncluded,
      types == .document || !denied.isEmpty
    else { return }
    if types != .document {
      // What other pages load may be excepted behind blocking alone, and windows not at all.
      types = .document
      isComplement = false
      reasons.append(ConversionReason(.pagesOnly, deniedBy))
    }
    pages.included = to
    pages.namesIncluded = !to.isEmpty
    pages.excluded = denied
    (to, denied) = ([], [])
  }

  /// Derives what depends on several modifiers.
  private mutating func finish(
    _ filter: NetworkFilter,
    _ positive: TypeSet,
    _ negative: TypeSet,
    _ nameless: [String]
  ) throws(ConversionReason) {
    if !filter.isException, !lifted.isEmpty {
      if lifted == .others {
        throw ConversionReason(.unsupportedModifier, liftedOther)
      }
      throw ConversionReason(.noFilter, "only exceptions can lift something of a page")
    }
    var positive = positive
    var negative = negative
    if hasUnsupported, !filter.isException || positive.isEmpty && negative.isEmpty && lifted.isEmpty
    {
      throw ConversionReason(.noFilter, "uBlock Origin has no $genericblock")
    }
    if positive == .object {
      throw ConversionReason(.typeUnknownToWebKit, "objects of plug-ins")
    }
    if positive.isEmpty, !nameless.isEmpty {
      throw ConversionReason(.typeUnknownToWebKit, nameless.joined(separator: ", "))
    }
    if !nameless.isEmpty {
      reasons.append(
        ConversionReason(.typesNotApplicable, nameless.joined(separator: ", "))
      )
    }
    if negative.contains(.object)
      || (positive.contains(.object) && !positive.isSuperset(of: .ordinary))
    {
      reasons.append(ConversionReason(.objectsNotToldApart))
      negative.remove(.object)
      if !positive.isSuperset(of: .ordinary) { positive.remove(.object) }
    }
    if positive.isEmpty {
      types = TypeSet.ordinary.subtracting(negative)
      isComplement = types != .ordinary
      // In AdGuard what lifts something names pages as its types, and `~` adds none to them.
      liftsOnly =
        !lifted.isEmpty && (dialect == .adguard || negative.subtracting(.document).isEmpty)
      excludesPages = negative.contains(.document)
    } else {
      types = positive.subtracting(negative)
      isComplement = positive.isSuperset(of: .ordinary)
    }
    if dialect == .ubo, deniedBy == "$denyallow", pages.isEmpty, !pages.namesIncluded {
      throw ConversionReason(.noFilter, "uBlock Origin ignores $denyallow without domains")
    }
    if dialect == .ubo, filter.isException, !lifted.isEmpty, lifted != .others {
      guard !lifted.contains(.others), !isCaseSensitive || filter.isRegex else {
        throw ConversionReason(.noFilter, "uBlock Origin ignores it with these modifiers")
      }
    }
    if exceptsModifier {
      lifted = .others
      liftsOnly = true
    }
    if types.isEmpty { throw ConversionReason(.neverApplies) }
    if !filter.isException { moveHostsToPages() }
    if types.contains(.popup) { reasons.append(ConversionReason(.popupsByScript)) }
    if !pages.unusable.isEmpty, !(pages.namesIncluded && pages.included.isEmpty) {
      reasons.append(
        ConversionReason(.unusableDomains, pages.unusable.joined(separator: ", "))
      )
    }
    if method != nil, !types.isSubset(of: [.document, .subdocument]) || !pages.isEmpty {
      throw ConversionReason(.methodOfPage)
    }
  }
}
