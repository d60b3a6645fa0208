internal import WebURL

/// Which request follows from the redirect of which.
struct RedirectChains {
  /// For each row the one that was redirected to it.
  private(set) var sources: [Int?]

  /// Finds, for each redirect, the next row with the URL that it leads to.
  init(_ rows: [HARRow]) {
    sources = Array(repeating: nil, count: rows.count)
    /// The rows behind that are no target yet, by their URLs, the next one last.
    var waiting: [WebURL: [Int]] = [:]
    for (number, row) in rows.enumerated().reversed() {
      // From the end: the rows behind are known, and each is the target of one redirect at most.
      if let target = row.redirect, var later = waiting[target], let next = later.popLast() {
        waiting[target] = later
        sources[next] = number
      }
      waiting[row.url.withoutFragment, default: []].append(number)
    }
  }

  /// Names of pages for rows that have none, by the rows that their redirects lead to.
  func pageNames(_ rows: [HARRow]) -> [String?] {
    var names = rows.map(\.page)
    for number in rows.indices.reversed() {
      if let source = sources[number], names[source] == nil { names[source] = names[number] }
    }
    return names
  }
}
