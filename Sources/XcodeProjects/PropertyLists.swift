internal import ExtensionBundles
import Foundation

/// Reads property lists of every format, within limits.
enum PropertyLists {
  /// The bytes of a file; the largest known projects have about 20 MiB.
  static let largestFile = 64 << 20

  /// Reads a project's list in Xcode's format, or in XML, binary or JSON, as other tools write it.
  ///
  /// - Throws: ``XcodeProjectError`` with code `.syntax`.
  static func read(_ bytes: [UInt8], name: String) throws -> PropertyListNode {
    guard bytes.count <= largestFile else {
      throw XcodeProjectError(.syntax, "\(name) has more than \(largestFile >> 20) MiB")
    }
    if PropertyListReader.form(of: bytes) != nil {
      return node(try value(bytes, name: name))
    }
    let bytes = utf8(bytes)
    do {
      return try OldStylePropertyList.parse(bytes, name: name)
    } catch {
      // `{` may begin JSON as well, whose parser has its own depth limit.
      guard let first = bytes.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{"),
        let list = try json(bytes, name: name)
      else { throw error }
      return list
    }
  }

  /// Reads a list as Foundation's types, such as an `Info.plist`.
  ///
  /// - Throws: ``XcodeProjectError`` with code `.syntax`.
  static func dictionary(_ bytes: [UInt8], name: String) throws -> [String: Any] {
    let list: Any
    if PropertyListReader.form(of: bytes) != nil {
      list = try value(bytes, name: name).foundation
    } else {
      list = value(of: try OldStylePropertyList.parse(utf8(bytes), name: name))
    }
    guard let dictionary = list as? [String: Any] else {
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

  private static func value(_ bytes: [UInt8], name: String) throws -> PropertyListValue {
    do {
      return try PropertyListReader.read(
        bytes,
        limits: PropertyListLimits(
          bytes: largestFile,
          values: OldStylePropertyList.Limits.nodes,
          contents: 2 * largestFile,
          depth: OldStylePropertyList.Limits.depth
        )
      )
    } catch {
      throw XcodeProjectError(.syntax, "\(name) is not a property list: \(error.message)")
    }
  }

  private static func node(_ value: PropertyListValue) -> PropertyListNode {
    switch value {
    case .string(let text): PropertyListNode(.string(text))
    case .data(let bytes): PropertyListNode(.data(bytes))
    case .array(let values): PropertyListNode(.array(values.map { node($0) }))
    case .dictionary(let values): PropertyListNode(.dictionary(values.mapValues { node($0) }))
    case .integer(let number): PropertyListNode(.string("\(number)"))
    case .unsigned(let number): PropertyListNode(.string("\(number)"))
    case .real(let number): PropertyListNode(.string("\(number)"))
    case .boolean(let value): PropertyListNode(.string(value ? "YES" : "NO"))
    case .date(let seconds): PropertyListNode(.string("\(seconds)"))
    }
  }

  /// A container of JSON that is nested too deeply.
  private struct TooDeep: Error {}

  /// A JSON value as a node; the parser has a depth limit of its own.
  private struct JSONNode: Decodable {
    let node: PropertyListNode

    init(from decoder: any Decoder) throws {
      guard decoder.codingPath.count <= OldStylePropertyList.Limits.depth else { throw TooDeep() }
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        node = PropertyListNode(.string(text))
      } else if let nodes = try Self.unlessOther({ try container.decode([String: Self].self) }) {
        node = PropertyListNode(.dictionary(nodes.mapValues(\.node)))
      } else if let nodes = try Self.unlessOther({ try container.decode([Self].self) }) {
        node = PropertyListNode(.array(nodes.map(\.node)))
      } else if let value = try? container.decode(Bool.self) {
        node = PropertyListNode(.string(value ? "1" : "0"))
      } else if let number = try? container.decode(Int.self) {
        node = PropertyListNode(.string("\(number)"))
      } else if let number = try? container.decode(Double.self) {
        node = PropertyListNode(.string("\(number)"))
      } else {
        node = PropertyListNode(.string("<null>"))
      }
    }

    /// Returns a container, or `nil` if the value is of another type.
    private static func unlessOther<Container>(
      _ decode: () throws -> Container
    ) throws -> Container? {
      do { return try decode() } catch is DecodingError { return nil }
    }
  }

  /// Reads JSON.
  ///
  /// - Returns: The list; `nil` if it is not JSON.
  /// - Throws: ``XcodeProjectError`` with code `.syntax` if it is nested too deeply.
  private static func json(_ bytes: [UInt8], name: String) throws -> PropertyListNode? {
    do {
      return try JSONDecoder().decode(JSONNode.self, from: Data(bytes)).node
    } catch is TooDeep {
      throw XcodeProjectError(
        .syntax,
        "\(name): containers are nested more than \(OldStylePropertyList.Limits.depth) deep"
      )
    } catch {
      return nil
    }
  }
}
