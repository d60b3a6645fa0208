internal import ContentRules
internal import WebURL
public struct URLMatchPattern: Sendable { func matches(_ url: WebURL) -> Bool { false } }
enum HeaderChanges { static func sorted(_ a: [ModifyHeaders]) -> [ModifyHeaders] { a } }
extension Redirect {
  func apply(to url: WebURL, urlFilter: String, extensionBaseURL: WebURL?) -> WebURL? { nil }
}
func upgradedToHTTPS(_ url: WebURL) -> WebURL? {
  var u = url; guard u.port == nil else { return nil };
  return u.setScheme(u.scheme == "http" ? "https" : "wss") ? u : nil
}
