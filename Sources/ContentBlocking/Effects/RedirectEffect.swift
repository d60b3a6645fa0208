public import ContentRules
public import WebURL

extension Redirect {
  /// Returns the URL that a load of `url` is redirected to.
  ///
  ///     let page = WebURL("http://old.example/a?b")
  ///     var transform = URLTransform()
  ///     transform.host = "new.example"
  ///     page.flatMap {
  ///       Redirect.transform(transform).apply(to: $0, urlFilter: ".*", extensionBaseURL: nil)
  ///     }  // http://new.example/a?b
  ///
  /// Does not check whether the action is permitted, see ``URLMatchPattern``, or whether the new
  /// URL may be loaded: a `regex-substitution` can produce any URL, so the caller must refuse
  /// schemes such as `javascript`.
  ///
  /// - Parameters:
  ///   - url: The URL of the load, as it was matched.
  ///   - urlFilter: The `url-filter` of the matching rule; used only by `regex-substitution`.
  ///   - extensionBaseURL: The base URL for an `extension-path`; without it such an action changes
  ///     nothing.
  /// - Returns: The new URL; `nil` if it would be invalid or unchanged.
  /// - Complexity: O(*n*) in the bytes of the URL and the action, except for `regex-substitution`,
  ///   whose search takes a bounded number of steps.
  ///
  /// > Source: the rule language, section 3.2. WebKit: `RedirectAction::modifyURL`.
  public func apply(to url: WebURL, urlFilter: String, extensionBaseURL: WebURL?) -> WebURL? {
    let result: WebURL?
    switch self {
    case .extensionPath(let path):
      guard var base = extensionBaseURL, base.setPath(path) else { return nil }
      result = base
    case .regexSubstitution(let substitution):
      result = RegexSubstitution.apply(substitution, urlFilter: urlFilter, to: url)
    case .transform(let transform):
      result = transform.apply(to: url)
    case .url(let text):
      result = WebURL(text)
    }
    return result == url ? nil : result
  }
}
