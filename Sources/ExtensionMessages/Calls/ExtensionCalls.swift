// The calls that extensions and apps make by Apple's interfaces.
//
// While it has a request, an extension may make them for itself and for its developer's others.

/// Starts a content blocker again and compiles its list.
///
/// Fails with the error that the extension cancelled with, or with that of a list that does not compile;
/// the list before stays active then.
public struct ReloadContentBlocker: HostFunction {
  /// Nothing but that it was done.
  public typealias Reply = Done
  /// The name that travels.
  public static let function: HostCall.Function = .reloadContentBlocker
  /// The bundle identifier.
  public var identifier: String

  /// Makes the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Asks whether a content blocker is on.
///
/// Fails with `SFErrorDomain` 1 also for an extension of another kind.
public struct StateOfContentBlocker: HostFunction {
  /// Whether it is on.
  public typealias Reply = Bool
  /// The name that travels.
  public static let function: HostCall.Function = .stateOfContentBlocker
  /// The bundle identifier.
  public var identifier: String

  /// Makes the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Asks whether an extension is on.
public struct StateOfExtension: HostFunction {
  /// Whether it is on.
  public typealias Reply = Bool
  /// The name that travels.
  public static let function: HostCall.Function = .stateOfExtension
  /// The bundle identifier.
  public var identifier: String

  /// Makes the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Sends a message to the script of a web extension, which ``NextMessage`` gets.
///
/// Fails with `SFErrorDomain` 1 also for one that is off or is no web extension.
public struct DispatchMessage: HostFunction {
  /// Nothing but that it was done.
  public typealias Reply = Done
  /// The name that travels.
  public static let function: HostCall.Function = .dispatchMessage
  /// The bundle identifier.
  public var identifier: String
  /// The message's name.
  public var name: String
  /// What comes with it; absent is null.
  public var userInfo: MessageValue?

  /// Makes the call.
  public init(identifier: String, name: String, userInfo: MessageValue?) {
    self.identifier = identifier
    self.name = name
    self.userInfo = userInfo
  }
}

/// Shows an extension's settings.
///
/// Always fails: none has settings that could be shown. The error says what to do instead.
public struct ShowPreferences: HostFunction {
  /// Nothing but that it was done.
  public typealias Reply = Done
  /// The name that travels.
  public static let function: HostCall.Function = .showPreferences
  /// The bundle identifier.
  public var identifier: String

  /// Makes the call.
  public init(identifier: String) { self.identifier = identifier }
}
