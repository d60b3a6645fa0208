internal import LoadDeciding
internal import ResourceLoads
internal import RuleMatching
internal import WebURL

// Decisions of all open lists about a load as a browser describes it.
//
// URLs are given as text and parsed by the URL standard; the party follows from them. The answers
// are those of `ContentBlocker` without permissions.

/// The version of the compiled files that can be opened.
@_expose(wasm, "tickbird_format_version")
@_cdecl("tickbird_format_version")
public func formatVersion() -> Int32 { Int32(FileLayout.version) }

/// Lets a list have a say in the decisions of all lists, or not.
@_expose(wasm, "tickbird_set_on")
@_cdecl("tickbird_set_on")
public func setOn(_ handle: Int32, _ isOn: Int32) -> Int32 {
  guard let number = unsafe openLists.number(handle) else { return -1 }
  unsafe openLists.setOn(number, isOn != 0)
  return 0
}

/// Takes over the page and the frame of the loads that `tickbird_decide_load` will be asked about.
///
/// - Returns: 0; -1 if a text is not an absolute URL.
@_expose(wasm, "tickbird_turn")
@_cdecl("tickbird_turn")
public func turn(
  _ topURL: UnsafePointer<UInt8>,
  _ topCount: Int32,
  _ frameURL: UnsafePointer<UInt8>,
  _ frameCount: Int32
) -> Int32 {
  let top = unsafe UnsafeBufferPointer(start: topURL, count: Int(topCount))
  let frame = unsafe UnsafeBufferPointer(start: frameURL, count: Int(frameCount))
  let isPage = unsafe openLists.decider.turn(topText: top.span, frameText: frame.span)
  return isPage ? 0 : -1
}

/// Decides a load on the present page by all lists that are on.
///
/// The properties are packed as by `TriggerFlags`: bits 0–13 resource type, 14–15 load type, 16–17
/// load context, 18–21 request method. Where they have no load type, it is found by the URLs. The
/// fragment that browsers keep to themselves is left out of `http` and `https` URLs.
///
/// Bit 31 of the properties asks for all actions. Without it those are left out that hide whatever
/// the load's type; a number stands for them, which is the same as long as they are.
///
/// - Returns: The load type, 1 or 2; 0 for a load that is not checked; -1 if the text is no URL or
///   there is no page. The result is, for each list: handle; verdict, which is one bit for each kind
///   of action that applies, bit 16 when an `ignore-previous-rules` acts, for which the document gets no
///   global sheet, and bit 17 when an `ignore-following-rules` does; the number for what is left out, or 0
///   if nothing is; the number of actions; for each action in order: slot, kind, number
///   of rules, rules.
@_expose(wasm, "tickbird_decide_load")
@_cdecl("tickbird_decide_load")
public func decideLoad(_ url: UnsafePointer<UInt8>, _ count: Int32, _ properties: UInt32) -> Int32 {
  guard unsafe openLists.decider.page.identity != 0 else { return -1 }
  let text = unsafe UnsafeBufferPointer(start: url, count: Int(count))
  switch unsafe openLists.decider.prepare(url: text.span, LoadTraits(packed: properties)) {
  case .invalid: return -1
  case .unchecked:
    _ = setResult([UInt32]())
    return 0
  case .checked(let load):
    decide(load, wantsAll: properties >> 31 != 0)
    return Int32(load.loadType.rawValue)
  }
}

/// What decisions are put together in, so that most need no memory of their own.
nonisolated(unsafe) private var decided: [UInt32] = []

/// Makes what all lists that are on do to the load that was prepared the result.
private func decide(_ load: LoadProperties, wantsAll: Bool) {
  var words = unsafe exchange(&decided, with: [])
  words.removeAll(keepingCapacity: true)
  for (number, handle) in unsafe openLists.on {
    let decision = unsafe openLists.decider.decide(load, list: number)
    words.append(UInt32(handle))
    words.append(verdict(decision))
    if wantsAll {
      words.append(0)
      append(
        unsafe openLists.decider.appliedActions(decision, list: number, includesHiding: true),
        to: &words
      )
    } else {
      words.append(unsafe openLists.decider.hidingSet(list: number, decision))
      append(unsafe openLists.decider.matchedEntries, decision, to: &words)
    }
  }
  _ = setResult(words)
  unsafe decided = words
}

/// The verdict of a list; see ``decideLoad(_:_:_:)``.
private func verdict(_ decision: ListDecision) -> UInt32 {
  UInt32(decision.kinds) | (decision.attachesGlobalSheet ? 0 : 1 << 16)
    | (decision.upperSlot == .max ? 0 : 1 << 17)
}

