/// Writes log messages of one part of a program; see ``OSLog`` for where they go.
public struct Logger: Sendable {
  private let log: OSLog

  /// Makes a logger of a part.
  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  /// Makes a logger of the default log.
  public init() { log = .default }

  /// Makes a logger of a log.
  public init(_ logObj: OSLog) { log = logObj }

  /// Writes a message of any level.
  public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message.text) }
  /// Writes a message of the default level.
  public func log(_ message: OSLogMessage) { log.write(.default, message.text) }
  /// Writes a message of the default level.
  public func notice(_ message: OSLogMessage) { log.write(.default, message.text) }
  /// Writes a message of level debug.
  public func trace(_ message: OSLogMessage) { log.write(.debug, message.text) }
  /// Writes a message of level debug.
  public func debug(_ message: OSLogMessage) { log.write(.debug, message.text) }
  /// Writes a message of level info.
  public func info(_ message: OSLogMessage) { log.write(.info, message.text) }
  /// Writes a message of level error.
  public func warning(_ message: OSLogMessage) { log.write(.error, message.text) }
  /// Writes a message of level error.
  public func error(_ message: OSLogMessage) { log.write(.error, message.text) }
  /// Writes a message of level fault.
  public func critical(_ message: OSLogMessage) { log.write(.fault, message.text) }
  /// Writes a message of level fault.
  public func fault(_ message: OSLogMessage) { log.write(.fault, message.text) }
}

/// The privacy of a value in a message; ignored, see ``OSLog``.
public struct OSLogPrivacy: Sendable {
  /// How a hidden value is replaced.
  public enum Mask: Sendable {
    case none, hash
  }

  /// Whatever the value's type says.
  public static let auto = OSLogPrivacy()
  /// Everybody.
  public static let `public` = OSLogPrivacy()
  /// Nobody.
  public static let `private` = OSLogPrivacy()
  /// Nobody, ever.
  public static let sensitive = OSLogPrivacy()

  /// Whatever the value's type says.
  public static func auto(mask: Mask) -> OSLogPrivacy { .auto }
  /// Nobody.
  public static func `private`(mask: Mask) -> OSLogPrivacy { .private }
  /// Nobody, ever.
  public static func sensitive(mask: Mask) -> OSLogPrivacy { .sensitive }
}

/// How a number is written.
public struct OSLogIntegerFormatting: Sendable {
  let radix: Int
  let prefix: String

  /// In base ten.
  public static let decimal = OSLogIntegerFormatting(radix: 10, prefix: "")
  /// In base sixteen.
  public static let hex = OSLogIntegerFormatting(radix: 16, prefix: "")
  /// In base eight.
  public static let octal = OSLogIntegerFormatting(radix: 8, prefix: "")

  /// In base sixteen, with `0x` before it if asked for.
  public static func hex(includePrefix: Bool) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(radix: 16, prefix: includePrefix ? "0x" : "")
  }
}

/// How a number with a fraction is written.
public struct OSLogFloatFormatting: Sendable {
  let format: String

  /// With six digits behind the point.
  public static let fixed = OSLogFloatFormatting(format: "%.6f")
  /// With an exponent.
  public static let exponential = OSLogFloatFormatting(format: "%e")
  /// The shorter of both.
  public static let hybrid = OSLogFloatFormatting(format: "%g")

  /// With so many digits behind the point, at most 100.
  public static func fixed(precision: Int) -> OSLogFloatFormatting {
    OSLogFloatFormatting(format: "%.\(min(max(precision, 0), 100))f")
  }
}

/// A message and the values in it.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
  let text: String

  /// Makes a message of a text.
  public init(stringLiteral value: String) { text = value }
  /// Makes a message of a text with values.
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// Collects a message's pieces.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
  fileprivate private(set) var text = ""

  /// Starts a message.
  public init(literalCapacity: Int, interpolationCount: Int) {
    text.reserveCapacity(literalCapacity + interpolationCount * 8)
  }

  /// Adds the text between values.
  public mutating func appendLiteral(_ literal: String) { text += literal }

  /// Adds a value.
  public mutating func appendInterpolation<Value>(
    _ value: @autoclosure () -> Value,
    privacy: OSLogPrivacy = .auto
  ) {
    text += String(describing: value())
  }

  /// Adds a whole number.
  public mutating func appendInterpolation<Number: BinaryInteger>(
    _ number: @autoclosure () -> Number,
    format: OSLogIntegerFormatting,
    privacy: OSLogPrivacy = .auto
  ) {
    text += format.prefix + String(number(), radix: format.radix)
  }

  /// Adds a number with a fraction.
  public mutating func appendInterpolation<Number: BinaryFloatingPoint>(
    _ number: @autoclosure () -> Number,
    format: OSLogFloatFormatting,
    privacy: OSLogPrivacy = .auto
  ) {
    text += String(format: format.format, Double(number()))
  }
}
