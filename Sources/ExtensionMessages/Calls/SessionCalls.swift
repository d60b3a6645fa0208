// The calls of the process between a browser and the host, for a Safari app extension.

/// Begins a browser's session with the handler of a Safari app extension.
///
/// Starts nothing: the first event does. The session ends when nobody waits for ``NextFromHandler`` any
/// more. Fails with `SFErrorDomain` 1 also for an extension that is off or of another kind.
public struct OpenSession: HostFunction {
  /// The session's name.
  public typealias Reply = String
  /// The function's name in messages.
  public static let function: HostCall.Function = .openSession
  /// The bundle identifier.
  public var identifier: String
  /// Whose extension is meant; `nil` for anybody's.
  public var owner: ExtensionOwner?

  /// Creates the call.
  public init(identifier: String, owner: ExtensionOwner? = nil) {
    self.identifier = identifier
    self.owner = owner
  }
}

/// Sends an event of the browser to the handler, which is started if it does not run.
///
/// Fails with `bad-argument` if the session has ended, with `over-limit` if the handler crashes too often
/// or takes no events, and as ``SendMessage`` does.
public struct SendEvent: HostFunction {
  /// Empty: the event was taken.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .sendEvent
  /// The session.
  public var session: String
  /// The event.
  public var event: MessageValue

  /// Creates the call.
  public init(session: String, event: MessageValue) {
    self.session = session
    self.event = event
  }
}

/// Waits for what the handler says to the browser.
public struct NextFromHandler: HostFunction {
  /// The messages, in order; null if the session has ended.
  public typealias Reply = [MessageValue]?
  /// The function's name in messages.
  public static let function: HostCall.Function = .nextFromHandler
  /// The session.
  public var session: String

  /// Creates the call.
  public init(session: String) { self.session = session }
}

/// Asks a process that is the service on behalf of a browser to make way for the service itself.
///
/// Fails with `refused` if the service itself runs.
public struct HandOver: HostFunction {
  /// Empty: it ends as soon as it has replied.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .handOver

  /// Creates the call.
  public init() {}
}
