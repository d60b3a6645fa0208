public import ExtensionRuntime
import os

/// What was logged by this process, since nobody else's log can be read here.
open class OSLogStore: NSObject, @unchecked Sendable {
  // @unchecked: it has no state.

  /// Whose entries there are.
  public enum Scope: Int, Sendable {
    /// This machine's, on Apple systems with a permission; here those of this process.
    case system = 0
    /// This process's.
    case currentProcessIdentifier = 1
  }

  /// Opens the log.
  public init(scope: Scope) throws {}

  private override init() {}

  /// Opens the log of this machine; here that of this process.
  open class func local() throws -> OSLogStore { OSLogStore() }

  /// The order of entries.
  public struct EnumeratorOptions: OptionSet, Sendable {
    /// Apple's number.
    public let rawValue: UInt
    /// Makes options of a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The latest first.
    public static let reverse = EnumeratorOptions(rawValue: 1)
  }

  /// The place of a point in time.
  open func position(date: Date) -> OSLogPosition { OSLogPosition(date: date) }

  /// The place of a point in time, in seconds from now.
  open func position(timeIntervalSinceEnd: TimeInterval) -> OSLogPosition {
    OSLogPosition(date: Date(timeIntervalSinceNow: timeIntervalSinceEnd))
  }

  /// The entries from a place on.
  ///
  /// - Throws: `CocoaError` for a predicate, which would need the Objective-C runtime.
  open func getEntries(
    with options: EnumeratorOptions = [],
    at position: OSLogPosition? = nil,
    matching predicate: NSPredicate? = nil
  ) throws -> AnySequence<OSLogEntry> {
    var entries = LoggedLines.all.map { line in
      OSLogEntryLog(line) as OSLogEntry
    }.filter { $0.date >= position?.date ?? .distantPast }
    if let predicate { entries = entries.filter { predicate.evaluate(with: $0) } }
    return AnySequence(options.contains(.reverse) ? entries.reversed() : entries)
  }
}

/// A place in the log.
open class OSLogPosition: NSObject, @unchecked Sendable {
  // @unchecked: immutable after initialisation.
  let date: Date

  init(date: Date) { self.date = date }
}

/// An entry of the log.
open class OSLogEntry: NSObject, @unchecked Sendable {
  // @unchecked: immutable after initialisation.

  /// When it was logged.
  public let date: Date
  /// Its text.
  public let composedMessage: String

  init(_ line: LoggedLine) {
    date = line.date
    composedMessage = line.message
  }
}

/// A message.
open class OSLogEntryLog: OSLogEntry, @unchecked Sendable {
  /// The level of an entry.
  public enum Level: Int, Sendable {
    /// No level.
    case undefined = 0
    /// Messages for debugging.
    case debug = 1
    /// Helpful messages.
    case info = 2
    /// Messages worth keeping.
    case notice = 3
    /// Something failed in this process.
    case error = 4
    /// Something failed that should never fail.
    case fault = 5
  }

  /// Its level.
  public let level: Level
  /// The part of the program that logged it.
  public let subsystem: String
  /// What it is about.
  public let category: String
  /// The program that logged it.
  public var process: String { ProcessInfo.processInfo.processName }

  override init(_ line: LoggedLine) {
    level =
      switch line.type {
      case .debug: .debug
      case .info: .info
      case .error: .error
      case .fault: .fault
      default: .notice
      }
    subsystem = line.subsystem
    category = line.category
    super.init(line)
  }
}
