/// The kind of a diagnostic, stable over releases.
///
/// An open set: compare with the static members, and expect others. The raw value is lower-case
/// words joined by hyphens.
public struct DiagnosticCode: RawRepresentable, Hashable, Sendable {
  /// The words, such as `json-trailing-comma`.
  public let rawValue: String

  /// Creates a code from its words.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The error by which WebKit refuses a list for this; `nil` for warnings and notes.
  public var webKitError: WebKitError? { Self.webKitErrors[self] }

  /// The severity of diagnostics of this code.
  public var severity: Diagnostic.Severity {
    webKitError != nil || self == .exceedsLimits
      ? .error : Self.notes.contains(self) ? .note : .warning
  }
}

// MARK: The JSON text

extension DiagnosticCode {
  /// The text holds nothing but white space.
  public static let jsonEmptyText = DiagnosticCode(rawValue: "json-empty-text")
  /// The text is longer than a WebKit string can be, 2,147,483,647 bytes.
  public static let jsonTextTooLong = DiagnosticCode(rawValue: "json-text-too-long")
  /// The text is a list of another kind: filters, hosts, a web page.
  public static let otherFormat = DiagnosticCode(rawValue: "other-format")
  /// The text begins with a byte-order mark.
  public static let jsonByteOrderMark = DiagnosticCode(rawValue: "json-byte-order-mark")
  /// A comment; JSON has none.
  public static let jsonComment = DiagnosticCode(rawValue: "json-comment")
  /// White space other than space, tab, line feed and carriage return.
  public static let jsonInvalidWhiteSpace = DiagnosticCode(rawValue: "json-invalid-white-space")
  /// A comma with nothing after it.
  public static let jsonTrailingComma = DiagnosticCode(rawValue: "json-trailing-comma")
  /// Two values without a comma between them.
  public static let jsonMissingComma = DiagnosticCode(rawValue: "json-missing-comma")
  /// A key without a colon after it.
  public static let jsonMissingColon = DiagnosticCode(rawValue: "json-missing-colon")
  /// A value is missing.
  public static let jsonMissingValue = DiagnosticCode(rawValue: "json-missing-value")
  /// A string in quotation marks other than `"`.
  public static let jsonInvalidQuotes = DiagnosticCode(rawValue: "json-invalid-quotes")
  /// A key without quotation marks.
  public static let jsonUnquotedKey = DiagnosticCode(rawValue: "json-unquoted-key")
  /// A backslash that is not followed by a known escape.
  public static let jsonInvalidEscape = DiagnosticCode(rawValue: "json-invalid-escape")
  /// A number in a form that JSON does not have.
  public static let jsonInvalidNumber = DiagnosticCode(rawValue: "json-invalid-number")
  /// A bare word other than `true`, `false` and `null`.
  public static let jsonUnknownWord = DiagnosticCode(rawValue: "json-unknown-word")
  /// A character that cannot stand where it does.
  public static let jsonUnexpectedCharacter = DiagnosticCode(rawValue: "json-unexpected-character")
  /// A bracket that closes nothing, or the wrong thing.
  public static let jsonMismatchedBracket = DiagnosticCode(rawValue: "json-mismatched-bracket")
  /// A string without an end.
  public static let jsonUnterminatedString = DiagnosticCode(rawValue: "json-unterminated-string")
  /// The text ends inside of an array or an object.
  public static let jsonUnexpectedEnd = DiagnosticCode(rawValue: "json-unexpected-end")
  /// Something after the end of the list.
  public static let jsonTextAfterList = DiagnosticCode(rawValue: "json-text-after-list")
  /// Values nested deeper than WebKit reads.
  public static let jsonTooDeep = DiagnosticCode(rawValue: "json-too-deep")
  /// Bytes that are not UTF-8.
  public static let jsonInvalidUTF8 = DiagnosticCode(rawValue: "json-invalid-utf8")
}

// MARK: The list

