public import CTickbird
internal import ContentBlocking
internal import LoadDeciding
internal import RuleMatching

// Hot: allocates nothing once the page is cached and the memory has grown to the size of the lists and
// the URLs; `Tests/CInterface` counts.

/// Lists with the working memory of one thread, as callers hold it.
final class Decider {
  var blocker: ContentBlocker
  /// Used again for each load.
  var fate = LoadFate()
  /// The lists' texts, which only explanations need.
  var sources: [ListSource]?

  init(_ lists: [ContentRuleList]) { blocker = ContentBlocker(lists: lists) }

  /// The decider behind a caller's reference.
  static func of(_ handle: OpaquePointer) -> Decider {
    unsafe Unmanaged<Decider>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  }

  /// Decides a load, with the rules behind it.
  ///
  /// The load stays a constant: as a variable it would be allocated.
  func decide(_ load: LoadParts) -> tickbird_status {
    var seen = 0
    switch load.traits(seen: &seen) {
    case .failure(let fault): return fault.status
    case .success(let traits):
      let isLoad = unsafe blocker.decide(
        url: load.url.span.extracting(0..<seen),
        topURL: load.page.span,
        frameURL: load.frame.span,
        traits,
        into: &fate
      )
      return isLoad ? .ok : .badURL
    }
  }
}

/// Creates a decider.
@c @implementation
public func tickbird_decider_create(
  _ lists: UnsafePointer<OpaquePointer?>?,
  _ count: Int,
  _ decider: UnsafeMutablePointer<OpaquePointer?>?
) -> tickbird_status {
  guard let decider = unsafe decider else { return .badArgument }
  unsafe decider.pointee = nil
  guard unsafe count == 0 || lists != nil, (0...1_000_000).contains(count) else {
    return .badArgument
  }
  var opened: [ContentRuleList] = []
  for number in 0..<count {
    guard let handle = unsafe lists?[number] else { return .badArgument }
    opened.append(unsafe SharedList.of(handle).list)
  }
  let made = unsafe Unmanaged.passRetained(Decider(opened))
  unsafe decider.pointee = OpaquePointer(made.toOpaque())
  return .ok
}

/// Frees a decider.
@c @implementation
public func tickbird_decider_free(_ decider: OpaquePointer?) {
  guard let decider = unsafe decider else { return }
  unsafe Unmanaged<Decider>.fromOpaque(UnsafeRawPointer(decider)).release()
}

/// Decides a load.
@c @implementation
public func tickbird_decide(
  _ decider: OpaquePointer?,
  _ load: UnsafePointer<tickbird_load>?,
  _ decision: UnsafeMutablePointer<tickbird_decision>?
) -> tickbird_status {
  guard let decider = unsafe decider, let decision = unsafe decision,
    unsafe decision.pointee.struct_size >= MemoryLayout<tickbird_decision>.size,
    unsafe decision.pointee.rules != nil || decision.pointee.rule_capacity == 0,
    let parts = unsafe LoadParts(load)
  else { return .badArgument }
  let working = unsafe Decider.of(decider)
  let status = working.decide(parts)
  if status != .ok { working.fate = LoadFate() }
  unsafe decision.pointee.flags = working.fate.flags
  unsafe decision.pointee.hiding_rules = UInt32(clamping: working.fate.hidingRules)
  unsafe decision.pointee.attached_sheets = UInt32(clamping: working.fate.attachedSheets)
  let rules = unsafe UnsafeMutableBufferPointer(
    start: decision.pointee.rules,
    count: decision.pointee.rule_capacity
  )
  var count = 0
  working.fate.forEachRule { rule in
    if count < rules.count { unsafe rules[count] = rule }
    count += 1
  }
  unsafe decision.pointee.rule_count = count
  return status
}

extension LoadFate {
  /// What happens, one bit for each kind.
  var flags: UInt32 {
    var flags: Int = 0
    if isBlocked { flags |= TICKBIRD_BLOCKED }
    if blocksCookies { flags |= TICKBIRD_BLOCKS_COOKIES }
    if makesHTTPS { flags |= TICKBIRD_MAKES_HTTPS }
    if hidingRules > 0 { flags |= TICKBIRD_HIDES }
    if !exceptions.isEmpty { flags |= TICKBIRD_EXCEPTED }
    if needsDecision {
      for rule in rules {
        switch rule.entry.kind {
        case .notify: flags |= TICKBIRD_NOTIFIES
        case .modifyHeaders: flags |= TICKBIRD_MODIFIES_HEADERS
        case .redirect: flags |= TICKBIRD_REDIRECTS
        default: break
        }
      }
    }
    return UInt32(flags)
  }

  /// Passes on the rules that apply, then the exceptions without which others would; apart from those
  /// that hide something.
  func forEachRule(_ body: (tickbird_rule) -> Void) {
    for rule in rules where rule.entry.kind != .reportIdentifier { body(tickbird_rule(rule)) }
    for rule in exceptions { body(tickbird_rule(rule)) }
  }
}

extension tickbird_rule {
  init(_ rule: LoadFate.Rule) {
    self.init(
      list: UInt32(clamping: rule.list),
      rule: rule.entry.rule,
      // The numbers of the interface are those of the compiled format.
      action: UInt32(rule.entry.kind.rawValue)
    )
  }
}
