internal import ContentRules
internal import Foundation

/// Numbers and times as pages show them.
enum Words {
  static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(DisplayText.grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// The text with a capital letter at its beginning.
  static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  /// A number of bytes, such as "1.5 MB".
  static func size(_ bytes: Int) -> String {
    if bytes < 1000 { return "\(bytes) bytes" }
    if bytes < 1_000_000 { return "\(bytes / 1000) kB" }
    return "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
  }

  /// A time for a `time` element: what machines and what people read, and how long ago it was.
  static func time(_ date: Date, now: Date = Date()) -> [String: Any] {
    ["machine": date.formatted(.iso8601), "human": short(date, now: now), "full": full(date)]
  }

  /// Near times by their distance, others by their date.
  static func short(_ date: Date, now: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    let calendar = Calendar.current
    switch seconds {
    case 0..<60: return "just now"
    case 60..<3600: return "\(Int(seconds / 60)) min ago"
    default: break
    }
    let (_, day) = parts(date)
    let clock = String(full(date).suffix(5))
    if calendar.isDate(date, inSameDayAs: now) { return "today, \(clock)" }
    if let yesterday = calendar.date(byAdding: .day, value: -1, to: now),
      calendar.isDate(date, inSameDayAs: yesterday)
    {
      return "yesterday, \(clock)"
    }
    let isThisYear = calendar.component(.year, from: date) == calendar.component(.year, from: now)
    return isThisYear ? day : "\(day) \(calendar.component(.year, from: date))"
  }

  /// `2026-11-21 23:05`, in the zone of this machine.
  static func full(_ date: Date) -> String {
    let parts = Calendar.current.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    func two(_ value: Int?) -> String { (value ?? 0) < 10 ? "0\(value ?? 0)" : "\(value ?? 0)" }
    return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)) "
      + "\(two(parts.hour)):\(two(parts.minute))"
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  private static func parts(_ date: Date) -> (month: String, day: String) {
    let parts = Calendar.current.dateComponents([.month, .day], from: date)
    let month = months[max(0, min(11, (parts.month ?? 1) - 1))]
    return (month, "\(parts.day ?? 1) \(month)")
  }
}

/// A part of a long list.
struct Paging {
  /// The page, from 1.
  let page: Int
  /// How many there are.
  let pages: Int
  /// The elements on the page.
  let range: Range<Int>

  init(count: Int, perPage: Int, page: Int?) {
    pages = max(1, (count + perPage - 1) / perPage)
    self.page = min(max(1, page ?? 1), pages)
    let start = (self.page - 1) * perPage
    range = start..<min(count, start + perPage)
  }

  /// What `paging.mustache` needs; nothing where there is one page.
  func values(_ path: String, _ query: [String: String]) -> [[String: Any]] {
    guard pages > 1 else { return [] }
    func link(_ number: Int) -> String {
      let parts = query.merging(["page": "\(number)"]) { $1 }.filter { !$0.value.isEmpty }
        .sorted { $0.key < $1.key }
        .map { "\($0.key)=\(Self.encoded($0.value))" }
      return "\(path)?\(parts.joined(separator: "&"))"
    }
    var values: [String: Any] = ["page": page, "pages": pages]
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
