// The calls that extensions and apps make through Apple's interfaces.
//
// An extension may make them only while it handles a request, for itself and for other extensions of its
// developer.

/// Restarts a content blocker and compiles its list.
///
/// Fails with the error with which the extension cancelled, or with the error of a list that does not compile;
/// the previous list then stays active.
public struct ReloadContentBlocker: HostFunction {
  /// Empty: the call succeeded.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .reloadContentBlocker
  /// The bundle identifier.
  public var identifier: String

  /// Creates the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Asks whether a content blocker is on.
///
/// Fails with `SFErrorDomain` 1 also for an extension of another kind.
public struct StateOfContentBlocker: HostFunction {
  /// Whether it is on.
  public typealias Reply = Bool
  /// The function's name in messages.
  public static let function: HostCall.Function = .stateOfContentBlocker
  /// The bundle identifier.
  public var identifier: String

  /// Creates the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Asks whether an extension is on.
public struct StateOfExtension: HostFunction {
  /// Whether it is on.
  public typealias Reply = Bool
  /// The function's name in messages.
  public static let function: HostCall.Function = .stateOfExtension
  /// The bundle identifier.
  public var identifier: String

  /// Creates the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Sends a message to the script of a web extension, which receives it with ``NextMessage``.
///
/// Fails with `SFErrorDomain` 1 also for an extension that is off or is not a web extension.
public struct DispatchMessage: HostFunction {
  /// Empty: the call succeeded.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .dispatchMessage
  /// The bundle identifier.
  public var identifier: String
  /// The message's name.
  public var name: String
  /// The message's payload; absent means null.
  public var userInfo: MessageValue?

  /// Creates the call.
  public init(identifier: String, name: String, userInfo: MessageValue?) {
    self.identifier = identifier
    self.name = name
    self.userInfo = userInfo
  }
}

/// Shows an extension's settings.
///
/// Always fails, because no extension has settings to show. The error says what to do instead.
public struct ShowPreferences: HostFunction {
  /// Empty: the call succeeded.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .showPreferences
  /// The bundle identifier.
  public var identifier: String

  /// Creates the call.
  public init(identifier: String) { self.identifier = identifier }
}