extension DiagnosticCode {
  /// The text is not an array.
  public static let listNotAnArray = DiagnosticCode(rawValue: "list-not-an-array")
  /// The array has more than 150,000 elements.
  public static let tooManyRules = DiagnosticCode(rawValue: "too-many-rules")
  /// The list is empty, or every rule was skipped.
  public static let noRules = DiagnosticCode(rawValue: "no-rules")
  /// An element is not an object.
  public static let invalidRule = DiagnosticCode(rawValue: "invalid-rule")
  /// `_identifier` is not a number.
  public static let invalidRuleIdentifier = DiagnosticCode(rawValue: "invalid-rule-identifier")
}

// MARK: Triggers

extension DiagnosticCode {
  /// `trigger` is missing or not an object.
  public static let invalidTrigger = DiagnosticCode(rawValue: "invalid-trigger")
  /// `url-filter` is missing, empty or not a string.
  public static let invalidURLFilter = DiagnosticCode(rawValue: "invalid-url-filter")
  /// A list of types or contexts is not an array.
  public static let invalidFlagsArray = DiagnosticCode(rawValue: "invalid-flags-array")
  /// A word that is no type or context.
  public static let invalidFlag = DiagnosticCode(rawValue: "invalid-flag")
  /// `request-method` is not one of nine words.
  public static let invalidRequestMethod = DiagnosticCode(rawValue: "invalid-request-method")
  /// A condition is not a list of texts, or empty.
  public static let invalidConditionList = DiagnosticCode(rawValue: "invalid-condition-list")
  /// A domain with other than lower-case ASCII.
  public static let domainNotLowerCaseASCII =
    DiagnosticCode(rawValue: "domain-not-lower-case-ascii")
  /// A trigger with a second condition.
  public static let multipleConditions = DiagnosticCode(rawValue: "multiple-conditions")
  /// A pattern that WebKit refuses.
  public static let invalidPattern = DiagnosticCode(rawValue: "invalid-pattern")
}

// MARK: Actions

extension DiagnosticCode {
  /// `action` is missing or not an object.
  public static let invalidAction = DiagnosticCode(rawValue: "invalid-action")
  /// `type` is missing or unknown.
  public static let invalidActionType = DiagnosticCode(rawValue: "invalid-action-type")
  /// `css-display-none` without a string `selector`.
  public static let missingSelector = DiagnosticCode(rawValue: "missing-selector")
  /// `notify` without a string `notification`.
  public static let invalidNotification = DiagnosticCode(rawValue: "invalid-notification")
  /// `redirect` without an object `redirect`.
  public static let redirectMissing = DiagnosticCode(rawValue: "redirect-missing")
  /// A redirect without a target.
  public static let redirectInvalidType = DiagnosticCode(rawValue: "redirect-invalid-type")
  /// `extension-path` does not begin with `/`.
  public static let redirectExtensionPathWithoutSlash =
    DiagnosticCode(rawValue: "redirect-extension-path-without-slash")
  /// `url` is not a valid absolute URL.
  public static let redirectURLInvalid = DiagnosticCode(rawValue: "redirect-url-invalid")
  /// A redirect to the scheme `javascript`.
  public static let redirectToJavaScriptURL = DiagnosticCode(rawValue: "redirect-to-javascript-url")
  /// `scheme` is not a scheme.
  public static let redirectSchemeInvalid = DiagnosticCode(rawValue: "redirect-scheme-invalid")
  /// `port` is not empty and not a port.
  public static let redirectPortInvalid = DiagnosticCode(rawValue: "redirect-port-invalid")
  /// `query` is not empty and does not begin with `?`.
  public static let redirectQueryInvalid = DiagnosticCode(rawValue: "redirect-query-invalid")
  /// `fragment` is not empty and does not begin with `#`.
  public static let redirectFragmentInvalid = DiagnosticCode(rawValue: "redirect-fragment-invalid")
  /// `remove-parameters` is not an array of strings.
  public static let removeParametersNotStrings =
    DiagnosticCode(rawValue: "remove-parameters-not-strings")
  /// `add-or-replace-parameters` is not an array.
  public static let addOrReplaceNotAnArray = DiagnosticCode(rawValue: "add-or-replace-not-an-array")
  /// A parameter is not an object.
  public static let addOrReplaceNotAnObject =
    DiagnosticCode(rawValue: "add-or-replace-not-an-object")
  /// A parameter has no string `key`.
  public static let addOrReplaceWithoutKey = DiagnosticCode(rawValue: "add-or-replace-without-key")
  /// A parameter has no string `value`.
  public static let addOrReplaceWithoutValue =
    DiagnosticCode(rawValue: "add-or-replace-without-value")
  /// A list of header changes is not an array.
  public static let headersNotAnArray = DiagnosticCode(rawValue: "headers-not-an-array")
  /// A header change is not an object.
  public static let headerChangeNotAnObject =
    DiagnosticCode(rawValue: "header-change-not-an-object")
  /// A header change has no string `operation`.
  public static let headerChangeWithoutOperation =
    DiagnosticCode(rawValue: "header-change-without-operation")
  /// A header change has no string `header`.
  public static let headerChangeWithoutHeader =
    DiagnosticCode(rawValue: "header-change-without-header")
  /// A header is set or appended without a string `value`.
  public static let headerChangeWithoutValue =
    DiagnosticCode(rawValue: "header-change-without-value")
  /// `operation` is not `set`, `append` or `remove`.
  public static let headerChangeInvalidOperation =
    DiagnosticCode(rawValue: "header-change-invalid-operation")
  /// `priority` is missing or out of range.
  public static let modifyHeadersInvalidPriority =
    DiagnosticCode(rawValue: "modify-headers-invalid-priority")
}

