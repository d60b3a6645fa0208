import ContentRules
import Testing

/// A list, the diagnostic that it must give, and where.
struct DiagnosticCase: CustomTestStringConvertible {
  var code: DiagnosticCode
  var text: String
  var message: String?
  var hint: String?

  init(_ code: DiagnosticCode, _ text: String, _ message: String? = nil, hint: String? = nil) {
    self.code = code
    self.text = text
    self.message = message
    self.hint = hint
  }

  var testDescription: String { "\(code.rawValue): \(text)" }
}

extension DiagnosticCase {
  private static let rule = #"{"trigger":{"url-filter":"a"},"action":{"type":"block"}}"#

  static let syntax: [DiagnosticCase] = [
    DiagnosticCase(.jsonEmptyText, "«» \n", "the text is empty"),
    DiagnosticCase(.jsonByteOrderMark, "«\u{FEFF}»[\(rule)]"),
    DiagnosticCase(
      .jsonComment,
      "[\(rule) «/* x */»]",
      "JSON has no comments",
      hint: "remove the comment; a note can go into a key that WebKit ignores"
    ),
    DiagnosticCase(.jsonComment, "[«// x»\n\(rule)]"),
    DiagnosticCase(.jsonComment, "«# x»\n[\(rule)]"),
    DiagnosticCase(
      .jsonInvalidWhiteSpace,
      "[«\u{A0}»\(rule)]",
      "U+00A0 is not white space in JSON"
    ),
    DiagnosticCase(.jsonInvalidWhiteSpace, "[«\u{0C}»\(rule)]"),
    DiagnosticCase(
      .jsonTrailingComma,
      "[\(rule)«,»]",
      "a comma must not stand before ']'",
      hint: "remove the comma"
    ),
    DiagnosticCase(
      .jsonTrailingComma,
      #"[{"trigger":{"url-filter":"a"«,» },"action":{"type":"block"}}]"#
    ),
    DiagnosticCase(
      .jsonTrailingComma,
      blocking(#""url-filter":"a","load-type":["first-party"«,»]"#)
    ),
    DiagnosticCase(.jsonMissingComma, "[\(rule)«»\n\(rule)]", "expected ',', found '{'"),
    DiagnosticCase(.jsonMissingComma, blocking(#""url-filter":"a"«» "if-domain":["a"]"#)),
    DiagnosticCase(.jsonMissingComma, blocking(#""url-filter":"a","if-domain":["a"«» "b"]"#)),
    DiagnosticCase(.jsonMissingColon, blocking(#""url-filter"«» "a""#)),
    DiagnosticCase(.jsonMissingColon, blocking(#""url-filter" «=»> "a""#)),
    DiagnosticCase(.jsonMissingValue, blocking(#""url-filter":"a","x":«,»"y":1"#)),
    DiagnosticCase(.jsonMissingValue, "[«,»\(rule)]"),
    DiagnosticCase(
      .jsonInvalidQuotes,
      blocking(#""url-filter":«'»a'"#),
      "strings stand in double quotation marks",
      hint: "write \" instead of '"
    ),
    DiagnosticCase(
      .jsonInvalidQuotes,
      blocking(#""url-filter":«“»a”"#),
      hint: "write \" instead of “"
    ),
    DiagnosticCase(
      .jsonUnquotedKey,
      blocking("«url-filter»:\"a\""),
      "a key must stand in quotation marks",
      hint: "write \"url-filter\""
    ),
    DiagnosticCase(
      .jsonInvalidEscape,
      blocking(#""url-filter":"a«\.»com""#),
      #"'\' must not stand before '.' in a JSON string"#,
      hint: #"write a backslash that belongs to a pattern or a selector twice: \\"#
    ),
    DiagnosticCase(.jsonInvalidEscape, blocking(#""url-filter":"«\x»4""#)),
    DiagnosticCase(.jsonInvalidEscape, blocking(#""url-filter":"a«\u»12g4""#)),
    DiagnosticCase(
      .jsonInvalidNumber,
      blocking(#""url-filter":"a","x":«01»"#),
      "01 is not a JSON number"
    ),
    DiagnosticCase(.jsonInvalidNumber, blocking(#""url-filter":"a","x":«+1»"#)),
    DiagnosticCase(.jsonInvalidNumber, blocking(#""url-filter":"a","x":«1.»"#)),
    DiagnosticCase(.jsonInvalidNumber, blocking(#""url-filter":"a","x":«0x10»"#)),
    DiagnosticCase(
      .jsonUnknownWord,
      blocking(#""url-filter":"a","url-filter-is-case-sensitive":«True»"#),
      "expected a value, found the bare word True",
      hint: "write true"
    ),
    DiagnosticCase(.jsonUnknownWord, "[«NaN»]"),
    DiagnosticCase(
      .jsonUnexpectedCharacter,
      acting(#""type":"css-display-none","selector":"a[b="«c»"]""#),
      "expected ',' or '}', found 'c'",
      hint: #"a quotation mark inside of a string is written \""#
    ),
    DiagnosticCase(.jsonUnexpectedCharacter, "[«@»]"),
    DiagnosticCase(
      .jsonMismatchedBracket,
      #"[{"trigger":{"url-filter":"a"},"action":{"type":"block"}«]»"#,
      "expected '}', found ']'",
      hint: "a '}' is probably missing before it"
    ),
    DiagnosticCase(.jsonMismatchedBracket, "[\(rule)«}»]"),
    DiagnosticCase(.jsonMismatchedBracket, blocking(#""url-filter":"a","if-domain":["a"«}»"#)),
    DiagnosticCase(
      .jsonUnterminatedString,
      #"[{"trigger":{"url-filter":«"»a}}]"#,
      "the string that begins here has no end"
    ),
    DiagnosticCase(
      .jsonUnexpectedEnd,
      #"[{"trigger":{"url-filter":"a"}«»"#,
      "the text ends before the list does",
      hint: "what is still open needs }]"
    ),
    DiagnosticCase(.jsonUnexpectedEnd, "«[»\(rule)", "the list that begins here has no end"),
    DiagnosticCase(
      .jsonTextAfterList,
      "[\(rule)]\n«[»\(rule)]",
      "expected the end of the text, found '['",
      hint: "a text holds one list; join them into one array"
    ),
    DiagnosticCase(.jsonTextAfterList, "[\(rule)]«,»\(rule)]"),
    DiagnosticCase(
      .jsonTooDeep,
      String(repeating: "[", count: 1001) + "«[»" + String(repeating: "]", count: 1002)
    ),
  ]

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

  static let actions: [DiagnosticCase] = [
    DiagnosticCase(.invalidActionType, acting(#""type":«"BLOCK"»"#), hint: "did you mean block?"),
    DiagnosticCase(
      .invalidActionType,
      acting(#""type":«"allow"»"#),
      #""allow" is no type of action"#,
      hint: "did you mean ignore-previous-rules?"
    ),
    DiagnosticCase(
      .missingSelector,
      #"[{"trigger":{"url-filter":"a"},"action":«{»"type":"css-display-none"}}]"#,
      "a css-display-none action needs a string selector"
    ),
    DiagnosticCase(.invalidNotification, acting(#""type":"notify","notification":«5»"#)),
    DiagnosticCase(.redirectMissing, acting(#""type":"redirect","redirect":«"x"»"#)),
    DiagnosticCase(.redirectInvalidType, acting(#""type":"redirect","redirect":«{»"urls":"x"}"#)),
    DiagnosticCase(
      .redirectExtensionPathWithoutSlash,
      acting(#""type":"redirect","redirect":{"extension-path":«"a.html"»}"#)
    ),
    DiagnosticCase(.redirectURLInvalid, acting(#""type":"redirect","redirect":{"url":«"/a"»}"#)),
    DiagnosticCase(
      .redirectURLInvalid,
      acting(#""type":"redirect","redirect":{"url":«"https://127..1/"»}"#)
    ),
    DiagnosticCase(
      .redirectToJavaScriptURL,
      acting(#""type":"redirect","redirect":{"url":«"JavaScript:a"»}"#)
    ),
    DiagnosticCase(
      .redirectToJavaScriptURL,
      acting(#""type":"redirect","redirect":{"transform":{"scheme":«"javascript"»}}"#)
    ),
    DiagnosticCase(
      .redirectSchemeInvalid,
      acting(#""type":"redirect","redirect":{"transform":{"scheme":«"https://"»}}"#)
    ),
    DiagnosticCase(
      .redirectPortInvalid,
      acting(#""type":"redirect","redirect":{"transform":{"port":«"65536"»}}"#)
    ),
    DiagnosticCase(
      .redirectQueryInvalid,
      acting(#""type":"redirect","redirect":{"transform":{"query":«"a=b"»}}"#),
      "query must be empty or begin with '?'",
      hint: #"write "?a=b""#
    ),
    DiagnosticCase(
      .redirectFragmentInvalid,
      acting(#""type":"redirect","redirect":{"transform":{"fragment":«"a"»}}"#)
    ),
    DiagnosticCase(
      .removeParametersNotStrings,
      acting(
        #""type":"redirect","redirect":{"transform":{"query-transform":"#
          + #"{"remove-parameters":["a",«5»]}}}"#
      )
    ),
    DiagnosticCase(
      .addOrReplaceNotAnArray,
      acting(
        #""type":"redirect","redirect":{"transform":{"query-transform":"#
          + #"{"add-or-replace-parameters":«{}»}}}"#
      )
    ),
    DiagnosticCase(
      .addOrReplaceNotAnObject,
      acting(
        #""type":"redirect","redirect":{"transform":{"query-transform":"#
          + #"{"add-or-replace-parameters":[«5»]}}}"#
      )
    ),
    DiagnosticCase(
      .addOrReplaceWithoutKey,
      acting(
        #""type":"redirect","redirect":{"transform":{"query-transform":"#
          + #"{"add-or-replace-parameters":[«{»"value":"v"}]}}}"#
      )
    ),
    DiagnosticCase(
      .addOrReplaceWithoutValue,
      acting(
        #""type":"redirect","redirect":{"transform":{"query-transform":"#
          + #"{"add-or-replace-parameters":[{"key":"k","value":«5»}]}}}"#
      )
    ),
    DiagnosticCase(
      .headersNotAnArray,
      acting(#""type":"modify-headers","priority":1,"request-headers":«{}»"#)
    ),
    DiagnosticCase(
      .headerChangeNotAnObject,
      acting(#""type":"modify-headers","priority":1,"request-headers":[«5»]"#)
    ),
    DiagnosticCase(
      .headerChangeWithoutOperation,
      acting(#""type":"modify-headers","priority":1,"request-headers":[«{»}]"#)
    ),
    DiagnosticCase(
      .headerChangeWithoutHeader,
      acting(
        #""type":"modify-headers","priority":1,"request-headers":[«{»"operation":"remove"}]"#
      )
    ),
    DiagnosticCase(
      .headerChangeWithoutValue,
      acting(
        #""type":"modify-headers","priority":1,"#
          + #""request-headers":[«{»"operation":"set","header":"a"}]"#
      )
    ),
    DiagnosticCase(
      .headerChangeInvalidOperation,
      acting(
        #""type":"modify-headers","priority":1,"#
          + #""request-headers":[{"operation":«"replace"»,"header":"a"}]"#
      ),
      hint: "did you mean set?"
    ),
    DiagnosticCase(
      .modifyHeadersInvalidPriority,
      acting(#""type":"modify-headers","priority":«-1»"#)
    ),
    DiagnosticCase(
      .modifyHeadersInvalidPriority,
      acting(#""type":"modify-headers","priority":«1e10»"#)
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
      blocking(#""url-filter":"https://«A»ds","url-filter-is-case-sensitive":true"#)
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

  static let all = syntax + lists + triggers + actions + warnings
}
