internal import ContentRules

/// The rules of one part of the list, as JSON, with the lines that they come from.
struct RuleSection {
  /// The rules, each with a comma and a line feed in front.
  private(set) var json: [UInt8] = []
  private(set) var count = 0
  /// The lines of the rules: a line's number, then the rule's number in the section.
  private(set) var links: [(line: Int32, rule: Int32)] = []
  /// The place of each rule in ``json``; its last is the end.
  private var starts: [Int] = []
  /// The last rule with a hash.
  private var known: [Int: Int32] = [:]

  /// Adds a rule; one that is there already gets another line instead.
  mutating func add(_ rule: [UInt8], line: Int) {
    var hasher = Hasher()
    unsafe rule.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    let hash = hasher.finalize()
    if let number = known[hash], self.rule(number) == rule[...] {
      if links.last?.line != Int32(line) || links.last?.rule != number {
        links.append((Int32(line), number))
      }
      return
    }
    known[hash] = Int32(count)
    links.append((Int32(line), Int32(count)))
    append(rule)
  }

  /// Adds a rule of several lines.
  mutating func add(_ rule: [UInt8], lines: some Sequence<Int32>) {
    for line in lines { links.append((line, Int32(count))) }
    append(rule)
  }

  /// Names further lines that the newest rules come from.
  mutating func link(rulesFrom first: Int, to lines: [Int]) {
    let lines = Set(lines).sorted()
    for rule in first..<count { for line in lines { links.append((Int32(line), Int32(rule))) } }
  }

  private mutating func append(_ rule: [UInt8]) {
    json.append(contentsOf: ",\n".utf8)
    starts.append(json.count)
    json.append(contentsOf: rule)
    count += 1
  }

  private func rule(_ number: Int32) -> ArraySlice<UInt8> {
    let next = Int(number) + 1
    let end = next < count ? starts[next] - 2 : json.count
    return json[starts[Int(number)]..<end]
  }

  /// Removes the rules' text, which has been copied.
  mutating func discardText() {
    json = []
    starts = []
    known = [:]
  }
}

/// The parts of a list, in their order.
///
/// `ignore-previous-rules` lifts all that stands before it, so the order is the meaning: hiding
/// first, each kind with its exceptions behind it; then what pages and windows are blocked by, with
/// exceptions in front that end the list for them and so lift no hiding; the barrier, behind which
/// no rule sees a page's own load; and blocking, exceptions, important rules.
enum RulePart: Int, CaseIterable {
  case genericHiding, genericHidingExceptions, specificHiding, hidingExceptions
  case documentExceptionsForPages
  case unblockedPages
  case importantPageExceptions, importantPageBlocking, pageExceptions, pageBlocking
  case hostPageExceptions, hostPageBlocking
  case barrier
  case exclusiveBlocking, genericBlocking, genericBlockingExceptions, specificExclusiveBlocking
  case blocking, exceptions
  case importantBlocking, importantExceptions, documentExceptions

  /// Whether all of its rules lift what stands before them.
  var hasOnlyExceptions: Bool {
    switch self {
    case .genericHidingExceptions, .hidingExceptions, .documentExceptionsForPages,
      .unblockedPages, .importantPageExceptions, .pageExceptions, .hostPageExceptions,
      .genericBlockingExceptions, .exceptions, .importantExceptions, .documentExceptions:
      true
    case .genericHiding, .specificHiding, .importantPageBlocking, .pageBlocking,
      .hostPageBlocking, .barrier, .exclusiveBlocking, .genericBlocking,
      .specificExclusiveBlocking, .blocking, .importantBlocking:
      false
    }
  }

  /// The part of a filter that is about pages and windows.
  static func pages(isException: Bool, _ isImportant: Bool) -> RulePart {
    switch (isException, isImportant) {
    case (false, false): .pageBlocking
    case (true, false): .pageExceptions
    case (false, true): .importantPageBlocking
    case (true, true): .importantPageExceptions
    }
  }

  /// The parts with what an exception for pages lifts of their own loads; `nil` for other parts.
  var liftedPageBlocking: [RulePart]? {
    switch self {
    case .hostPageExceptions: [.hostPageBlocking]
    case .pageExceptions: [.pageBlocking, .hostPageBlocking]
    case .unblockedPages, .importantPageExceptions:
      [.pageBlocking, .hostPageBlocking, .importantPageBlocking]
    default: nil
    }
  }

  /// The parts that act on what pages load.
  static let loads: [RulePart] = [
    .exclusiveBlocking, .genericBlocking, .genericBlockingExceptions, .specificExclusiveBlocking,
    .blocking, .exceptions, .importantBlocking, .importantExceptions,
  ]
}

/// What keeps rules about loads from a page's own load.
enum PageBarrier {
  /// `ignore-following-rules` in front of them; the parts stand in the order of their declaration.
  case following
  /// `ignore-previous-rules` for pages behind them. Specific hiding stands behind it, where no
  /// exception of a load lifts it, and exceptions from hiding are conditions. Of hiding only the
  /// sheet for all pages is lifted with them, for the page's own load and not for the others.
  case previous
  /// Nothing: an engine that tells pages from frames by neither type nor context.
  case none

  init(target: EngineRelease?) {
    if let target, target.lacksIgnoreFollowingRules {
      self = target.lacksLoadContext ? .none : .previous
    } else {
      self = .following
    }
  }

  /// The parts of a list in their order.
  var order: [RulePart] {
    let pages: [RulePart] = [
      .hostPageBlocking, .hostPageExceptions, .pageBlocking, .pageExceptions,
      .importantPageBlocking, .importantPageExceptions,
    ]
    return switch self {
    case .following: RulePart.allCases
    case .previous:
      [.genericHiding, .genericHidingExceptions] + RulePart.loads + [.barrier] + pages
        + [.specificHiding, .hidingExceptions, .documentExceptions]
    case .none:
      [.genericHiding, .genericHidingExceptions, .specificHiding, .hidingExceptions] + pages
        + RulePart.loads + [.documentExceptions]
    }
  }

  /// How exceptions for pages lift what blocks their own loads.
  private var pageException: RuleText.Action {
    self == .following ? .ignoreFollowing : .ignorePrevious
  }

  /// How the exceptions of a part lift what they do.
  func action(ofExceptionsIn part: RulePart) -> RuleText.Action {
    part.liftedPageBlocking == nil ? .ignorePrevious : pageException
  }

  /// The rules of the barrier.
  ///
  /// - Parameters:
  ///   - target: The engine; `nil` for the newest.
  ///   - windowsAlone: Whether pages need none, but windows that scripts open.
  /// - Returns: The rules as JSON, in their order.
  func rules(target: EngineRelease?, windowsAlone: Bool) -> [[UInt8]] {
    guard self != .none else { return [] }
    let types: TypeSet = windowsAlone ? .popup : .pages
    return TypeFields.fields(types, isComplement: false, target: target).variants.map {
      RuleText.rule(pattern: AddressFilter.everything, flags: $0, action: pageException)
    }
  }
}
