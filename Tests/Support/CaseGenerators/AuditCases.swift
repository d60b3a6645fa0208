public import TestSupport

/// Lists and logs of which much matches and much is cancelled.
public enum AuditCases {
  /// The texts of the lists.
  public static let lists = [
    """
    [{"trigger":{"url-filter":".*"},"action":{"type":"css-display-none","selector":".all"}},
    {"trigger":{"url-filter":"ad"},"action":{"type":"block"}},
    {"trigger":{"url-filter":"ad[0-9]","resource-type":["image"]},"action":{"type":"block"}},
    {"trigger":{"url-filter":"track","load-type":["third-party"]},"action":{"type":"block-cookies"}},
    {"trigger":{"url-filter":".*","unless-domain":["*a.test"]},
     "action":{"type":"css-display-none","selector":".x"}},
    {"trigger":{"url-filter":".*","if-domain":["*a.test","b.test"]},
     "action":{"type":"css-display-none","selector":".y"}},
    {"trigger":{"url-filter":"/b/"},"action":{"type":"ignore-previous-rules"}},
    {"trigger":{"url-filter":".*","unless-domain":["c.test"]},
     "action":{"type":"css-display-none","selector":".z"}},
    {"trigger":{"url-filter":"^http:"},"action":{"type":"make-https"}},
    {"trigger":{"url-filter":"/c/"},"action":{"type":"ignore-following-rules"}},
    {"trigger":{"url-filter":".*","if-domain":["*test"]},
     "action":{"type":"css-display-none","selector":".never"}},
    {"trigger":{"url-filter":".*","unless-domain":["d.test"]},
     "action":{"type":"css-display-none","selector":".w"}},
    {"trigger":{"url-filter":"a"},"action":{"type":"redirect","redirect":{"url":"https://r.test/"}}},
    {"trigger":{"url-filter":"nowhere-to-be-found"},"action":{"type":"block"}},
    {"trigger":{"url-filter":"x","if-top-url":["^https"]},"action":{"type":"ignore-previous-rules"}},
    {"trigger":{"url-filter":"ad"},"action":{"type":"block"}}]
    """,
    """
    [{"trigger":{"url-filter":"[0-9]"},"action":{"type":"block"}},
    {"trigger":{"url-filter":".*","if-domain":["*b.test"]},"action":{"type":"ignore-previous-rules"}}]
    """,
  ]

  /// The hosts of loads and pages.
  public static let hosts = ["a.test", "www.a.test", "b.test", "c.test", "d.test", "127.0.0.1"]

  /// A line without its end.
  public static func line(_ random: inout RandomSource) -> String {
    func one(_ words: [String]) -> String { words.randomElement(using: &random) ?? "" }
    let url =
      one(["http", "https"]) + "://" + one(hosts) + one(["/", "/b/", "/c/", "/x/"])
      + one(["ad", "track", "ad7", "page", "é", "../x"]) + one(["", "?a=1", "#f"])
    let top = one(["http", "https"]) + "://" + one(hosts) + "/"
    return [
      one(["", "", "", "", "", "", "data:x,"]) + url,
      one([top, top, top, top, "about:blank", ""]),
      one(["image", "script", "document", "xhr", "font"]),
      one(["", "-", "first-party", "third-party"]),
    ].joined(separator: "\t")
  }

  /// The names of the columns, with the line's end.
  public static let header = "url\tsource\ttype\tload_type\n"

  /// Rows that mostly are of the page of the row before.
  public static func log(rows: Int, _ random: inout RandomSource) -> String {
    var last = ""
    return header
      + (0..<rows).map { _ in
        if last.isEmpty || Int.random(in: 0..<3, using: &random) == 0 { last = line(&random) }
        var columns = line(&random).split(separator: "\t", omittingEmptySubsequences: false)
        columns[1] = last.split(separator: "\t", omittingEmptySubsequences: false)[1]
        return columns.joined(separator: "\t") + "\n"
      }.joined()
  }
}
