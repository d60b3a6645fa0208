public import CTickbird
internal import ActionCoding
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import RuleMatching

// What JavaScript needs of the engine besides the C interface, with which it is compiled into one module;
// `Scripts/build-npm` builds it.

/// Explains a load as `tickbird_explain` does, with the rules that hide elements.
@_expose(wasm, "tickbird_explain_hiding")
@_cdecl("tickbird_explain_hiding")
public func explainHiding(
  _ decider: OpaquePointer,
  _ load: UnsafePointer<tickbird_load>,
  _ names: UnsafePointer<UnsafePointer<CChar>?>,
  _ json: UnsafeMutablePointer<tickbird_text>
) -> tickbird_status {
  unsafe explain(decider, load, names, json, detail: .all)
}

/// The selectors that a list hides on every page, joined by commas; `TICKBIRD_MISSING` without any.
@_expose(wasm, "tickbird_list_global_selectors")
@_cdecl("tickbird_list_global_selectors")
public func globalSelectors(
  _ list: OpaquePointer,
  _ text: UnsafeMutablePointer<tickbird_text>
) -> tickbird_status {
  unsafe clear(text)
  guard let sheet = unsafe SharedList.of(list).list.compiled.globalSheet else { return .missing }
  unsafe give(bytes: sheet, to: text)
  return .ok
}

/// Decides a load of which every part is given, as WebKit's matcher gets it.
///
/// No URL is parsed, and nothing follows from anything else. Recorded decisions of WebKit are of this
/// kind.
///
/// The properties are packed as by `TriggerFlags`: bits 0–13 resource type, 14–15 load type, 16–17 load
/// context, 18–21 request method. The text is an object with `blocked`, `cookies_blocked`,
/// `makes_https`, `attaches_sheet` and `actions`.
@_expose(wasm, "tickbird_decide_as_given")
@_cdecl("tickbird_decide_as_given")
public func decideAsGiven(
  _ list: OpaquePointer,
  _ load: UnsafePointer<tickbird_load>,
  _ properties: UInt32,
  _ json: UnsafeMutablePointer<tickbird_text>
) -> tickbird_status {
  unsafe clear(json)
  guard let parts = unsafe LoadParts(load) else { return .badArgument }
  let compiled = unsafe SharedList.of(list).list.compiled
  var scratch = MatchScratch()
  scratch.prepare(for: compiled)
  var page = PageState()
  unsafe compiled.update(&page, topURL: parts.page.span, frameURL: parts.frame.span, &scratch)
  unsafe scratch.assign(parts.url.span)
  let flags = TriggerFlags(packed: properties)
  let decision = compiled.decide(
    LoadProperties(
      resourceType: flags.resourceTypes,
      loadType: flags.loadTypes,
      loadContext: flags.loadContexts,
      requestMethod: flags.requestMethod
    ),
    page,
    &scratch
  )
  let actions = compiled.appliedActions(decision, page, scratch, includesHiding: true)
  var writer = JSONWriter()
  writer.object { json in
    json.field("blocked", decision.isBlocked)
    json.field("cookies_blocked", decision.blocksCookies)
    json.field("makes_https", decision.makesHTTPS)
    json.field("attaches_sheet", decision.attachesGlobalSheet)
    json.field("actions") { json in
      json.array(of: actions) { json, action in
        json.object { json in
          json.fields(of: compiled.slot(action.slot), in: compiled)
          json.field("rules") { json in
            json.array(of: action.rules) { $0.number(Int($1)) }
          }
        }
      }
    }
  }
  unsafe give(bytes: writer.bytes, to: json)
  return .ok
}

extension JSONWriter {
  fileprivate mutating func fields(of slot: Slot, in list: CompiledRuleList) {
    let text = list.text(at: slot.text)
    if slot.kind == .reportIdentifier, let identifier = ActionText.decodeIdentifier(text) {
      field("type", "report-identifier")
      field("ruleset", identifier.ruleset)
      field("identifier") { $0.number(identifier.number) }
    } else if let action = ActionText.decode(slot.kind, text) {
      actionFields(action)
    }
  }
}
