import ContentRules

extension DiagnosticCase {
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
}
