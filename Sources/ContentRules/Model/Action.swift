/// What happens to a load that a rule matches.
///
/// The two rare actions with large payloads are boxed, which keeps a list of many rules small.
///
/// > Source: the rule language, section 3. WebKit: `Action`, `ActionData`.
public enum Action: Hashable, Sendable {
  /// The load fails.
  case block
  /// The request is sent without cookies.
  case blockCookies
  /// Elements that match the selector list are hidden.
  case cssDisplayNone(selector: String)
  /// Earlier actions of the same list are dropped.
  case ignorePreviousRules
  /// Later actions of the same list are dropped.
  case ignoreFollowingRules
  /// An `http` or `ws` URL is upgraded.
  case makeHTTPS
  /// The string is passed to the embedding app.
  case notify(String)
  /// The load is redirected; inert without the embedder's permission.
  indirect case redirect(Redirect)
  /// Request headers are changed; inert without the embedder's permission.
  indirect case modifyHeaders(ModifyHeaders)
}

/// Where a `redirect` action leads.
///
/// > Source: the rule language, section 3.2. WebKit: `RedirectAction`.
public enum Redirect: Hashable, Sendable {
  /// A path, beginning with `/`, below the embedder's base URL.
  case extensionPath(String)
  /// A text in which `\0` … `\9` stand for the captures of the rule's url filter.
  case regexSubstitution(String)
  /// A change of single parts of the URL.
  case transform(URLTransform)
  /// Another URL, valid and absolute.
  case url(String)
}

/// A change of single parts of a URL; `nil` leaves a part alone.
///
/// Parts are applied in the order of the properties. Empty `fragment`, `port` and `query` remove
/// the part.
///
/// > Source: the rule language, section 3.2. WebKit: `RedirectAction::URLTransformAction`.
public struct URLTransform: Hashable, Sendable {
  /// Empty, or begins with `#`.
  public var fragment: String?
  /// The new host.
  public var host: String?
  /// The new password.
  public var password: String?
  /// The new path.
  public var path: String?
  /// The new port: ``Port/remove`` or a number.
  public var port: Port?
  /// Empty, or begins with `?`; ignored if there is a ``queryTransform``.
  public var query: String?
  /// Parameter-wise changes of the query.
  public var queryTransform: QueryTransform?
  /// The new scheme in canonical form.
  public var scheme: String?
  /// The new user name.
  public var username: String?

  /// What happens to the port.
  public enum Port: Hashable, Sendable {
    /// The port is removed.
    case remove
    /// The port becomes this number.
    case set(UInt16)
  }

  /// Creates a transform that changes nothing.
  public init() {}
}

/// Parameter-wise changes of a query.
///
/// > Source: the rule language, section 3.2. WebKit: `URLTransformAction::QueryTransform`.
public struct QueryTransform: Hashable, Sendable {
  /// Names of parameters to remove; removing wins over replacing.
  public var removeParameters: [String]
  /// Parameters to add or to replace, in order.
  public var addOrReplaceParameters: [QueryKeyValue]

  /// Creates a transform from its two lists.
  public init(removeParameters: [String] = [], addOrReplaceParameters: [QueryKeyValue] = []) {
    self.removeParameters = removeParameters
    self.addOrReplaceParameters = addOrReplaceParameters
  }
}

/// A parameter to add to a query, or to replace in it.
public struct QueryKeyValue: Hashable, Sendable {
  /// The parameter's name, compared after form-decoding.
  public var key: String
  /// Whether the parameter is only replaced where it exists, and never appended.
  public var isReplaceOnly: Bool
  /// The new value, inserted as given.
  public var value: String

  /// Creates a parameter from its parts.
  public init(key: String, isReplaceOnly: Bool = false, value: String) {
    self.key = key
    self.isReplaceOnly = isReplaceOnly
    self.value = value
  }
}

/// A change of headers.
///
/// > Source: the rule language, section 3.3. WebKit: `ModifyHeadersAction`.
public struct ModifyHeaders: Hashable, Sendable {
  /// Actions with a higher priority come first, over all lists.
  public var priority: UInt32
  /// Changes of the request's headers, in order.
  public var requestHeaders: [HeaderOperation]
  /// Changes of the response's headers; kept, but never applied, as in WebKit.
  public var responseHeaders: [HeaderOperation]

  /// Creates an action from its parts.
  public init(
    priority: UInt32,
    requestHeaders: [HeaderOperation] = [],
    responseHeaders: [HeaderOperation] = []
  ) {
    self.priority = priority
    self.requestHeaders = requestHeaders
    self.responseHeaders = responseHeaders
  }
}

/// One change of one header.
public enum HeaderOperation: Hashable, Sendable {
  /// Adds `; value` to the header, or sets it if there is none.
  case append(header: String, value: String)
  /// Replaces the header.
  case set(header: String, value: String)
  /// Removes the header.
  case remove(header: String)

  /// The header's name as it is spelt in the list.
  public var header: String {
    switch self {
    case .append(let header, _), .set(let header, _), .remove(let header): header
    }
  }
}
