import Foundation

/// Reads property lists of every form, within limits.
enum PropertyLists {
  /// Bytes of a file; the largest known projects have about 20 MiB.
  static let largestFile = 64 << 20

  /// Reads a project's list: as Xcode writes it, or XML, binary or JSON, as other tools do.
  ///
  /// - Throws: ``XcodeProjectError`` with code `.syntax`.
  static func read(_ bytes: [UInt8], name: String) throws -> PropertyListNode {
    guard bytes.count <= largestFile else {
      throw XcodeProjectError(.syntax, "\(name) has more than \(largestFile >> 20) MiB")
    }
    let bytes = utf8(bytes)
    if isForFoundation(bytes) {
      return try node(foundation(bytes, name: name), depth: 0, name: name)
    }
    do {
      return try OldStylePropertyList.parse(bytes, name: name)
    } catch {
      // `{` begins JSON as well; its own parser bounds the nesting.
      guard let first = bytes.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{"),
        let json = try? JSONSerialization.jsonObject(with: Data(bytes))
      else { throw error }
      return try node(json, depth: 0, name: name)
    }
  }

  /// Reads a list whose values are Foundation's, as an `Info.plist`.
  ///
  /// - Throws: ``XcodeProjectError`` with code `.syntax`.
  static func dictionary(_ bytes: [UInt8], name: String) throws -> [String: Any] {
    let bytes = utf8(bytes)
    // Text goes through this module's reader first, whose recursion is bounded and whose errors
    // have places.
    if !isForFoundation(bytes) {
      let node = try OldStylePropertyList.parse(bytes, name: name)
      guard let dictionary = value(of: node) as? [String: Any] else {
        throw XcodeProjectError(.syntax, "\(name) is not a dictionary")
      }
      return dictionary
    }
    guard let dictionary = try foundation(bytes, name: name) as? [String: Any] else {
      throw XcodeProjectError(.syntax, "\(name) is not a dictionary")
    }
    return dictionary
  }

  private static func value(of node: PropertyListNode) -> Any {
    switch node.value {
    case .string(let text): text
    case .data(let bytes): Data(bytes)
    case .array(let nodes): nodes.map { value(of: $0) }
    case .dictionary(let nodes): nodes.mapValues { value(of: $0) }
    }
  }

  private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]),
      let text = String(bytes: bytes, encoding: .utf16)
    else { return bytes }
    return Array(text.utf8)
  }

  private static func isForFoundation(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: Array("bplist".utf8)) { return true }
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop { $0 <= 0x20 }
    return ["<?xml", "<!DOCTYPE", "<plist", "<!--"].contains { rest.starts(with: Array($0.utf8)) }
  }

  private static func foundation(_ bytes: [UInt8], name: String) throws -> Any {
    guard xmlDepth(bytes) <= OldStylePropertyList.Limits.depth else {
      throw XcodeProjectError(
        .syntax,
        "\(name): containers are nested more than \(OldStylePropertyList.Limits.depth) deep"
      )
    }
    do {
      return try unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    } catch {
      let detail = (error as NSError).userInfo["NSDebugDescription"] as? String
      throw XcodeProjectError(
        .syntax,
        "\(name) is not a property list" + (detail.map { ": \($0)" } ?? "")
      )
    }
  }

  /// How deeply elements are nested at most; Foundation's own reader recurses without a bound.
  private static func xmlDepth(_ bytes: [UInt8]) -> Int {
    guard !bytes.starts(with: Array("bplist".utf8)) else { return 0 }
    var depth = 0
    var deepest = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "<") {
      let rest = String(decoding: bytes[index...].dropFirst().prefix(6), as: UTF8.self)
      if rest.hasPrefix("/array") || rest.hasPrefix("/dict") {
        depth -= 1
      } else if rest.hasPrefix("array") && rest != "array/"
        || rest.hasPrefix("dict") && !rest.hasPrefix("dict/")
      {
        depth += 1
        deepest = max(deepest, depth)
      }
    }
    return deepest
  }

  private static func node(_ value: Any, depth: Int, name: String) throws -> PropertyListNode {
    guard depth <= OldStylePropertyList.Limits.depth else {
      throw XcodeProjectError(
        .syntax,
        "\(name): containers are nested more than \(OldStylePropertyList.Limits.depth) deep"
      )
    }
    switch value {
    case let text as String: return PropertyListNode(.string(text))
    case let data as Data: return PropertyListNode(.data([UInt8](data)))
    case let array as [Any]:
      return PropertyListNode(.array(try array.map { try node($0, depth: depth + 1, name: name) }))
    case let dictionary as [String: Any]:
      return PropertyListNode(
        .dictionary(try dictionary.mapValues { try node($0, depth: depth + 1, name: name) })
      )
    default: return PropertyListNode(.string("\(value)"))
    }
  }
}
