extension DiagnosticCode {
  /// An explanation of the code in a sentence or two, for people who see it for the first time.
  public var meaning: String { Self.meanings[self] ?? rawValue }

  private static let meanings: [DiagnosticCode: String] = [
    .jsonEmptyText: "The text holds nothing but white space.",
    .jsonTextTooLong: "The text is longer than a WebKit string can be, 2,147,483,647 bytes.",
    .otherFormat: "The file is of another kind: filters, hosts, a web page, a picture, UTF-16.",
    .jsonByteOrderMark: "The text begins with a byte-order mark.",
    .jsonComment: "A comment; JSON has none.",
    .jsonInvalidWhiteSpace: "White space other than space, tab, line feed and carriage return.",
    .jsonTrailingComma: "A comma with nothing after it.",
    .jsonMissingComma: "Two values without a comma between them.",
    .jsonMissingColon: "A key without a colon after it.",
    .jsonMissingValue: "A value is missing.",
    .jsonInvalidQuotes: "A string in quotation marks other than \".",
    .jsonUnquotedKey: "A key without quotation marks.",
    .jsonInvalidEscape: "A backslash that is not followed by a known escape.",
    .jsonInvalidNumber: "A number in a form that JSON does not have.",
    .jsonUnknownWord: "A bare word other than true, false and null.",
    .jsonUnexpectedCharacter: "A character that cannot stand where it does.",
    .jsonMismatchedBracket: "A bracket that closes nothing, or the wrong thing.",
    .jsonUnterminatedString: "A string without an end.",
    .jsonUnexpectedEnd: "The text ends inside of an array or an object.",
    .jsonTextAfterList: "Something after the end of the list.",
    .jsonTooDeep: "Values nested deeper than WebKit reads.",
    .jsonInvalidUTF8: "Bytes that are not UTF-8.",
    .listNotAnArray: "The text is not an array.",
    .tooManyRules: "The array has more than 150,000 elements.",
    .exceedsLimits: """
    WebKit accepts the list, but its patterns would make every load too slow; it is not compiled.
    """,
    .noRules: "The list is empty, or every rule was skipped.",
    .invalidRule: "An element is not an object.",
    .invalidRuleIdentifier: "_identifier is not a number.",
    .invalidTrigger: "trigger is missing or not an object.",
    .invalidURLFilter: "url-filter is missing, empty or not a string.",
    .invalidFlagsArray: "A list of types or contexts is not an array.",
    .invalidFlag: "A word that is no type or context.",
    .invalidRequestMethod: "request-method is not one of nine words.",
    .invalidConditionList: "A condition is not a list of texts, or empty.",
    .domainNotLowerCaseASCII: "A domain with other than lower-case ASCII.",
    .multipleConditions: "A trigger with a second condition.",
    .invalidPattern: "A pattern that WebKit refuses.",
    .invalidAction: "action is missing or not an object.",
    .invalidActionType: "type is missing or unknown.",
    .missingSelector: "css-display-none without a string selector.",
    .invalidNotification: "notify without a string notification.",
    .redirectMissing: "redirect without an object redirect.",
    .redirectInvalidType: "A redirect that says not where to.",
    .redirectExtensionPathWithoutSlash: "extension-path does not begin with /.",
    .redirectURLInvalid: "url is not a valid absolute URL.",
    .redirectToJavaScriptURL: "A redirect to the scheme javascript.",
    .redirectSchemeInvalid: "scheme is not a scheme.",
    .redirectPortInvalid: "port is not empty and not a port.",
    .redirectQueryInvalid: "query is not empty and does not begin with ?.",
    .redirectFragmentInvalid: "fragment is not empty and does not begin with #.",
    .removeParametersNotStrings: "remove-parameters is not an array of strings.",
    .addOrReplaceNotAnArray: "add-or-replace-parameters is not an array.",
    .addOrReplaceNotAnObject: "A parameter is not an object.",
    .addOrReplaceWithoutKey: "A parameter has no string key.",
    .addOrReplaceWithoutValue: "A parameter has no string value.",
    .headersNotAnArray: "A list of header changes is not an array.",
    .headerChangeNotAnObject: "A header change is not an object.",
    .headerChangeWithoutOperation: "A header change has no string operation.",
    .headerChangeWithoutHeader: "A header change has no string header.",
    .headerChangeWithoutValue: "A header is set or appended without a string value.",
    .headerChangeInvalidOperation: "operation is not set, append or remove.",
    .modifyHeadersInvalidPriority: "priority is missing or out of range.",
    .unknownKey: "A key that WebKit ignores.",
    .misplacedKey: "A key that WebKit ignores where it stands, but knows elsewhere.",
    .duplicateKey: "A key that stands twice; the last one counts.",
    .ignoredValue: "A value of the wrong type, which WebKit ignores.",
    .skippedRule: "A rule that WebKit drops because its selector is invalid.",
    .openSelector: """
    A selector without its closing bracket, quotation mark or comment; it hides nothing, and without \
    a condition no rule beside it does.
    """,
    .invalidPatternInSkippedRule:
      "A pattern that would refuse the list if its rule were not skipped.",
    .unmatchableDomain: "A domain that no page can match.",
    .suspiciousDomain: "A domain that matches something else than it looks.",
    .domainWithPort: "A domain that matches one port only.",
    .patternMatchesEverything: "A pattern that applies to every URL, though it does not look so.",
    .patternMatchesNothing: "A pattern that no URL can match.",
    .patternMisleadingEscape:
      "An escape that means something else than in other regular expressions.",
    .patternLiteralBrace: "A brace that looks like a quantifier but stands for itself.",
    .patternEmptySet: "A set that matches no character, in a part that may be left out.",
    .patternImpossibleCharacter: "A character that URLs never hold in their serialised form.",
    .patternUselessPart: "A part that does not change what a pattern matches.",
    .patternUnescapedDot: "A full stop in a name, which matches any character.",
    .patternDelimiters: "Slashes and flags around a pattern, which are part of it here.",
    .patternUpperCase: "Capital letters where URLs have none.",
    .requestMethodWithCondition:
      "request-method beside a condition, which WebKit then never sees to match.",
    .neverApplies: "A rule whose restrictions exclude each other.",
    .flagWithoutCondition: "A case flag without the condition that it speaks of.",
    .emptyFlagsArray: "An empty list of types, which restricts nothing.",
    .unrestrictingFlags: "A list of types that names all there are.",
    .repeatedMember: "A list that names the same thing twice.",
    .nothingToIgnore: "An ignore rule with no rules before or after it.",
    .inertAction: "Actions that do nothing in an ordinary content blocker.",
    .unusedResponseHeaders: "response-headers, which WebKit keeps but never applies.",
    .blockAndRedirect: "A list that both blocks and redirects.",
    .scatteredExceptions: "Exceptions between the rules, which cost more than at the end.",
    .unknownToTarget: "Something that the target release does not know yet.",
    .patternQuestionMark: """
    A question mark makes the character in front of it optional; it seems to be meant as the one \
    that begins a query.
    """,
    .openHostGroup: """
    A dot without a backslash ends the group for subdomains, so that any host matches that merely \
    ends in the name.
    """,
    .nothingToUpgrade: "make-https acts on http and ws URLs without a port alone.",
    .frameURLOfFrame: """
    The first document of a frame is loaded while the frame's URL is about:blank.
    """,
    .documentException: """
    The exception is for the document's own load; what the page loads is not excepted. Not said where \
    kinds of frames are named, or every document.
    """,
    .duplicateRule: "The same rule stands before it, with no exception between them.",
    .rulesVoided:
      "An ignore rule for every load, or every one that they can match, leaves rules without effect.",
    .everyPage: "The rule blocks or hides every page, and no exception follows.",
    .moreOfTheSame: "Says how many diagnostics of a code were left out.",
  ]
}
