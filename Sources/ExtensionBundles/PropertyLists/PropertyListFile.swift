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
    // Non-blocking, since opening a pipe would wait for a writer.
    let descriptor = unsafe open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw unreadable(FileFailure(url.path, "read", errno))
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw BundleError(.file, "\(url.path) is not a regular file")
    }
    do {
      return [UInt8](try handle.read(upToCount: limit + 1) ?? Data())
    } catch {
      throw BundleError(.unreadable, "\(url.path) cannot be read: \(FileFailure.reason(of: error))")
    }
  }

  private static func unreadable(_ failure: FileFailure) -> BundleError {
    BundleError(
      failure.isAboutFile ? .file : .unreadable,
      "\(failure.path) cannot be read: \(failure.reason)"
    )
  }

  static func write(_ values: [String: Any], to url: URL) throws {
    let data: Data
    do {
      data = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
    } catch {
      throw BundleError(.propertyList, "\(url.path) cannot be written as a property list")
    }
    try Files.write(data, to: url)
  }
}
