internal import WebURL

/// Links each redirected request to its target.
struct RedirectChains {
  /// For each row, the row that was redirected to it.
  private(set) var sources: [Int?]

  /// Finds, for each redirect, the next row with the URL that it leads to.
  init(_ rows: [HARRow]) {
    sources = Array(repeating: nil, count: rows.count)
    /// The later rows that are not a target yet, by URL, the next one last.
    var waiting: [WebURL: [Int]] = [:]
    for (number, row) in rows.enumerated().reversed() {
      // From the end, so that later rows are known; each is the target of one redirect at most.
      // In place: thousands of redirects may lead to one URL.
      if let target = row.redirect, let next = waiting[target]?.popLast() { sources[next] = number }
      waiting[row.url.withoutFragment, default: []].append(number)
    }
  }

  /// Returns a page name for each row; rows without one get that of the row that their redirects
  /// lead to.
  func pageNames(_ rows: [HARRow]) -> [String?] {
    var names = rows.map(\.page)
    for number in rows.indices.reversed() {
      if let source = sources[number], names[source] == nil { names[source] = names[number] }
    }
    return names
  }
}
