/// What the host says to an extension's process.
public enum MessageToExtension: Equatable, Sendable {
  /// The request; exactly one, and first.
  case request(ExtensionRequest)
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

/// A question to the host, such as to reload a content blocker.
public struct HostCall: Equatable, Sendable {
  /// A function the host offers; the set may grow, and a host refuses what it does not know.
  public struct Function: Equatable, Hashable, Sendable {
    /// The name that travels.
    public let name: String

    /// Names a function.
    public init(name: String) { self.name = name }

    /// Starts a content blocker again and compiles its list.
    ///
    /// Argument `identifier`; replies null.
    public static let reloadContentBlocker = Function(name: "reloadContentBlocker")
    /// Whether a content blocker is on.
    ///
    /// Argument `identifier`; replies a bool.
    public static let stateOfContentBlocker = Function(name: "stateOfContentBlocker")
    /// Whether an extension is on.
    ///
    /// Argument `identifier`; replies a bool.
    public static let stateOfExtension = Function(name: "stateOfExtension")
    /// Sends a message to an extension's script.
    ///
    /// Arguments `identifier`, `name`, `userInfo`; replies null.
    public static let dispatchMessage = Function(name: "dispatchMessage")
    /// Shows an extension's settings.
    ///
    /// Argument `identifier`; replies null.
    public static let showPreferences = Function(name: "showPreferences")

    // What follows is for apps and commands alone, over the host's socket.

    /// The installed extensions.
    ///
    /// No arguments; replies an array of what `describeExtension` replies.
    public static let listExtensions = Function(name: "listExtensions")
    /// One installed extension.
    ///
    /// Argument `identifier`; replies a dictionary.
    public static let describeExtension = Function(name: "describeExtension")
    /// Installs a bundle.
    ///
    /// Arguments `path` and, where they are wanted, `onlyNewer` (a later version alone), `signer` with
    /// `replacedSigners` (fingerprints; nobody signed it without them), `replacesSigned` (also in the
    /// place of what another signed), `sharesGroups` (also groups of other unsigned ones); replies
    /// what `describeExtension` replies.
    public static let installExtension = Function(name: "installExtension")
    /// Makes the version before the installed one again.
    ///
    /// Argument `identifier` and, where it is wanted, `replacesSigned`; replies what
    /// `describeExtension` replies.
    public static let goBackExtension = Function(name: "goBackExtension")
    /// Removes an extension.
    ///
    /// Argument `identifier`; replies null.
    public static let removeExtension = Function(name: "removeExtension")
    /// Removes all that an extension has written.
    ///
    /// Arguments `identifier` and, where those of its groups are meant too, `groups`; replies null.
    public static let clearExtension = Function(name: "clearExtension")
    /// Removes an application group's data and forgets whose it is.
    ///
    /// Arguments `group` and, for a group of unsigned extensions, `isUnsigned`; replies null.
    public static let forgetGroup = Function(name: "forgetGroup")
    /// Turns an extension on.
    ///
    /// Argument `identifier`; replies null.
    public static let turnOnExtension = Function(name: "turnOnExtension")
    /// Turns an extension off.
    ///
    /// Argument `identifier`; replies null.
    public static let turnOffExtension = Function(name: "turnOffExtension")
    /// Grants an extension without entitlements the network, or takes it back.
    ///
    /// Arguments `identifier` and `isGranted`; replies null.
    public static let grantNetwork = Function(name: "grantNetwork")
    /// What an extension printed, and what happened to its requests.
    ///
    /// Argument `identifier`; replies a string of lines.
    public static let logOfExtension = Function(name: "logOfExtension")
    /// Sends a web extension's handler a message.
    ///
    /// Arguments `identifier`, `message` and, where there is one, `profile`; replies the answer.
    public static let sendMessage = Function(name: "sendMessage")
    /// Waits for the next message that an app or an extension sends to an extension's script.
    ///
    /// Argument `identifier`; replies a dictionary of `name`, `userInfo` and, where an extension sent
    /// it, that extension's identifier as `sender`, or null at the end.
    public static let nextMessage = Function(name: "nextMessage")
    /// Sets the list of a web extension.
    ///
    /// Arguments `identifier` and `rules`: JSON text, an array, or null; replies null.
    public static let setContentBlocker = Function(name: "setContentBlocker")
    /// Asks a Shared Links extension for its items.
    ///
    /// Argument `identifier`; replies an array of items.
    public static let sharedLinks = Function(name: "sharedLinks")
    /// Writes sentences into an extension's log, for its developer.
    ///
    /// Arguments `identifier` and `notes`, an array of strings; replies null.
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
