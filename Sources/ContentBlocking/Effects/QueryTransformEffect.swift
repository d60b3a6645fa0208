public import ContentRules
public import WebURL

extension QueryTransform {
  /// Removes, replaces and adds parameters in a URL's query.
  ///
  /// Parameters are compared after form-decoding. Untouched parameters keep their exact bytes; new
  /// text is inserted as given. Removing wins over replacing, and the first of two replacements of
  /// a parameter counts; what is not replace-only is appended, even if the parameter exists.
  /// Without a query nothing happens; a query that loses everything leaves its `?`.
  ///
  ///     // remove "utm_source", add "a=b"
  ///     // https://x.test/?utm_source=n&q=1%2B1  →  https://x.test/?q=1%2B1&a=b
  ///
  /// If anything changes, empty parts between two `&` are removed, and so are parts without a name,
  /// such as `=1`.
  ///
  /// - Parameter url: The URL whose query changes.
  /// - Complexity: O(*n* + *m*), where *n* is the number of bytes of the URL and *m* that of the
  ///   transform.
  ///
  /// > Source: the rule language, section 3.2. WebKit: `QueryTransform::applyToURL`.
  public func apply(to url: inout WebURL) {
    guard let range = url.queryRange else { return }
    var removed: Set<[UInt8]> = []
    for name in removeParameters { removed.insert(Array(name.utf8)) }
    var replacements: [[UInt8]: String] = [:]
    for parameter in addOrReplaceParameters where parameter.isReplaceOnly {
      let key = Array(parameter.key.utf8)
      if replacements[key] == nil { replacements[key] = parameter.value }
    }

    var query: [UInt8] = []
    var isModified = false
    for part in url.utf8[range].split(separator: UInt8(ascii: "&")) {
      let name = Self.decodedName(of: part)
      if name.isEmpty { continue }
      if removed.contains(name) {
        isModified = true
        continue
      }
      if !query.isEmpty { query.append(UInt8(ascii: "&")) }
      if let value = replacements[name] {
        isModified = true
        query.append(contentsOf: name)
        query.append(UInt8(ascii: "="))
        query.append(contentsOf: value.utf8)
      } else {
        query.append(contentsOf: part)
      }
    }
    for parameter in addOrReplaceParameters where !parameter.isReplaceOnly {
      isModified = true
      if !query.isEmpty { query.append(UInt8(ascii: "&")) }
      query.append(contentsOf: parameter.key.utf8)
      query.append(UInt8(ascii: "="))
      query.append(contentsOf: parameter.value.utf8)
    }
    if isModified { url.replaceQuery(with: String(decoding: query, as: UTF8.self)) }
  }

  /// Returns the form-decoded name in `name=value`, with U+FFFD for ill-formed UTF-8.
  private static func decodedName(of part: ArraySlice<UInt8>) -> [UInt8] {
    let name = part.prefix { $0 != UInt8(ascii: "=") }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(name.count)
    var needsRepair = false
    var index = name.startIndex
    while index < name.endIndex {
      var byte = name[index]
      if byte == UInt8(ascii: "+") {
        byte = UInt8(ascii: " ")
      } else if byte == UInt8(ascii: "%"), index + 2 < name.endIndex,
        let high = hexadecimalDigitValue(name[index + 1]),
        let low = hexadecimalDigitValue(name[index + 2])
      {
        byte = high << 4 | low
        index += 2
      }
      if byte >= 128 { needsRepair = true }
      decoded.append(byte)
      index += 1
    }
    return needsRepair ? Array(String(decoding: decoded, as: UTF8.self).utf8) : decoded
  }
}
