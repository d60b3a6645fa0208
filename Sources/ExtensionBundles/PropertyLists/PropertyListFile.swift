internal import CLibrary
internal import DurableFiles
public import Foundation

extension PropertyListValue {
  /// The value as Foundation's types, to be modified and written.
  public var foundation: Any {
    switch self {
    case .string(let text): text
    case .integer(let number): Int(number)
    case .unsigned(let number): number
    case .real(let number): number
    case .boolean(let value): value
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let bytes): Data(bytes)
    case .array(let values): values.map(\.foundation)
    case .dictionary(let values): values.mapValues(\.foundation)
    }
  }
}

extension PropertyListValue: Encodable {
  /// Creates a value from Foundation's types; `nil` if property lists have no such type.
  public init?(foundation value: Any) {
    switch value {
    case let text as String: self = .string(text)
    case let value as Bool: self = .boolean(value)
    case let number as Int: self = .integer(Int64(number))
    case let number as Int64: self = .integer(number)
    case let number as UInt64:
      self = Int64(exactly: number).map { .integer($0) } ?? .unsigned(number)
    case let number as Double: self = .real(number)
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let data as Data: self = .data(Array(data))
    case let values as [Any]:
      let list = values.compactMap { Self(foundation: $0) }
      guard list.count == values.count else { return nil }
      self = .array(list)
    case let values as [String: Any]:
      let list = values.compactMapValues { Self(foundation: $0) }
      guard list.count == values.count else { return nil }
      self = .dictionary(list)
    default: return nil
    }
  }

  /// Writes the value as the type that it has.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .unsigned(let number): try container.encode(number)
    case .real(let number): try container.encode(number)
    case .boolean(let value): try container.encode(value)
    case .date(let seconds): try container.encode(Date(timeIntervalSinceReferenceDate: seconds))
    case .data(let bytes): try container.encode(Data(bytes))
    case .array(let values): try container.encode(values)
    case .dictionary(let values): try container.encode(values)
    }
  }
}

/// Reads property lists from files.
public enum PropertyListFile {
  /// Reads an untrusted list whose root is a dictionary.
  ///
  /// - Throws: ``BundleError`` with code `.file` for a file that is missing or not regular,
  ///   `.unreadable` for one that the machine fails to read, `.propertyList` for one that is not
  ///   such a list.
  public static func dictionary(_ url: URL) throws(BundleError) -> [String: PropertyListValue] {
    let limits = PropertyListLimits()
    return try dictionary(try contents(url, limit: limits.bytes), limits, what: url.path)
  }

  /// Reads an untrusted list whose root is a dictionary.
  ///
  /// - Throws: ``BundleError`` with code `.propertyList`.
  public static func dictionary(
    _ bytes: [UInt8],
    _ limits: PropertyListLimits = PropertyListLimits(),
    what: String
  ) throws(BundleError) -> [String: PropertyListValue] {
    let value: PropertyListValue
    do {
      value = try PropertyListReader.read(bytes, limits: limits)
    } catch {
      let remedy = error.reason == .otherForm ? "; save it as XML" : ""
      throw BundleError(
        .propertyList,
        "\(what) is not a property list that is taken: \(error.message)\(remedy)"
      )
    }
    guard let dictionary = value.dictionary else {
      throw BundleError(.propertyList, "\(what) is not a dictionary")
    }
    return dictionary
  }

  /// Reads a regular file, and at most one byte more than the limit.
  private static func contents(_ url: URL, limit: Int) throws(BundleError) -> [UInt8] {
    do throws(FileFailure) {
      return try DurableFile.beginning(of: url.path, limit + 1)
    } catch {
      guard error.action != "read" || ![EISDIR, FileFailure.notAFile].contains(error.number) else {
        throw BundleError(.file, "\(url.path) is not a regular file")
      }
      throw BundleError(
        error.isAboutFile ? .file : .unreadable,
        "\(url.path) cannot be read: \(error.reason)"
      )
    }
  }

  /// Returns values of Foundation's types as XML.
  ///
  /// - Throws: ``BundleError`` with code `.propertyList` if property lists cannot have one of them.
  public static func data(_ values: [String: Any]) throws -> Data {
    guard let list = PropertyListValue(foundation: values) else {
      throw BundleError(.propertyList, "there are values that no property list can have")
    }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    return try encoder.encode(list)
  }

  static func write(_ values: [String: Any], to url: URL) throws {
    let data: Data
    do { data = try Self.data(values) } catch {
      throw BundleError(.propertyList, "\(url.path) cannot be written as a property list")
    }
    try Files.write(data, to: url)
  }
}
