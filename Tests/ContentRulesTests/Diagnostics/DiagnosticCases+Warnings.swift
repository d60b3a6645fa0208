import ContentRules

extension DiagnosticCase {
  /// What `TrapTests` looks at more closely.
  static let traps: [DiagnosticCase] = [
    DiagnosticCase(.patternQuestionMark, blocking(#""url-filter":"/ads«?»id=1""#)),
    DiagnosticCase(.openHostGroup, blocking(#""url-filter":"^https?://([^/]+«.»)?host""#)),
    DiagnosticCase(
      .nothingToUpgrade,
      #"[{"trigger":{"url-filter":«"^https://a/"»},"action":{"type":"make-https"}}]"#
    ),
    DiagnosticCase(
      .frameURLOfFrame,
      blocking(#""url-filter":"a","resource-type":["child-document"],«"if-frame-url"»:["^https:"]"#)
    ),
    DiagnosticCase(
      .documentException,
      "[\(rule),"
        + #"{"trigger":{"url-filter":"a","resource-type":«["document"]»},"#
        + #""action":{"type":"ignore-previous-rules"}}]"#
    ),
    DiagnosticCase(.duplicateRule, "[\(rule),«\(rule)»]"),
    DiagnosticCase(
      .rulesVoided,
      "[\(rule)," + #"«{"trigger":{"url-filter":".*"},"action":{"type":"ignore-previous-rules"}}»]"#
    ),
    DiagnosticCase(
      .everyPage,
      #"[«{"trigger":{"url-filter":".*"},"action":{"type":"block"}}»]"#
    ),
  ]

  static let warnings: [DiagnosticCase] = [
    DiagnosticCase(
      .unknownKey,
      blocking(#""url-filter":"a",«"if-domains"»:["a"]"#),
      #"WebKit ignores the unknown key "if-domains""#,
      hint: "did you mean if-domain?"
    ),
    DiagnosticCase(
      .unknownKey,
      blocking(#""url-filter":"a",«"unless-topurl"»:["a"]"#),
      hint: "did you mean unless-top-url?"
    ),
    DiagnosticCase(
      .unknownKey,
      blocking(#""url-filter":"a",«"if-ancestor-frame-url"»:["a"]"#),
      hint: "this key was in development in mid-2025 only; if-frame-url is there to stay"
    ),
    DiagnosticCase(.unknownKey, blocking(#""url-filter":"a",«"note"»:{"if-domain":[]}"#)),
    DiagnosticCase(
      .misplacedKey,
      #"[{"trigger":{"url-filter":"a"},«"if-domain"»:["a"],"action":{"type":"block"}}]"#,
      "WebKit does not look for if-domain here",
      hint: "if-domain belongs into trigger"
    ),
    DiagnosticCase(
      .misplacedKey,
      acting(#""type":"block",«"selector"»:".a""#),
      "block does not use selector",
      hint: "selector belongs to css-display-none"
    ),
    DiagnosticCase(.duplicateKey, blocking(#"«"url-filter"»:"a|b","url-filter":"a""#)),
    DiagnosticCase(
      .ignoredValue,
      blocking(#""url-filter":"a","url-filter-is-case-sensitive":«"true"»"#),
      "url-filter-is-case-sensitive must be a boolean, not a string; WebKit ignores it"
    ),
    DiagnosticCase(
      .skippedRule,
      "[\(rule),"
        + #"{"trigger":{"url-filter":"a"},"action":{"type":"css-display-none","selector":"a,«»"}}]"#
    ),
    DiagnosticCase(
      .skippedRule,
      "[\(rule),"
        + #"{"trigger":{"url-filter":"a"},"action":{"type":"css-display-none","selector":"«{»"}}]"#
    ),
    DiagnosticCase(
      .invalidPatternInSkippedRule,
      "[\(rule),"
        + #"{"trigger":{"url-filter":"a«|»b"},"action":{"type":"css-display-none","selector":">"}}]"#
    ),
    DiagnosticCase(
      .unmatchableDomain,
      blocking(#""url-filter":"a","if-domain":["«*.»a.com"]"#),
      "a domain that begins with *. matches no page",
      hint: "write *a.com, which is the domain and all its subdomains"
    ),
    DiagnosticCase(.unmatchableDomain, blocking(#""url-filter":"a","if-domain":["«*»"]"#)),
    DiagnosticCase(.unmatchableDomain, blocking(#""url-filter":"a","if-domain":["a.«*»"]"#)),
    DiagnosticCase(.unmatchableDomain, blocking(#""url-filter":"a","if-domain":["«.»a.com"]"#)),
    DiagnosticCase(.unmatchableDomain, blocking(#""url-filter":"a","if-domain":["«[»::1]"]"#)),
    DiagnosticCase(
      .unmatchableDomain,
      blocking(#""url-filter":"a","if-domain":["«http://»a.com"]"#),
      hint: "write the domain alone"
    ),
    DiagnosticCase(
      .unmatchableDomain,
      blocking(#""url-filter":"a","if-domain":["a.com«,»b.com"]"#)
    ),
    DiagnosticCase(.suspiciousDomain, blocking(#""url-filter":"a","if-domain":["a.com«/x»"]"#)),
    DiagnosticCase(.suspiciousDomain, blocking(#""url-filter":"a","if-domain":["a.com«.»"]"#)),
    DiagnosticCase(.suspiciousDomain, blocking(#""url-filter":"a","if-domain":["a«+»b.com"]"#)),
    DiagnosticCase(.domainWithPort, blocking(#""url-filter":"a","if-domain":["a.com«:8080»"]"#)),
    DiagnosticCase(.patternMatchesEverything, blocking(#""url-filter":"«^$»""#)),
    DiagnosticCase(.patternMatchesEverything, blocking(#""url-filter":"«a*»""#)),
    DiagnosticCase(
      .patternMatchesNothing,
      blocking(#""url-filter":"a«[]»""#),
      "no URL matches url-filter: the empty set matches nothing"
    ),
    DiagnosticCase(.patternEmptySet, blocking(#""url-filter":"a«[]»?b""#)),
    DiagnosticCase(.patternMisleadingEscape, blocking(#""url-filter":"ab«\\p»""#)),
    DiagnosticCase(.patternLiteralBrace, blocking(#""url-filter":"a«{»1""#)),
    DiagnosticCase(.patternImpossibleCharacter, blocking(#""url-filter":"a« »b""#)),
    DiagnosticCase(.patternUselessPart, blocking(#""url-filter":"«.*»b""#)),
    DiagnosticCase(.patternUnescapedDot, blocking(#""url-filter":"a«.»com""#)),
    DiagnosticCase(.patternDelimiters, blocking(#""url-filter":"/ad[sx]«/i»""#)),
    DiagnosticCase(
      .patternUpperCase,
      blocking(#""url-filter":"https://«A»ds/","url-filter-is-case-sensitive":true"#)
    ),
    DiagnosticCase(
      .requestMethodWithCondition,
      blocking(#""url-filter":"a",«"request-method"»:"get","if-domain":["a"]"#),
      "beside request-method WebKit never sees the condition match: the rule never applies"
    ),
    DiagnosticCase(
      .requestMethodWithCondition,
      blocking(#""url-filter":"a",«"request-method"»:"get","unless-top-url":["a"]"#),
      "beside request-method WebKit never sees the condition match: the rule applies on every page"
    ),
    DiagnosticCase(
      .neverApplies,
      blocking(
        #""url-filter":"a","resource-type":["top-document"],"load-context":«["child-frame"]»"#
      )
    ),
    DiagnosticCase(
      .flagWithoutCondition,
      blocking(#""url-filter":"a",«"top-url-filter-is-case-sensitive"»:true"#)
    ),
    DiagnosticCase(
      .flagWithoutCondition,
      blocking(
        #""url-filter":"a",«"frame-url-filter-is-case-sensitive"»:true,"if-top-url":["a"]"#
      )
    ),
    DiagnosticCase(
      .openSelector,
      acting(#""type":"css-display-none","selector":«".a:is(.b"»"#)
    ),
    DiagnosticCase(.emptyFlagsArray, blocking(#""url-filter":"a","resource-type":«[]»"#)),
    DiagnosticCase(
      .unrestrictingFlags,
      blocking(#""url-filter":"a","load-type":«["first-party","third-party"]»"#)
    ),
    DiagnosticCase(
      .repeatedMember,
      blocking(#""url-filter":"a","resource-type":["image",«"image"»]"#)
    ),
    DiagnosticCase(
      .repeatedMember,
      blocking(#""url-filter":"a","if-domain":["a.com","b.com",«"a.com"»]"#),
      "a.com stands twice in if-domain"
    ),
    DiagnosticCase(
      .nothingToIgnore,
      #"[«{"trigger":{"url-filter":"a"},"action":{"type":"ignore-previous-rules"}}»,\#(rule)]"#
    ),
    DiagnosticCase(
      .nothingToIgnore,
      #"[\#(rule),«{"trigger":{"url-filter":"a"},"action":{"type":"ignore-following-rules"}}»]"#
    ),
    DiagnosticCase(
      .inertAction,
      acting(#""type":«"redirect"»,"redirect":{"url":"https://a.com/"}"#),
      "1 rule has the action redirect, which does nothing in an ordinary content blocker"
    ),
    DiagnosticCase(
      .unusedResponseHeaders,
      acting(
        #""type":"modify-headers","priority":1,"#
          + #"«"response-headers"»:[{"operation":"remove","header":"a"}]"#
      )
    ),
    DiagnosticCase(
      .blockAndRedirect,
      "[\(rule),"
        + #"{"trigger":{"url-filter":"a"},"action":"#
        + #"{"type":«"redirect"»,"redirect":{"extension-path":"/"}}}]"#
    ),
  ]
}
