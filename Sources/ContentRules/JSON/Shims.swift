public struct URLFilterFinding: Hashable, Sendable {
  var code: String; var range: Range<Int>; var message: String; var hint: String?
}
enum URLFilterLint {
  static func findings(_ text: Span<UInt8>, isCaseSensitive: Bool) -> [URLFilterFinding] { [] }
}