// MARK: What WebKit says nothing about

extension DiagnosticCode {
  /// A key that WebKit ignores.
  public static let unknownKey = DiagnosticCode(rawValue: "unknown-key")
  /// A key that WebKit ignores where it stands, but knows elsewhere.
  public static let misplacedKey = DiagnosticCode(rawValue: "misplaced-key")
  /// A key that stands twice; the last one counts.
  public static let duplicateKey = DiagnosticCode(rawValue: "duplicate-key")
  /// A value of the wrong type, which WebKit ignores.
  public static let ignoredValue = DiagnosticCode(rawValue: "ignored-value")
  /// A rule that WebKit drops because its selector is invalid.
  public static let skippedRule = DiagnosticCode(rawValue: "skipped-rule")
  /// A selector whose end closes a bracket, string or comment; it hides nothing.
  public static let openSelector = DiagnosticCode(rawValue: "open-selector")
  /// A pattern that would refuse the list if its rule were not skipped.
  public static let invalidPatternInSkippedRule =
    DiagnosticCode(rawValue: "invalid-pattern-in-skipped-rule")
  /// A domain that no page can match.
  public static let unmatchableDomain = DiagnosticCode(rawValue: "unmatchable-domain")
  /// A domain that does not match what it seems to.
  public static let suspiciousDomain = DiagnosticCode(rawValue: "suspicious-domain")
  /// A domain that matches one port only.
  public static let domainWithPort = DiagnosticCode(rawValue: "domain-with-port")
  /// A pattern that unexpectedly matches every URL.
  public static let patternMatchesEverything =
    DiagnosticCode(rawValue: "pattern-matches-everything")
  /// A pattern that no URL can match.
  public static let patternMatchesNothing = DiagnosticCode(rawValue: "pattern-matches-nothing")
  /// An escape that means something else than in other regular expressions.
  public static let patternMisleadingEscape = DiagnosticCode(rawValue: "pattern-misleading-escape")
  /// A brace that looks like a quantifier but stands for itself.
  public static let patternLiteralBrace = DiagnosticCode(rawValue: "pattern-literal-brace")
  /// A set that matches no character, in a part that may be left out.
  public static let patternEmptySet = DiagnosticCode(rawValue: "pattern-empty-set")
  /// A character that URLs never hold in their serialised form.
  public static let patternImpossibleCharacter =
    DiagnosticCode(rawValue: "pattern-impossible-character")
  /// A part that does not change what a pattern matches.
  public static let patternUselessPart = DiagnosticCode(rawValue: "pattern-useless-part")
  /// A full stop in a name, which matches any character.
  public static let patternUnescapedDot = DiagnosticCode(rawValue: "pattern-unescaped-dot")
  /// Slashes and flags around a pattern, which are part of it here.
  public static let patternDelimiters = DiagnosticCode(rawValue: "pattern-delimiters")
  /// Capital letters where URLs have none.
  public static let patternUpperCase = DiagnosticCode(rawValue: "pattern-upper-case")
  /// `request-method` beside a condition, which WebKit then never matches.
  public static let requestMethodWithCondition =
    DiagnosticCode(rawValue: "request-method-with-condition")
  /// A rule whose restrictions exclude each other.
  public static let neverApplies = DiagnosticCode(rawValue: "never-applies")
  /// A case flag without the condition that it applies to.
  public static let flagWithoutCondition = DiagnosticCode(rawValue: "flag-without-condition")
  /// An empty list of types, which restricts nothing.
  public static let emptyFlagsArray = DiagnosticCode(rawValue: "empty-flags-array")
  /// A list of types that names all there are.
  public static let unrestrictingFlags = DiagnosticCode(rawValue: "unrestricting-flags")
  /// A list that names the same thing twice.
  public static let repeatedMember = DiagnosticCode(rawValue: "repeated-member")
  /// A quantifier where a question mark was meant.
  public static let patternQuestionMark = DiagnosticCode(rawValue: "pattern-question-mark")
  /// A group for subdomains that takes any host with the same ending.
  public static let openHostGroup = DiagnosticCode(rawValue: "open-host-group")
  /// An action that no load can need.
  public static let nothingToUpgrade = DiagnosticCode(rawValue: "nothing-to-upgrade")
  /// A frame-URL condition that is not about the frame's document.
  public static let frameURLOfFrame = DiagnosticCode(rawValue: "frame-url-of-frame")
  /// An exception for a document alone, not for what its page loads.
  public static let documentException = DiagnosticCode(rawValue: "document-exception")
  /// A rule that the list has already.
  public static let duplicateRule = DiagnosticCode(rawValue: "duplicate-rule")
  /// An ignore rule that disables all other rules on every page.
  public static let rulesVoided = DiagnosticCode(rawValue: "rules-voided")
  /// A rule that blocks or hides every page.
  public static let everyPage = DiagnosticCode(rawValue: "every-page")
  /// An ignore rule with no rules before or after it.
  public static let nothingToIgnore = DiagnosticCode(rawValue: "nothing-to-ignore")
  /// Actions that do nothing in an ordinary content blocker.
  public static let inertAction = DiagnosticCode(rawValue: "inert-action")
  /// `response-headers`, which WebKit keeps but never applies.
  public static let unusedResponseHeaders = DiagnosticCode(rawValue: "unused-response-headers")
  /// A list that both blocks and redirects.
  public static let blockAndRedirect = DiagnosticCode(rawValue: "block-and-redirect")
  /// Exceptions among the rules, which cost more than at the end.
  public static let scatteredExceptions = DiagnosticCode(rawValue: "scattered-exceptions")
  /// Something that the target release does not support yet.
  public static let unknownToTarget = DiagnosticCode(rawValue: "unknown-to-target")
  /// A list that WebKit accepts but that is too costly to compile here.
  public static let exceedsLimits = DiagnosticCode(rawValue: "exceeds-limits")
  /// The number of diagnostics of a code that were omitted.
  public static let moreOfTheSame = DiagnosticCode(rawValue: "more-of-the-same")
}

