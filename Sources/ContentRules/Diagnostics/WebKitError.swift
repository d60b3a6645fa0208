/// The errors that WebKit reports for a rule list that it refuses.
///
/// The raw value is the name in WebKit's sources. One error refuses the whole list; WebKit reports
/// the first and stops.
///
/// > Source: the rule language, section 4. WebKit: `ContentExtensionError`.
public enum WebKitError: String, CaseIterable, Hashable, Sendable {
  /// Failed to parse the JSON String.
  case jsonInvalid = "JSONInvalid"
  /// Invalid input, the top level structure is not an array.
  case jsonTopLevelStructureNotAnArray = "JSONTopLevelStructureNotAnArray"
  /// Invalid object in the top level array.
  case jsonInvalidObjectInTopLevelArray = "JSONInvalidObjectInTopLevelArray"
  /// Invalid rule.
  case jsonInvalidRule = "JSONInvalidRule"
  /// Invalid rule identifier, which must be an integer.
  case jsonInvalidRuleIdentifier = "JSONInvalidRuleIdentifier"
  /// Empty extension.
  case jsonContainsNoRules = "JSONContainsNoRules"
  /// Invalid trigger object.
  case jsonInvalidTrigger = "JSONInvalidTrigger"
  /// Invalid url-filter object.
  case jsonInvalidURLFilterInTrigger = "JSONInvalidURLFilterInTrigger"
  /// Invalid trigger flags array.
  case jsonInvalidTriggerFlagsArray = "JSONInvalidTriggerFlagsArray"
  /// Invalid string in the trigger flags array.
  case jsonInvalidStringInTriggerFlagsArray = "JSONInvalidStringInTriggerFlagsArray"
  /// Invalid list of if-domain, unless-domain, if-top-url, or unless-top-url conditions.
  case jsonInvalidConditionList = "JSONInvalidConditionList"
  /// Domains must be lower case ASCII. Use punycode to encode non-ASCII characters.
  case jsonDomainNotLowerCaseASCII = "JSONDomainNotLowerCaseASCII"
  /// A trigger cannot have more than one condition (if-domain, unless-domain, if-top-url, or
  /// unless-top-url)
  case jsonMultipleConditions = "JSONMultipleConditions"
  /// Too many rules in JSON array.
  case jsonTooManyRules = "JSONTooManyRules"
  /// The request-method string must be "get", "head", "options", "trace", "put", "delete", "post",
  /// "patch", or "connect".
  case jsonInvalidRequestMethod = "JSONInvalidRequestMethod"
  /// Invalid action object.
  case jsonInvalidAction = "JSONInvalidAction"
  /// Invalid action type.
  case jsonInvalidActionType = "JSONInvalidActionType"
  /// Invalid css-display-none action type. Requires a selector.
  case jsonInvalidCSSDisplayNoneActionType = "JSONInvalidCSSDisplayNoneActionType"
  /// A notify action must have a string notification
  case jsonInvalidNotification = "JSONInvalidNotification"
  /// Invalid or unsupported regular expression.
  case jsonInvalidRegex = "JSONInvalidRegex"
  /// A redirect action must have a redirect member
  case jsonRedirectMissing = "JSONRedirectMissing"
  /// A redirect extension path must start with a slash
  case jsonRedirectExtensionPathDoesNotStartWithSlash =
    "JSONRedirectExtensionPathDoesNotStartWithSlash"
  /// A redirect url scheme must be a valid scheme
  case jsonRedirectURLSchemeInvalid = "JSONRedirectURLSchemeInvalid"
  /// A redirect url can't have a scheme of javascript
  case jsonRedirectToJavaScriptURL = "JSONRedirectToJavaScriptURL"
  /// A redirect url must be valid
  case jsonRedirectURLInvalid = "JSONRedirectURLInvalid"
  /// A redirect must have a member named "extension-path", "regex-substitution", "transform" or
  /// "url"
  case jsonRedirectInvalidType = "JSONRedirectInvalidType"
  /// A redirect port must be either empty or a number between 0 and 65535, inclusive
  case jsonRedirectInvalidPort = "JSONRedirectInvalidPort"
  /// A redirect query must either be empty or begin with '?'
  case jsonRedirectInvalidQuery = "JSONRedirectInvalidQuery"
  /// A redirect fragment must either be empty or begin with '#'
  case jsonRedirectInvalidFragment = "JSONRedirectInvalidFragment"
  /// A remove-parameters value must be an array of strings
  case jsonRemoveParametersNotStringArray = "JSONRemoveParametersNotStringArray"
  /// An add-or-replace-parameters value must be an array
  case jsonAddOrReplaceParametersNotArray = "JSONAddOrReplaceParametersNotArray"
  /// Members of the add-or-replace-parameters array must be a dictionary
  case jsonAddOrReplaceParametersKeyValueNotADictionary =
    "JSONAddOrReplaceParametersKeyValueNotADictionary"
  /// Members of the add-or-replace-parameters array must contain a key that is a string
  case jsonAddOrReplaceParametersKeyValueMissingKeyString =
    "JSONAddOrReplaceParametersKeyValueMissingKeyString"
  /// Members of the add-or-replace-parameters array must contain a value that is a string
  case jsonAddOrReplaceParametersKeyValueMissingValueString =
    "JSONAddOrReplaceParametersKeyValueMissingValueString"
  /// A headers member must be an array
  case jsonModifyHeadersNotArray = "JSONModifyHeadersNotArray"
  /// A modify-headers operation must be a dictionary
  case jsonModifyHeadersInfoNotADictionary = "JSONModifyHeadersInfoNotADictionary"
  /// A modify-headers operation must have an operation
  case jsonModifyHeadersMissingOperation = "JSONModifyHeadersMissingOperation"
  /// A modify-headers operation must have an operation that is either "set", "append", or "remove"
  case jsonModifyHeadersInvalidOperation = "JSONModifyHeadersInvalidOperation"
  /// A modify-headers operation must have a header
  case jsonModifyHeadersMissingHeader = "JSONModifyHeadersMissingHeader"
  /// A modify-headers operation of "set" or "append" must have a value
  case jsonModifyHeadersMissingValue = "JSONModifyHeadersMissingValue"
  /// A priority must be a positive integer
  case jsonModifyHeadersInvalidPriority = "JSONModifyHeadersInvalidPriority"
  /// Internal I/O error
  case errorWritingSerializedNFA = "ErrorWritingSerializedNFA"

