/// What the host says to an extension's process.
public enum MessageToExtension: Equatable, Sendable {
  /// The request; exactly one, and first.
  case request(ExtensionRequest)
  /// The beginning of a browser's session, in place of a request; first.
  case session(ExtensionSession)
  /// What the browser of the session has to say, as `Documentation/AppExtensions.md` lists it.
  case event(MessageValue)
  /// The answer to a ``HostCall``.
  case reply(HostReply)
}

/// What an extension's process says to the host.
public enum MessageFromExtension: Equatable, Sendable {
  /// The handler completed the request; the last message.
  case answer(ExtensionAnswer)
  /// The handler cancelled the request, or the runtime could not do its part; the last message.
  case cancel(ErrorReport)
  /// The handler asks something of the host before it answers.
  case call(HostCall)
  /// What the handler has to say to the browser of its session.
  case browser(MessageValue)
}

/// What an extension is started for.
public struct ExtensionRequest: Equatable, Sendable {
  /// The item that `NSExtensionContext.inputItems` holds.
  public var item: ExtensionItem
  /// The folders of the application groups that the extension is entitled to: absolute path by
  /// group identifier.
  public var groupContainers: [String: String]

  /// Makes a request.
  public init(item: ExtensionItem = ExtensionItem(), groupContainers: [String: String] = [:]) {
    self.item = item
    self.groupContainers = groupContainers
  }
}

/// What a process is started with that serves a browser's session.
public struct ExtensionSession: Equatable, Sendable {
  /// The folders of the application groups, as in ``ExtensionRequest``.
  public var groupContainers: [String: String]

  /// Makes a session.
  public init(groupContainers: [String: String] = [:]) { self.groupContainers = groupContainers }
}

/// What an extension answered.
public struct ExtensionAnswer: Equatable, Sendable {
  /// The returned items; nil where the handler returned nil.
  public var items: [ExtensionItem]?
  /// Sentences for the developer about what could not travel.
  public var notes: [String]

  /// Makes an answer.
  public init(items: [ExtensionItem]?, notes: [String] = []) {
    self.items = items
    self.notes = notes
  }
}

/// A question to the host, such as to reload a content blocker, as it travels.
///
/// Whoever asks makes a ``HostFunction``, which has the arguments by name and type.
public struct HostCall: Equatable, Sendable {
  /// A function the host offers; the set may grow, and a host refuses what it does not know.
  public struct Function: Equatable, Hashable, Sendable {
    /// The name that travels.
    public let name: String

    /// Names a function.
    public init(name: String) { self.name = name }

    /// See ``ReloadContentBlocker``.
    public static let reloadContentBlocker = Function(name: "reloadContentBlocker")
    /// See ``StateOfContentBlocker``.
    public static let stateOfContentBlocker = Function(name: "stateOfContentBlocker")
    /// See ``StateOfExtension``.
    public static let stateOfExtension = Function(name: "stateOfExtension")
    /// See ``DispatchMessage``.
    public static let dispatchMessage = Function(name: "dispatchMessage")
    /// See ``ShowPreferences``.
    public static let showPreferences = Function(name: "showPreferences")

    // What follows is for apps and commands alone, over the host's socket.

    /// See ``ListExtensions``.
    public static let listExtensions = Function(name: "listExtensions")
    /// See ``DescribeExtension``.
    public static let describeExtension = Function(name: "describeExtension")
    /// See ``InstallExtension``.
    public static let installExtension = Function(name: "installExtension")
    /// See ``GoBackExtension``.
    public static let goBackExtension = Function(name: "goBackExtension")
    /// See ``RemoveExtension``.
    public static let removeExtension = Function(name: "removeExtension")
    /// See ``ClearExtension``.
    public static let clearExtension = Function(name: "clearExtension")
    /// See ``ForgetGroup``.
    public static let forgetGroup = Function(name: "forgetGroup")
    /// See ``DescribeGroup``.
    public static let describeGroup = Function(name: "describeGroup")
    /// See ``SetGroupValue``.
    public static let setGroupValue = Function(name: "setGroupValue")
    /// See ``SetGroupFile``.
    public static let setGroupFile = Function(name: "setGroupFile")
    /// See ``TurnOnExtension``.
    public static let turnOnExtension = Function(name: "turnOnExtension")
    /// See ``TurnOffExtension``.
    public static let turnOffExtension = Function(name: "turnOffExtension")
    /// See ``GrantNetwork``.
    public static let grantNetwork = Function(name: "grantNetwork")
    /// See ``LogOfExtension``.
    public static let logOfExtension = Function(name: "logOfExtension")
    /// See ``SendMessage``.
    public static let sendMessage = Function(name: "sendMessage")
    /// See ``NextMessage``.
    public static let nextMessage = Function(name: "nextMessage")
    /// See ``SetContentBlocker``.
    public static let setContentBlocker = Function(name: "setContentBlocker")
    /// See ``AskForLinks``.
    public static let sharedLinks = Function(name: "sharedLinks")
    /// See ``OpenSession``.
    public static let openSession = Function(name: "openSession")
    /// See ``SendEvent``.
    public static let sendEvent = Function(name: "sendEvent")
    /// See ``NextFromHandler``.
    public static let nextFromHandler = Function(name: "nextFromHandler")
    /// See ``HandOver``.
    public static let handOver = Function(name: "handOver")
    /// See ``AddNotes``.
    public static let addNotes = Function(name: "addNotes")
  }

  /// A number that the reply repeats.
  public var id: Int64
  /// What is asked.
  public var function: Function
  /// With what.
  public var arguments: [String: MessageValue]

  /// Makes a call.
  public init(id: Int64, function: Function, arguments: [String: MessageValue]) {
    self.id = id
    self.function = function
    self.arguments = arguments
  }
}

/// The host's answer to a ``HostCall``.
public struct HostReply: Equatable, Sendable {
  /// The call's number.
  public var id: Int64
  /// The outcome.
  public var result: Result<MessageValue, ErrorReport>

  /// Makes a reply.
  public init(id: Int64, result: Result<MessageValue, ErrorReport>) {
    self.id = id
    self.result = result
  }
}