// MARK: Tables

extension DiagnosticCode {
  /// Every code of this release, errors first.
  public static let all: [DiagnosticCode] = [
    .otherFormat, .jsonEmptyText, .jsonTextTooLong, .jsonByteOrderMark, .jsonComment,
    .jsonInvalidWhiteSpace,
    .jsonTrailingComma, .jsonMissingComma, .jsonMissingColon, .jsonMissingValue,
    .jsonInvalidQuotes, .jsonUnquotedKey, .jsonInvalidEscape, .jsonInvalidNumber,
    .jsonUnknownWord, .jsonUnexpectedCharacter, .jsonMismatchedBracket, .jsonUnterminatedString,
    .jsonUnexpectedEnd, .jsonTextAfterList, .jsonTooDeep, .jsonInvalidUTF8, .listNotAnArray,
    .tooManyRules, .noRules, .exceedsLimits, .invalidRule, .invalidRuleIdentifier, .invalidTrigger,
    .invalidURLFilter, .invalidFlagsArray, .invalidFlag, .invalidRequestMethod,
    .invalidConditionList, .domainNotLowerCaseASCII, .multipleConditions, .invalidPattern,
    .invalidAction, .invalidActionType, .missingSelector, .invalidNotification, .redirectMissing,
    .redirectInvalidType, .redirectExtensionPathWithoutSlash, .redirectURLInvalid,
    .redirectToJavaScriptURL, .redirectSchemeInvalid, .redirectPortInvalid,
    .redirectQueryInvalid, .redirectFragmentInvalid, .removeParametersNotStrings,
    .addOrReplaceNotAnArray, .addOrReplaceNotAnObject, .addOrReplaceWithoutKey,
    .addOrReplaceWithoutValue, .headersNotAnArray, .headerChangeNotAnObject,
    .headerChangeWithoutOperation, .headerChangeWithoutHeader, .headerChangeWithoutValue,
    .headerChangeInvalidOperation, .modifyHeadersInvalidPriority, .unknownKey, .misplacedKey,
    .duplicateKey, .ignoredValue, .skippedRule, .openSelector, .invalidPatternInSkippedRule,
    .unmatchableDomain, .suspiciousDomain, .domainWithPort, .patternMatchesEverything,
    .patternMatchesNothing,
    .patternMisleadingEscape, .patternLiteralBrace, .patternEmptySet,
    .patternImpossibleCharacter, .patternUselessPart, .patternUnescapedDot, .patternDelimiters,
    .patternUpperCase, .patternQuestionMark, .openHostGroup, .nothingToUpgrade,
    .frameURLOfFrame, .documentException, .duplicateRule, .rulesVoided, .everyPage,
    .requestMethodWithCondition, .neverApplies, .flagWithoutCondition,
    .emptyFlagsArray, .unrestrictingFlags, .repeatedMember, .nothingToIgnore, .inertAction,
    .unusedResponseHeaders, .blockAndRedirect, .scatteredExceptions, .unknownToTarget,
    .moreOfTheSame,
  ]

