// Apple's names. No tool reads signposts here; they are log lines at level debug.
import Synchronization

/// Identifies one run of a measured operation.
public struct OSSignpostID: Equatable, Comparable, Sendable {
  /// The number.
  public let rawValue: UInt64

  /// Makes an identifier of a number.
  public init(_ value: UInt64) { rawValue = value }
  /// Makes an identifier that no other of this process has.
  public init(log: OSLog) { self = .next() }
  /// Makes the identifier of an object.
  public init(log: OSLog, object: AnyObject) {
    rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
  }

  /// The identifier of an operation that never runs twice at once.
  public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
  /// No identifier.
  public static let invalid = OSSignpostID(.max)
  /// No identifier.
  public static let null = OSSignpostID(0)

  /// Orders identifiers by their numbers.
  public static func < (a: OSSignpostID, b: OSSignpostID) -> Bool { a.rawValue < b.rawValue }

  private static let last = Atomic<UInt64>(0)

  fileprivate static func next() -> OSSignpostID {
    OSSignpostID(last.wrappingAdd(1, ordering: .relaxed).newValue)
  }
}

/// What a signpost marks.
public enum OSSignpostType: String, Sendable {
  case event, begin, end
}

/// Marks a point in time.
public func os_signpost(
  _ type: OSSignpostType,
  dso: UnsafeRawPointer? = nil,
  log: OSLog,
  name: StaticString,
  signpostID: OSSignpostID = .exclusive
) {
  log.write(.debug, "signpost \(type.rawValue) \(name) \(signpostID.rawValue)")
}

/// Marks a point in time with a message.
public func os_signpost(
  _ type: OSSignpostType,
  dso: UnsafeRawPointer? = nil,
  log: OSLog,
  name: StaticString,
  signpostID: OSSignpostID = .exclusive,
  _ format: StaticString,
  _ arguments: any CVarArg...
) {
  log.write(
    .debug,
    "signpost \(type.rawValue) \(name) \(signpostID.rawValue) "
      + LogFormatting.text(format.description, arguments)
  )
}

/// An interval that has begun.
public final class OSSignpostIntervalState: Sendable {
  fileprivate let id: OSSignpostID

  fileprivate init(id: OSSignpostID) { self.id = id }
}

/// Marks intervals and events of one part of a program.
public struct OSSignposter: Sendable {
  private let log: OSLog

  /// Makes a signposter of a part.
  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  /// Makes a signposter of a log.
  public init(logHandle: OSLog) { log = logHandle }

  /// Makes a signposter of a logger's default log.
  public init() { log = .default }

  /// Whether signposts are written.
  public var isEnabled: Bool { log.signpostsEnabled }

  /// An identifier that no other of this process has.
  public func makeSignpostID() -> OSSignpostID { OSSignpostID(log: log) }

  /// Begins an interval.
  public func beginInterval(
    _ name: StaticString,
    id: OSSignpostID = .exclusive
  ) -> OSSignpostIntervalState {
    os_signpost(.begin, log: log, name: name, signpostID: id)
    return OSSignpostIntervalState(id: id)
  }

  /// Ends an interval.
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {
    os_signpost(.end, log: log, name: name, signpostID: state.id)
  }

  /// Marks an event.
  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {
    os_signpost(.event, log: log, name: name, signpostID: id)
  }

  /// Runs a body as an interval.
  public func withIntervalSignpost<Result>(
    _ name: StaticString,
    id: OSSignpostID = .exclusive,
    around task: () throws -> Result
  ) rethrows -> Result {
    let state = beginInterval(name, id: id)
    defer { endInterval(name, state) }
    return try task()
  }
}

/// A lock around a value.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  // @unchecked: the value is reached only with the lock held.
  private final class Storage {
    let lock = NSLock()
    var state: State

    init(_ state: State) { self.state = state }
  }

  private let storage: Storage

  /// Makes a lock around a value that may be used from one thread only.
  public init(uncheckedState initialState: State) { storage = Storage(initialState) }

  /// Runs a body with the lock held.
  public func withLockUnchecked<Result>(
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }

  /// Runs a body with the lock held.
  public func withLock<Result: Sendable>(
    _ body: @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    try withLockUnchecked(body)
  }
}

extension OSAllocatedUnfairLock where State: Sendable {
  /// Makes a lock around a value.
  public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == () {
  /// Makes a lock around nothing.
  public init() { self.init(uncheckedState: ()) }

  /// Acquires the lock.
  public func lock() { storage.lock.lock() }
  /// Releases the lock, which this thread must hold.
  public func unlock() { storage.lock.unlock() }

  /// Runs a body with the lock held.
  public func withLock<Result: Sendable>(
    _ body: @Sendable () throws -> Result
  ) rethrows -> Result {
    try withLockUnchecked { _ in try body() }
  }
}