/// Appends the number of actions and the actions.
private func append(_ actions: [AppliedAction], to words: inout [UInt32]) {
  words.append(UInt32(actions.count))
  for action in actions {
    words.append(action.slot)
    words.append(UInt32(action.kind.rawValue))
    words.append(UInt32(action.rules.count))
    words += action.rules
  }
}

/// Appends the number of actions and the actions that are left of entries, in the slots' order.
private func append(
  _ entries: [MatchedEntry],
  _ decision: ListDecision,
  to words: inout [UInt32]
) {
  let count = words.count
  words.append(0)
  guard !entries.isEmpty else { return }
  var kept = entries.filter { decision.keeps($0.slot) }
  kept.sort { ($0.slot, $0.rule) < ($1.slot, $1.rule) }
  var ruleCount = count
  for (place, entry) in kept.enumerated() {
    if place == 0 || kept[place - 1].slot != entry.slot {
      words[count] += 1
      words.append(entry.slot)
      words.append(UInt32(entry.kind.rawValue))
      ruleCount = words.count
      words.append(0)
    } else if kept[place - 1].rule == entry.rule {
      continue
    }
    words[ruleCount] += 1
    words.append(entry.rule)
  }
}

extension LoadTraits {
  /// Creates traits from the layout of ``LoadProperties/packed``.
  fileprivate init(packed: UInt32) {
    let flags = TriggerFlags(packed: packed)
    self.init(
      resourceType: flags.resourceTypes,
      loadType: flags.loadTypes.isEmpty ? nil : flags.loadTypes,
      loadContext: flags.loadContexts,
      requestMethod: flags.requestMethod
    )
  }
}

/// Makes a URL as the parser writes it the result, and returns its length; -1 if the text is none.
@_expose(wasm, "tickbird_serialized")
@_cdecl("tickbird_serialized")
public func serialized(_ url: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
  let text = unsafe UnsafeBufferPointer(start: url, count: Int(count))
  guard let parsed = WebURL(utf8: unsafe text.span) else { return -1 }
  return setResult(parsed.utf8)
}

/// Makes the URL that `make-https` turns a URL into the result, and returns its length; -1 for one
/// that it leaves alone.
@_expose(wasm, "tickbird_upgraded")
@_cdecl("tickbird_upgraded")
public func upgraded(_ url: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
  let text = unsafe UnsafeBufferPointer(start: url, count: Int(count))
  guard let parsed = WebURL(utf8: unsafe text.span), let upgraded = upgradedToHTTPS(parsed) else {
    return -1
  }
  return setResult(upgraded.utf8)
}

/// Makes the domain of a page's site the result, and returns its length; -1 if the text is no URL.
@_expose(wasm, "tickbird_site")
@_cdecl("tickbird_site")
public func site(_ url: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
  let text = unsafe UnsafeBufferPointer(start: url, count: Int(count))
  guard let parsed = WebURL(utf8: unsafe text.span) else { return -1 }
  return setResult(PageSite(topURL: parsed.utf8.span).domain)
}

/// Whether the host of a URL is itself a public suffix by a rule of the list: 1 or 0; -1 if the text is no URL.
@_expose(wasm, "tickbird_is_suffix")
@_cdecl("tickbird_is_suffix")
public func isSuffix(_ url: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
  let text = unsafe UnsafeBufferPointer(start: url, count: Int(count))
  guard let parsed = WebURL(utf8: unsafe text.span) else { return -1 }
  let span = parsed.utf8.span
  return PublicSuffixList.isListed(span.extracting(SerializedURL.hostRange(of: span))) ? 1 : 0
}

/// Returns the kinds of a list's actions, a bit for each.
@_expose(wasm, "tickbird_kinds")
@_cdecl("tickbird_kinds")
public func actionKinds(_ handle: Int32) -> Int32 {
  guard let list = unsafe openLists.list(handle) else { return -1 }
  return Int32(truncatingIfNeeded: list.actionKinds)
}

/// Makes the hosts that a list's hiding depends on the result, and returns its length; -1 if any request may hide.
///
/// Requests to these hosts, or to those below them, may hide what the requests for a page's documents do not hide.
/// There are line feeds between them.
@_expose(wasm, "tickbird_hiding_hosts")
@_cdecl("tickbird_hiding_hosts")
public func hidingHosts(_ handle: Int32) -> Int32 {
  guard let list = unsafe openLists.list(handle) else { return -1 }
  switch list.hidingRequests() {
  case .none: return setResult([UInt8]())
  case .toHosts(let hosts): return setResult(Array(hosts.joined(separator: [UInt8(ascii: "\n")])))
  case .any: return -1
  }
}