  private static let notes: Set<DiagnosticCode> = [
    .domainWithPort, .patternUselessPart, .patternUnescapedDot, .patternDelimiters,
    .unrestrictingFlags, .repeatedMember, .inertAction, .unusedResponseHeaders, .blockAndRedirect,
    .scatteredExceptions, .moreOfTheSame, .documentException, .duplicateRule,
  ]

  private static let webKitErrors: [DiagnosticCode: WebKitError] = [
    .otherFormat: .jsonInvalid,
    .jsonEmptyText: .jsonInvalid,
    .jsonTextTooLong: .jsonInvalid,
    .jsonByteOrderMark: .jsonInvalid,
    .jsonComment: .jsonInvalid,
    .jsonInvalidWhiteSpace: .jsonInvalid,
    .jsonTrailingComma: .jsonInvalid,
    .jsonMissingComma: .jsonInvalid,
    .jsonMissingColon: .jsonInvalid,
    .jsonMissingValue: .jsonInvalid,
    .jsonInvalidQuotes: .jsonInvalid,
    .jsonUnquotedKey: .jsonInvalid,
    .jsonInvalidEscape: .jsonInvalid,
    .jsonInvalidNumber: .jsonInvalid,
    .jsonUnknownWord: .jsonInvalid,
    .jsonUnexpectedCharacter: .jsonInvalid,
    .jsonMismatchedBracket: .jsonInvalid,
    .jsonUnterminatedString: .jsonInvalid,
    .jsonUnexpectedEnd: .jsonInvalid,
    .jsonTextAfterList: .jsonInvalid,
    .jsonTooDeep: .jsonInvalid,
    .jsonInvalidUTF8: .jsonInvalid,
    .listNotAnArray: .jsonTopLevelStructureNotAnArray,
    .tooManyRules: .jsonTooManyRules,
    .noRules: .jsonContainsNoRules,
    .invalidRule: .jsonInvalidRule,
    .invalidRuleIdentifier: .jsonInvalidRuleIdentifier,
    .invalidTrigger: .jsonInvalidTrigger,
    .invalidURLFilter: .jsonInvalidURLFilterInTrigger,
    .invalidFlagsArray: .jsonInvalidTriggerFlagsArray,
    .invalidFlag: .jsonInvalidStringInTriggerFlagsArray,
    .invalidRequestMethod: .jsonInvalidRequestMethod,
    .invalidConditionList: .jsonInvalidConditionList,
    .domainNotLowerCaseASCII: .jsonDomainNotLowerCaseASCII,
    .multipleConditions: .jsonMultipleConditions,
    .invalidPattern: .jsonInvalidRegex,
    .invalidAction: .jsonInvalidAction,
    .invalidActionType: .jsonInvalidActionType,
    .missingSelector: .jsonInvalidCSSDisplayNoneActionType,
    .invalidNotification: .jsonInvalidNotification,
    .redirectMissing: .jsonRedirectMissing,
    .redirectInvalidType: .jsonRedirectInvalidType,
    .redirectExtensionPathWithoutSlash: .jsonRedirectExtensionPathDoesNotStartWithSlash,
    .redirectURLInvalid: .jsonRedirectURLInvalid,
    .redirectToJavaScriptURL: .jsonRedirectToJavaScriptURL,
    .redirectSchemeInvalid: .jsonRedirectURLSchemeInvalid,
    .redirectPortInvalid: .jsonRedirectInvalidPort,
    .redirectQueryInvalid: .jsonRedirectInvalidQuery,
    .redirectFragmentInvalid: .jsonRedirectInvalidFragment,
    .removeParametersNotStrings: .jsonRemoveParametersNotStringArray,
    .addOrReplaceNotAnArray: .jsonAddOrReplaceParametersNotArray,
    .addOrReplaceNotAnObject: .jsonAddOrReplaceParametersKeyValueNotADictionary,
    .addOrReplaceWithoutKey: .jsonAddOrReplaceParametersKeyValueMissingKeyString,
    .addOrReplaceWithoutValue: .jsonAddOrReplaceParametersKeyValueMissingValueString,
    .headersNotAnArray: .jsonModifyHeadersNotArray,
    .headerChangeNotAnObject: .jsonModifyHeadersInfoNotADictionary,
    .headerChangeWithoutOperation: .jsonModifyHeadersMissingOperation,
    .headerChangeWithoutHeader: .jsonModifyHeadersMissingHeader,
    .headerChangeWithoutValue: .jsonModifyHeadersMissingValue,
    .headerChangeInvalidOperation: .jsonModifyHeadersInvalidOperation,
    .modifyHeadersInvalidPriority: .jsonModifyHeadersInvalidPriority,
  ]
}
