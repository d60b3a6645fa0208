// The calls of apps and commands, over the host's socket. An extension's process is refused.

/// Asks for all installed extensions, in the order of their identifiers.
public struct ListExtensions: HostFunction {
  /// The extensions, including those that cannot be read.
  public typealias Reply = [ExtensionDescription]
  /// The function's name in messages.
  public static let function: HostCall.Function = .listExtensions

  /// Creates the call.
  public init() {}
}

/// Asks for one installed extension.
public struct DescribeExtension: HostFunction {
  /// The extension.
  public typealias Reply = ExtensionDescription
  /// The function's name in messages.
  public static let function: HostCall.Function = .describeExtension
  /// The bundle identifier.
  public var identifier: String

  /// Creates the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Installs a copy of a bundle.
///
/// Fails with `bad-bundle` for a bundle that cannot be installed, and with `refused` if the installed
/// version may not be replaced. After a failure the installed version stays.
public struct InstallExtension: HostFunction {
  /// The extension that is now installed.
  public typealias Reply = ExtensionDescription
  /// The function's name in messages.
  public static let function: HostCall.Function = .installExtension
  /// The bundle's folder, `NAME.appex`.
  public var path: String
  /// Whether to refuse a version that is not later than the installed one; absent means false.
  public var onlyNewer: Bool?
  /// The fingerprint of the key that signed it; absent if it is unsigned.
  public var signer: String?
  /// Fingerprints of the keys that the signer's key replaces.
  public var replacedSigners: [String]?
  /// Whether it may replace an extension that another key signed; absent means false.
  public var replacesSigned: Bool?
  /// Whether it may share groups with other unsigned extensions; absent means false.
  public var sharesGroups: Bool?
  /// Whether it gets the data of the damaged one that it replaces, whose signer is unknown; absent means false.
  public var keepsData: Bool?

  /// Creates the call.
  public init(
    path: String,
    onlyNewer: Bool? = nil,
    signer: String? = nil,
    replacedSigners: [String]? = nil,
    replacesSigned: Bool? = nil,
    sharesGroups: Bool? = nil,
    keepsData: Bool? = nil
  ) {
    self.path = path
    self.onlyNewer = onlyNewer
    self.signer = signer
    self.replacedSigners = replacedSigners
    self.replacesSigned = replacesSigned
    self.sharesGroups = sharesGroups
    self.keepsData = keepsData
  }
}

/// Restores the version that was installed before the current one.
///
/// Fails with `not-installed` if there is no such version, and with `refused` if an unsigned version would
/// replace a signed one without consent.
public struct GoBackExtension: HostFunction {
  /// The extension that is now installed.
  public typealias Reply = ExtensionDescription
  /// The function's name in messages.
  public static let function: HostCall.Function = .goBackExtension
  /// The bundle identifier.
  public var identifier: String
  /// Whether it may replace an extension that another key signed; absent means false.
  public var replacesSigned: Bool?

  /// Creates the call.
  public init(identifier: String, replacesSigned: Bool? = nil) {
    self.identifier = identifier
    self.replacesSigned = replacesSigned
  }
}

/// Removes an extension, its container, its list and its log.
public struct RemoveExtension: HostFunction {
  /// Empty: the call succeeded.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .removeExtension
  /// The bundle identifier.
  public var identifier: String

  /// Creates the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Deletes everything that an extension has written.
public struct ClearExtension: HostFunction {
  /// Empty: the call succeeded.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .clearExtension
  /// The bundle identifier.
  public var identifier: String
  /// Whether to delete what it wrote into its groups, too; absent means false.
  public var groups: Bool?

  /// Creates the call.
  public init(identifier: String, groups: Bool? = nil) {
    self.identifier = identifier
    self.groups = groups
  }
}

/// Deletes an application group's data and forgets its owner.
///
/// Fails with `refused` while an extension that uses it is installed.
public struct ForgetGroup: HostFunction {
  /// Empty: the call succeeded.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .forgetGroup
  /// The group, such as `group.com.example.notes`.
  public var group: String
  /// Whether it is the group of unsigned extensions; absent means false.
  public var isUnsigned: Bool?

  /// Creates the call.
  public init(group: String, isUnsigned: Bool? = nil) {
    self.group = group
    self.isUnsigned = isUnsigned
  }
}

/// Turns an extension on, which starts a content blocker and compiles its list.
///
/// Fails as ``ReloadContentBlocker`` does; the extension is on nevertheless.
public struct TurnOnExtension: HostFunction {
  /// Empty: the call succeeded.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .turnOnExtension
  /// The bundle identifier.
  public var identifier: String

