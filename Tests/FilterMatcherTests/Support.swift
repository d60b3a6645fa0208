import FilterMatcher
import Testing
import WebURL

/// The list of some filters, with the true public suffixes.
func list(_ filters: String...) -> PlainFilterList {
  PlainFilterList(filters.flatMap { $0.split(separator: "\n").map(String.init) }) { host in
    let bytes = Array(host.utf8)
    return PublicSuffixList.publicSuffix(ofHost: bytes.span)
      .map { String(decoding: bytes[$0], as: UTF8.self) } ?? ""
  }
}

extension PlainFilterList {
  /// Whether a request is not sent.
  func blocks(
    _ url: String,
    _ type: String = "script",
    on page: String = "https://page.example/",
    frame: String? = nil,
    method: String = "get"
  ) -> Bool {
    let request = FilterRequest(url: url, type: type, page: page, frame: frame, method: method)
    return decide(request).fate != .load
  }
}
