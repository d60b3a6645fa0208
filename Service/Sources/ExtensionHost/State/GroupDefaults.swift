internal import DurableFiles
internal import ExtensionBundles
internal import ExtensionMessages
internal import Foundation

/// The defaults of an application group: the property list that `UserDefaults(suiteName:)` reads in
/// the group's extensions and apps.
struct GroupDefaults {
  /// The values, as they are written.
  private(set) var values: [String: Any]
  private let folder: Folder
  private let name: String

  /// Reads the defaults of a group.
  ///
  /// - Parameters:
  ///   - group: The group's name.
  ///   - folder: The group's folder, which extensions may write to.
  /// - Throws: ``HostError`` with code `.damaged` if an extension or an app wrote something else into
  ///   the file, and `.file`.
  init(_ group: String, in folder: Folder) throws(HostError) {
    self.folder = try Self.folder(in: folder)
    name = Self.fileName(group)
    let path = self.folder.path(of: name)
    let limits = PropertyListLimits()
    guard let bytes = try self.folder.contents(name, atMost: limits.bytes), !bytes.isEmpty else {
      values = [:]
      return
    }
    do throws(BundleError) {
      values = try PropertyListFile.dictionary([UInt8](bytes), limits, what: path)
        .mapValues(\.foundation)
    } catch {
      throw HostError(.damaged, "\(error.message); move the file away to begin with no defaults")
    }
  }

  /// The name of the file.
  static func fileName(_ group: String) -> String { group + ".plist" }

  /// Whether a file at a path in a group's folder would take the place of the group's defaults, or of
  /// a folder that they are in.
  static func isInTheWay(_ parts: [String], of group: String) -> Bool {
    (folders + [fileName(group)]).starts(with: parts)
  }

  /// The folders that the file is in.
  private static let folders = ["Library", "Preferences"]

  /// Opens the file's folder in that of a group, and makes it if needed.
  ///
  /// It is where it is on Apple's systems, so that the rest of the folder is the developer's own.
  static func folder(in group: Folder) throws(HostError) -> Folder {
    var folder = group
    for name in folders { folder = try folder.ensureFolder(name) }
    return folder
  }

  /// The values as a message's.
  var messageValues: [String: MessageValue] { values.mapValues(Self.messageValue) }

  /// Replaces or removes a value and writes the file.
  ///
  /// - Throws: ``HostError`` with code `.badArgument` for a value that property lists do not have,
  ///   and `.file`.
  mutating func set(_ value: MessageValue?, for key: String) throws(HostError) {
    if let value {
      values[key] = try Self.foundation(value, in: key)
    } else {
      values[key] = nil
    }
    let limits = PropertyListLimits()
    let encoded = try? PropertyListSerialization.data(
      fromPropertyList: values,
      format: .xml,
      options: 0
    )
    guard let encoded, (try? PropertyListReader.read([UInt8](encoded), limits: limits)) != nil
    else {
      throw HostError(
        .badArgument,
        "the defaults of the group would not be read again with \"\(key)\": a property list has at "
          + "most \(limits.bytes) bytes, \(limits.values) values and \(limits.depth) levels"
      )
    }
    do throws(FileFailure) { try folder.replaceFile(name, with: encoded) } catch {
      throw HostError(error)
    }
  }

  private static func foundation(
    _ value: MessageValue,
    in key: String
  ) throws(HostError) -> Any {
    switch value {
    case .null:
      throw HostError(.badArgument, "\"\(key)\" contains null, which defaults cannot have")
    case .bool(let flag): return flag
    case .integer(let number): return Int(number)
    case .double(let number): return number
    case .string(let text), .url(let text): return text
    case .data(let bytes): return Data(bytes)
    case .date(let seconds): return Date(timeIntervalSince1970: seconds)
    case .uuid: throw HostError(.badArgument, "\"\(key)\" contains a UUID; write it as text")
    case .array(let elements):
      var result: [Any] = []
      for element in elements { result.append(try foundation(element, in: key)) }
      return result
    case .dictionary(let members):
      var result: [String: Any] = [:]
      for (name, member) in members { result[name] = try foundation(member, in: "\(key).\(name)") }
      return result
    }
  }

  private static func messageValue(_ value: Any) -> MessageValue {
    switch value {
    case let text as String: .string(text)
    case let flag as Bool: .bool(flag)
    case let number as Int: .integer(Int64(number))
    case let number as UInt64: .double(Double(number))
    case let number as Double: .double(number)
    case let data as Data: .data([UInt8](data))
    case let date as Date: .date(date.timeIntervalSince1970)
    case let elements as [Any]: .array(elements.map(messageValue))
    case let members as [String: Any]: .dictionary(members.mapValues(messageValue))
    default: .null
    }
  }
}
