import ReferenceMatcher

/// Reads a list whose rules are given as `[trigger, action]` texts, with `'` for `"`.
///
/// An action that is a single word is one without further fields.
func ruleList(_ rules: [(trigger: String, action: String)]) throws -> ReferenceRuleList {
  let texts = rules.map { rule in
    let action = rule.action.hasPrefix("{") ? rule.action : "{'type':'\(rule.action)'}"
    return "{'trigger':\(rule.trigger),'action':\(action)}"
  }
  return try ruleList(jsonText: "[" + texts.joined(separator: ",") + "]")
}

/// Reads a JSON text with `'` for `"`.
func ruleList(jsonText: String) throws -> ReferenceRuleList {
  try ReferenceRuleList(jsonText: jsonText.replacing("'", with: "\"").utf8) {
    !$0.isEmpty && !$0.hasPrefix("##")
  }
}

func hide(_ selector: String) -> String { "{'type':'css-display-none','selector':'\(selector)'}" }

func notify(_ text: String) -> String { "{'type':'notify','notification':'\(text)'}" }

func redirect(_ url: String) -> String { "{'type':'redirect','redirect':{'url':'\(url)'}}" }

func filter(_ pattern: String, _ more: String = "") -> String {
  "{'url-filter':'\(pattern)'\(more.isEmpty ? "" : "," + more)}"
}

/// A load with everything but the URL at its plainest.
func load(
  _ url: String,
  top: String = "http://top.test/",
  frame: String? = nil,
  type: String = "image",
  isFirstParty: Bool = false,
  context: String = "top-frame",
  method: String? = "get"
) -> ReferenceLoad {
  ReferenceLoad(
    url: url,
    topURL: top,
    frameURL: frame,
    resourceType: type,
    isFirstParty: isFirstParty,
    loadContext: context,
    method: method
  )
}

extension ReferenceRuleList {
  /// The actions of a load as words, with their text behind a colon.
  func words(_ load: ReferenceLoad) -> [String] {
    evaluate(load).actions.map { applied in
      let text =
        applied.action.selector ?? applied.action.fields["notification"]?.string
        ?? applied.action.fields["redirect"]?.object?["url"]?.string
      return applied.action.type + (text.map { ":" + $0 } ?? "")
    }
  }

  /// Whether some rule that blocks matches a load.
  func blocks(_ load: ReferenceLoad) -> Bool { words(load).contains("block") }
}
