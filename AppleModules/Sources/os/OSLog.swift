// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
/// The level of a message.
public struct OSLogType: Equatable, Hashable, RawRepresentable, Sendable {
  /// Apple's number for the level.
  public let rawValue: UInt8

  /// Makes a level of its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Makes a level of its number.
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// Messages worth keeping; also the level of notices.
  public static let `default` = OSLogType(rawValue: 0x00)
  /// Helpful but not essential messages.
  public static let info = OSLogType(rawValue: 0x01)
  /// Messages for debugging.
  public static let debug = OSLogType(rawValue: 0x02)
  /// Something failed in this process.
  public static let error = OSLogType(rawValue: 0x10)
  /// Something failed that should never fail.
  public static let fault = OSLogType(rawValue: 0x11)

  /// The level's word in a line of the log.
  var word: String {
    switch self {
    case .info: "info"
    case .debug: "debug"
    case .error: "error"
    case .fault: "fault"
    default: "default"
    }
  }
}

/// A log of one part of a program.
///
/// Lines go to standard error, as `[subsystem:category] level: message`. Levels below the default
/// are dropped unless the environment has `OS_ACTIVITY_MODE=debug`, as with Apple's tools. Privacy
/// options are ignored: lines go only to the developer's own standard error.
open class OSLog: NSObject, @unchecked Sendable {
  // @unchecked: immutable after initialisation.

  let subsystem: String
  let category: String
  let isOn: Bool

  /// Makes the log of a part.
  public init(subsystem: String, category: String) {
    self.subsystem = subsystem
    self.category = category
    isOn = true
  }

  /// Makes the log of points that measuring tools look for.
  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem: subsystem, category: category.rawValue)
  }

  private init(isOn: Bool) {
    subsystem = ""
    category = ""
    self.isOn = isOn
  }

  /// The log for messages without a log of their own.
  public static let `default` = OSLog(isOn: true)
  /// A log that drops everything.
  public static let disabled = OSLog(isOn: false)

  /// A category that measuring tools know.
  public struct Category: RawRepresentable, Sendable {
    /// The category's name.
    public let rawValue: String

    /// Makes a category of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Events of interest.
    public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
    /// Work that is measured only while a tool looks.
    public static let dynamicTracing = Category(rawValue: "DynamicTracing")
  }

  /// Whether messages of this level are written.
  open func isEnabled(type: OSLogType) -> Bool {
    guard isOn else { return false }
    return showsDebug || (type != .debug && type != .info)
  }

  /// Whether signposts are written.
  open var signpostsEnabled: Bool { isEnabled(type: .debug) }

  func write(_ type: OSLogType, _ message: @autoclosure () -> String) {
    guard isEnabled(type: type) else { return }
    let place = subsystem.isEmpty ? "" : "[\(subsystem):\(category)] "
    // A message of several lines must not look like several messages.
    let text = message()
    LoggedLines.add(
      LoggedLine(
        date: Date(),
        type: type,
        subsystem: subsystem,
        category: category,
        message: text
      )
    )
    let line = text.replacingOccurrences(of: "\n", with: "\n  ")
    FileHandle.standardError.write(Data("\(place)\(type.word): \(line)\n".utf8))
  }
}

private let showsDebug = ProcessInfo.processInfo.environment["OS_ACTIVITY_MODE"] == "debug"

/// Writes a message with a format and its arguments.
///
/// Formats are those of `os_log`: `%@`, `%{public}@`, `%d`, `%llu`, `%.2f`, `%x` and the like. An
/// argument of the wrong type is formatted by its description, never misread.
@_disfavoredOverload
public func os_log(
  _ message: StaticString,
  dso: UnsafeRawPointer? = nil,
  log: OSLog = .default,
  type: OSLogType = .default,
  _ args: any CVarArg...
) {
  log.write(type, LogFormatting.text(message.description, args))
}

/// Writes a message with a format and its arguments.
@_disfavoredOverload
public func os_log(
  _ type: OSLogType,
  dso: UnsafeRawPointer? = nil,
  log: OSLog = .default,
  _ message: StaticString,
  _ args: any CVarArg...
) {
  log.write(type, LogFormatting.text(message.description, args))
}

/// Writes a message.
public func os_log(_ message: OSLogMessage) {
  OSLog.default.write(.default, message.text)
}

/// Writes a message.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
  log.write(type, message.text)
}