  /// The text that WebKit shows, exactly.
  public var message: String {
    switch self {
    case .jsonInvalid:
      "Failed to parse the JSON String."
    case .jsonTopLevelStructureNotAnArray:
      "Invalid input, the top level structure is not an array."
    case .jsonInvalidObjectInTopLevelArray:
      "Invalid object in the top level array."
    case .jsonInvalidRule:
      "Invalid rule."
    case .jsonInvalidRuleIdentifier:
      "Invalid rule identifier, which must be an integer."
    case .jsonContainsNoRules:
      "Empty extension."
    case .jsonInvalidTrigger:
      "Invalid trigger object."
    case .jsonInvalidURLFilterInTrigger:
      "Invalid url-filter object."
    case .jsonInvalidTriggerFlagsArray:
      "Invalid trigger flags array."
    case .jsonInvalidStringInTriggerFlagsArray:
      "Invalid string in the trigger flags array."
    case .jsonInvalidConditionList:
      "Invalid list of if-domain, unless-domain, if-top-url, or unless-top-url conditions."
    case .jsonDomainNotLowerCaseASCII:
      "Domains must be lower case ASCII. Use punycode to encode non-ASCII characters."
    case .jsonMultipleConditions:
      "A trigger cannot have more than one condition (if-domain, unless-domain, "
        + "if-top-url, or unless-top-url)"
    case .jsonTooManyRules:
      "Too many rules in JSON array."
    case .jsonInvalidRequestMethod:
      "The request-method string must be \"get\", \"head\", \"options\", \"trace\", "
        + "\"put\", \"delete\", \"post\", \"patch\", or \"connect\"."
    case .jsonInvalidAction:
      "Invalid action object."
    case .jsonInvalidActionType:
      "Invalid action type."
    case .jsonInvalidCSSDisplayNoneActionType:
      "Invalid css-display-none action type. Requires a selector."
    case .jsonInvalidNotification:
      "A notify action must have a string notification"
    case .jsonInvalidRegex:
      "Invalid or unsupported regular expression."
    case .jsonRedirectMissing:
      "A redirect action must have a redirect member"
    case .jsonRedirectExtensionPathDoesNotStartWithSlash:
      "A redirect extension path must start with a slash"
    case .jsonRedirectURLSchemeInvalid:
      "A redirect url scheme must be a valid scheme"
    case .jsonRedirectToJavaScriptURL:
      "A redirect url can't have a scheme of javascript"
    case .jsonRedirectURLInvalid:
      "A redirect url must be valid"
    case .jsonRedirectInvalidType:
      "A redirect must have a member named \"extension-path\", \"regex-substitution\", "
        + "\"transform\" or \"url\""
    case .jsonRedirectInvalidPort:
      "A redirect port must be either empty or a number between 0 and 65535, inclusive"
    case .jsonRedirectInvalidQuery:
      "A redirect query must either be empty or begin with '?'"
    case .jsonRedirectInvalidFragment:
      "A redirect fragment must either be empty or begin with '#'"
    case .jsonRemoveParametersNotStringArray:
      "A remove-parameters value must be an array of strings"
    case .jsonAddOrReplaceParametersNotArray:
      "An add-or-replace-parameters value must be an array"
    case .jsonAddOrReplaceParametersKeyValueNotADictionary:
      "Members of the add-or-replace-parameters array must be a dictionary"
    case .jsonAddOrReplaceParametersKeyValueMissingKeyString:
      "Members of the add-or-replace-parameters array must contain a key that is a string"
    case .jsonAddOrReplaceParametersKeyValueMissingValueString:
      "Members of the add-or-replace-parameters array must contain a value that is a string"
    case .jsonModifyHeadersNotArray:
      "A headers member must be an array"
    case .jsonModifyHeadersInfoNotADictionary:
      "A modify-headers operation must be a dictionary"
    case .jsonModifyHeadersMissingOperation:
      "A modify-headers operation must have an operation"
    case .jsonModifyHeadersInvalidOperation:
      "A modify-headers operation must have an operation that is either \"set\", "
        + "\"append\", or \"remove\""
    case .jsonModifyHeadersMissingHeader:
      "A modify-headers operation must have a header"
    case .jsonModifyHeadersMissingValue:
      "A modify-headers operation of \"set\" or \"append\" must have a value"
    case .jsonModifyHeadersInvalidPriority:
      "A priority must be a positive integer"
    case .errorWritingSerializedNFA:
      "Internal I/O error"
    }
  }
}
