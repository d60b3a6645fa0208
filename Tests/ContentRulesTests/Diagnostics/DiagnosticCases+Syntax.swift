import ContentRules

extension DiagnosticCase {
  static let syntax: [DiagnosticCase] = [
    DiagnosticCase(.otherFormat, "«»[Adblock Plus 2.0]\n||a.test^\n"),
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
}
