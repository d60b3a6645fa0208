import ResourceLoads
import WebURL

#if canImport(RuleMatching)
import RuleMatching
#endif

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
  guard let open = unsafe openLists.list(handle) else { return -1 }
  open.isOn = isOn != 0
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
  let lists = unsafe openLists.lists
  let isPage = unsafe openLists.pages.turn(
    topURL: top.span,
    frameURL: frame.span,
    lists,
    &openLists.scratch
  )
  return isPage ? 0 : -1
}

/// Decides a load on the present page by all lists that are on.
///
/// The properties are those of `tickbird_decide`; where they have no load type, it is found by the
/// URLs. The fragment that browsers keep to themselves is left out of `http` and `https` URLs.
///
/// Bit 31 of the properties asks for all actions. Without it those are left out that hide whatever
/// the load's type; a number stands for them, which is the same as long as they are.
///
/// - Returns: The load type, 1 or 2; 0 for a load that is not checked; -1 if the text is no URL or
///   there is no page. The result is, for each list: handle, verdict as by `tickbird_decide`, the
///   number for what is left out, or 0 if nothing is; the number of actions; actions as by
///   `tickbird_decide`.
@_expose(wasm, "tickbird_decide_load")
@_cdecl("tickbird_decide_load")
public func decideLoad(_ url: UnsafePointer<UInt8>, _ count: Int32, _ properties: UInt32) -> Int32 {
  let wantsAll = properties >> 31 != 0
  guard unsafe !openLists.pages.isEmpty else { return -1 }
  var load = LoadProperties(packed: properties)
  let text = unsafe UnsafeBufferPointer(start: url, count: Int(count))
  if let parts = WebURL.parts(ofPlainlySerialized: unsafe text.span) {
    let end = LoadDefaults.matchedCount(
      of: unsafe text.span,
      load.resourceType,
      fragmentStart: parts.fragmentStart
    )
    return decide(unsafe text.span.extracting(0..<end), parts.host, &load, wantsAll)
  }
  guard var parsed = WebURL(utf8: unsafe text.span) else { return -1 }
  if !parsed.isSpecial, parsed.scheme == "data" {
    _ = setResult([UInt32]())
    return 0
  }
  parsed = LoadDefaults.matched(parsed, load.resourceType)
  return decide(parsed.utf8.span, parsed.hostRange, &load, wantsAll)
}

private func decide(
  _ url: Span<UInt8>,
  _ host: Range<Int>,
  _ load: inout LoadProperties,
  _ wantsAll: Bool
) -> Int32 {
  if load.loadType.isEmpty {
    let isFirstParty = unsafe openLists.pages.isFirstParty(url.extracting(host))
    load.loadType = isFirstParty ? .firstParty : .thirdParty
  }
  unsafe openLists.scratch.assign(url)
  var words: [UInt32] = []
  for (number, open) in unsafe openLists.lists.enumerated() where open.isOn {
    words.append(UInt32(open.handle))
    let place = words.count
    words += [0, 0]
    let state = unsafe openLists.pages.state(ofList: number)
    if wantsAll {
      words[place] = unsafe open.list.append(load, state, &openLists.scratch, to: &words)
      continue
    }
    let decision = unsafe open.list.decide(load, state, &openLists.scratch)
    words[place] = UInt32(decision.kinds) | (decision.attachesGlobalSheet ? 0 : 1 << 16)
    unsafe words[place + 1] =
      openLists.pages.hiding(ofList: number, decision, openLists.scratch)
    append(unsafe openLists.scratch.matchedEntries, decision, to: &words)
  }
  _ = setResult(words)
  return Int32(load.loadType.rawValue)
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

/// Makes the JSON text of a list the result, and returns its length.
@_expose(wasm, "tickbird_source")
@_cdecl("tickbird_source")
public func source(_ handle: Int32) -> Int32 {
  guard let open = unsafe openLists.list(handle) else { return -1 }
  return setResult(open.list.source)
}