  /// Creates the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Turns an extension off.
public struct TurnOffExtension: HostFunction {
  /// Empty: the call succeeded.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .turnOffExtension
  /// The bundle identifier.
  public var identifier: String

  /// Creates the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Grants network access to an extension without entitlements, or revokes it.
public struct GrantNetwork: HostFunction {
  /// Empty: the call succeeded.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .grantNetwork
  /// The bundle identifier.
  public var identifier: String
  /// Whether access is granted; absent means false.
  public var isGranted: Bool?

  /// Creates the call.
  public init(identifier: String, isGranted: Bool?) {
    self.identifier = identifier
    self.isGranted = isGranted
  }
}

/// Asks for an extension's log: what it printed, and how its requests ended.
public struct LogOfExtension: HostFunction {
  /// The log's lines.
  public typealias Reply = String
  /// The function's name in messages.
  public static let function: HostCall.Function = .logOfExtension
  /// The bundle identifier.
  public var identifier: String

  /// Creates the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Passes a message to a web extension's handler.
///
/// Fails with `SFErrorDomain` 1 also for an extension that is off or is not a web extension, and with the
/// handler's own error.
public struct SendMessage: HostFunction {
  /// The handler's answer.
  public typealias Reply = MessageValue
  /// The function's name in messages.
  public static let function: HostCall.Function = .sendMessage
  /// The bundle identifier.
  public var identifier: String
  /// The message; absent means null.
  public var message: MessageValue?
  /// The UUID of the browser's profile, if it has one.
  public var profile: MessageValue?
  /// Whose extension is meant; `nil` for anybody's.
  public var owner: ExtensionOwner?

  /// Creates the call.
  public init(
    identifier: String,
    message: MessageValue?,
    profile: MessageValue? = nil,
    owner: ExtensionOwner? = nil
  ) {
    self.identifier = identifier
    self.message = message
    self.profile = profile
    self.owner = owner
  }
}

/// Whose extension a caller means, who was let in for one developer's extension.
///
/// The host refuses the call if the identifier belongs to another developer's by now.
public struct ExtensionOwner: Codable, Equatable, Sendable {
  /// The fingerprint of the key that signed it; `nil` for unsigned.
  public var signer: String?
  /// The installation of an unsigned extension, since anybody's could have the identifier after a
  /// removal.
  public var installation: String?

  /// Creates a value.
  public init(signer: String?, installation: String?) {
    self.signer = signer
    self.installation = installation
  }
}

/// Waits for the next message that an app or an extension sends to a web extension's script.
public struct NextMessage: HostFunction {
  /// The message; null if no more will come.
  public typealias Reply = ScriptMessage?
  /// The function's name in messages.
  public static let function: HostCall.Function = .nextMessage
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

/// Sets the list of a web extension, on behalf of its script.
///
/// Fails with the error of a list that does not compile; the previous list then stays active.
public struct SetContentBlocker: HostFunction {
  /// Empty: the call succeeded.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .setContentBlocker
  /// The bundle identifier.
  public var identifier: String
  /// The rules, as JSON text or as an array; null or absent removes the list.
  public var rules: MessageValue?
  /// Whose extension it is, if its own script asks; `nil` for anybody's.
  public var owner: ExtensionOwner?

  /// Creates the call.
  public init(identifier: String, rules: MessageValue?, owner: ExtensionOwner? = nil) {
    self.identifier = identifier
    self.rules = rules
    self.owner = owner
  }
}

/// Asks a Shared Links extension for its items.
///
/// Fails with the error with which the extension cancelled.
public struct AskForLinks: HostFunction {
  /// The items.
  public typealias Reply = [ExtensionItem]
  /// The function's name in messages.
  public static let function: HostCall.Function = .sharedLinks
  /// The bundle identifier.
  public var identifier: String

  /// Creates the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Writes sentences into an extension's log, for its developer.
public struct AddNotes: HostFunction {
  /// Empty: the call succeeded.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .addNotes
  /// The bundle identifier.
  public var identifier: String
  /// The sentences.
  public var notes: [String]?

  /// Creates the call.
  public init(identifier: String, notes: [String]?) {
    self.identifier = identifier
    self.notes = notes
  }
}
