import ContentRules

extension DiagnosticCase {
  static let lists: [DiagnosticCase] = [
    DiagnosticCase(
      .listNotAnArray,
      "«{»\"rules\":[]}",
      "a list must be an array, not an object",
      hint: "the array itself must be the text, without an object around it"
    ),
    DiagnosticCase(.listNotAnArray, "«5»"),
    DiagnosticCase(.noRules, "«»[]", "the list is empty"),
    DiagnosticCase(
      .noRules,
      "«»" + acting(#""type":"css-display-none","selector":">""#),
      "every rule of the list is skipped"
    ),
    DiagnosticCase(.invalidRule, "[\(rule), «5»]", "a rule must be an object, not a number"),
    DiagnosticCase(
      .invalidRule,
      "[«[\(rule)]»]",
      hint: "the list may be wrapped in a second pair of brackets"
    ),
    DiagnosticCase(
      .invalidRuleIdentifier,
      #"[{"trigger":{"url-filter":"a"},"action":{"type":"block"},"_identifier":«"x"»}]"#,
      "_identifier must be a number, not a string"
    ),
    DiagnosticCase(.invalidTrigger, #"[«{»"action":{"type":"block"}}]"#, "the rule has no trigger"),
    DiagnosticCase(.invalidTrigger, #"[{"trigger":«[]»,"action":{"type":"block"}}]"#),
    DiagnosticCase(
      .invalidAction,
      #"[«{»"trigger":{"url-filter":"a"}}]"#,
      "the rule has no action"
    ),
  ]

  static let triggers: [DiagnosticCase] = [
    DiagnosticCase(
      .invalidURLFilter,
      #"[{"trigger":«{»"x":1},"action":{"type":"block"}}]"#,
      "the trigger has no url-filter"
    ),
    DiagnosticCase(
      .invalidURLFilter,
      blocking(#""url-filter":«""»"#),
      "url-filter must not be empty"
    ),
    DiagnosticCase(.invalidURLFilter, blocking(#""url-filter":«null»"#)),
    DiagnosticCase(
      .invalidFlagsArray,
      blocking(#""url-filter":"a","load-type":«"third-party"»"#),
      "load-type must be an array, not a string",
      hint: #"write ["third-party"]"#
    ),
    DiagnosticCase(
      .invalidFlag,
      blocking(#""url-filter":"a","resource-type":["image",«"stylesheet"»]"#),
      #""stylesheet" is no resource-type"#,
      hint: "did you mean style-sheet?"
    ),
    DiagnosticCase(
      .invalidFlag,
      blocking(#""url-filter":"a","resource-type":[«"xmlhttprequest"»]"#),
      hint: "did you mean fetch?"
    ),
    DiagnosticCase(.invalidFlag, blocking(#""url-filter":"a","load-context":[«5»]"#)),
    DiagnosticCase(
      .invalidRequestMethod,
      blocking(#""url-filter":"a","request-method":«"psot"»"#),
      #""psot" is no request-method"#,
      hint: "did you mean post?"
    ),
    DiagnosticCase(
      .invalidRequestMethod,
      blocking(#""url-filter":"a","request-method":«["get"]»"#),
      hint: "write a rule for every method"
    ),
    DiagnosticCase(
      .invalidConditionList,
      blocking(#""url-filter":"a","if-domain":«"a.com"»"#),
      "if-domain must be an array, not a string",
      hint: #"write ["a.com"]"#
    ),
    DiagnosticCase(.invalidConditionList, blocking(#""url-filter":"a","unless-top-url":«[]»"#)),
    DiagnosticCase(.invalidConditionList, blocking(#""url-filter":"a","if-frame-url":["a",«""»]"#)),
    DiagnosticCase(
      .domainNotLowerCaseASCII,
      blocking(#""url-filter":"a","if-domain":["a.«C»om"]"#),
      "a domain must be in lower case",
      hint: #"write "a.com""#
    ),
    DiagnosticCase(
      .domainNotLowerCaseASCII,
      blocking(#""url-filter":"a","if-domain":["b«ü».de"]"#),
      "a domain must be ASCII",
      hint: "write it in punycode, with labels that begin with xn--"
    ),
    DiagnosticCase(
      .multipleConditions,
      blocking(#""url-filter":"a","if-domain":["a"],«"unless-domain"»:["b"]"#),
      "a trigger has at most one condition, and this one has if-domain already",
      hint: "write two rules"
    ),
    DiagnosticCase(.invalidPattern, blocking(#""url-filter":"ad«|»banner""#)),
    DiagnosticCase(.invalidPattern, blocking(#""url-filter":"\u0061«|»\\.b""#)),
    DiagnosticCase(.invalidPattern, blocking(#""url-filter":"a","if-top-url":["«(»a"]"#)),
    DiagnosticCase(.invalidPattern, blocking(#""url-filter":"a","if-domain":["a«|»b"]"#)),
  ]
}
