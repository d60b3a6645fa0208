internal import Foundation
internal import PageTexts

/// A page of a long list.
struct Paging {
  /// The page, from 1.
  let page: Int
  /// The number of pages.
  let pages: Int
  /// The elements on the page.
  let range: Range<Int>

  init(count: Int, perPage: Int, page: Int?) {
    pages = max(1, (count + perPage - 1) / perPage)
    self.page = min(max(1, page ?? 1), pages)
    let start = (self.page - 1) * perPage
    range = start..<min(count, start + perPage)
  }

  /// Returns the values for `paging.mustache`; empty if there is only one page.
  func values(_ path: String, _ query: [String: String], _ texts: Texts) -> [[String: Any]] {
    guard pages > 1 else { return [] }
    func link(_ number: Int) -> String {
      let parts = query.merging(["page": "\(number)"]) { $1 }.filter { !$0.value.isEmpty }
        .sorted { $0.key < $1.key }
        .map { "\($0.key)=\(Self.encoded($0.value))" }
      return "\(path)?\(parts.joined(separator: "&"))"
    }
    var values: [String: Any] = ["page": texts.number(page), "pages": texts.number(pages)]
    if page > 1 { values["newer"] = link(page - 1) }
    if page < pages { values["older"] = link(page + 1) }
    return [values]
  }

  static func encoded(_ text: String) -> String {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-._~")
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }
}
