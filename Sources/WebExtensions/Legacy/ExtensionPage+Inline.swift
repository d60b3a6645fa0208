/// The scripts that stand in a page itself, which browsers run in no extension's page.
struct InlineScripts {
  /// The page with references in the scripts' places.
  let page: [UInt8]
  /// The scripts, in their order.
  let scripts: [[UInt8]]
  /// The code of attributes such as `onclick`, each once.
  let handlers: [String]

  private static let javaScript: Set<String> = [
    "", "text/javascript", "application/javascript", "application/x-javascript", "text/ecmascript",
    "module",
  ]
  private static let limit = 1_000

  /// Takes the scripts out of a page.
  ///
  /// - Parameters:
  ///   - bytes: The page.
  ///   - address: Names the file of a script by its index.
  ///   - handlerAddress: Names the file of the attributes' code.
  init(_ bytes: [UInt8], address: (Int) -> String, handlerAddress: String) {
    let page = ExtensionPage(bytes)
    var result: [UInt8] = []
    var scripts: [[UInt8]] = []
    var handlers: [String] = []
    var position = 0
    page.eachTag { name, attributes, range in
      for attribute in ExtensionPage.attributes(in: attributes)
      where attribute.name.hasPrefix("on") && handlers.count < Self.limit {
        let code = Self.decoded(attribute.value)
        if !handlers.contains(code) { handlers.append(code) }
      }
      let type = ExtensionPage.value("type", in: attributes)?.lowercased() ?? ""
      guard name == "script", ExtensionPage.value("src", in: attributes) == nil,
        Self.javaScript.contains(type), scripts.count < Self.limit
      else { return true }
      let close = page.end(of: "</script", from: range.upperBound)
      let end = close >= "</script".utf8.count && close <= bytes.count ? close : bytes.count
      let isClosed = end - "</script".utf8.count >= range.upperBound
      let body = bytes[range.upperBound..<(isClosed ? end - "</script".utf8.count : end)]
      guard body.contains(where: { $0 > 0x20 }) else { return true }
      result += bytes[position..<range.upperBound - 1]
      result += " src=\"\(address(scripts.count))\">".utf8
      scripts.append(Array(body))
      position = isClosed ? end - "</script".utf8.count : end
      return true
    }
    result += bytes[position...]
    if !handlers.isEmpty {
      result += "<script src=\"\(handlerAddress)\"></script>".utf8
    }
    self.page = result
    self.scripts = scripts
    self.handlers = handlers
  }

  /// An attribute's value without the references that code mostly has.
  private static func decoded(_ text: String) -> String {
    guard text.contains("&") else { return text }
    var result = text
    for (reference, character) in [
      ("&quot;", "\""), ("&#39;", "'"), ("&#039;", "'"), ("&apos;", "'"), ("&#34;", "\""),
      ("&lt;", "<"),
      ("&gt;", ">"), ("&amp;", "&"),
    ] {
      result = result.split(separator: reference, omittingEmptySubsequences: false)
        .joined(separator: character)
    }
    return result
  }
}

extension LegacyTranslator {
  /// Moves the scripts that stand in pages into files.
  mutating func moveInlineScripts() throws(WebExtensionError) {
    for (number, path) in base.made.keys.sorted().enumerated() {
      guard ["html", "htm"].contains(ExtensionPath.kind(path)), let bytes = base.made[path] else {
        continue
      }
      let prefix = "tickbird-inline/\(number)-"
      let inline = InlineScripts(
        bytes,
        address: { ExtensionPath.address("\(prefix)\($0).js") },
        handlerAddress: ExtensionPath.address("\(prefix)handlers.js")
      )
      base.made[path] = inline.page
      for (index, script) in inline.scripts.enumerated() {
        base.made["\(prefix)\(index).js"] = script
      }
      guard !inline.handlers.isEmpty else { continue }
      let entries = inline.handlers.map { code in
        let key = String(decoding: ManifestValue.string(code).json.dropLast(), as: UTF8.self)
        return "\(key): function (event) {\n\(code)\n},\n"
      }
      base.made["\(prefix)handlers.js"] = Array(
        "tickbirdHandle({\n\(entries.joined())});\n".utf8
      )
    }
  }
}
