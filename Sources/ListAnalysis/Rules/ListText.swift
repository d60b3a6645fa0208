package import ContentRules

/// A list's JSON text, made of the texts of rules.
package enum ListText {
  /// Returns a list of rules as they stand in their own list, one a line where they have one.
  ///
  /// - Parameters:
  ///   - rules: The rules, at least one.
  ///   - text: The list's JSON that they were read from.
  /// - Returns: The JSON.
  package static func json(of rules: some Sequence<Rule>, in text: [UInt8]) -> [UInt8] {
    json(of: rules.lazy.map { text[$0.sourceRange] })
  }

  /// Returns a list of rules, each given by its JSON text.
  package static func json(of rules: some Sequence<ArraySlice<UInt8>>) -> [UInt8] {
    var json = Array("[\n".utf8)
    var isFirst = true
    for rule in rules {
      if !isFirst { json += Array(",\n".utf8) }
      isFirst = false
      json += rule
    }
    return json + Array("\n]\n".utf8)
  }
}
