// For apps and commands alone, over the host's socket; an extension's process is refused.

/// Asks for all installed extensions, in the order of their identifiers.
public struct ListExtensions: HostFunction {
  /// The extensions, with those that cannot be read.
  public typealias Reply = [ExtensionDescription]
  /// The name that travels.
  public static let function: HostCall.Function = .listExtensions

  /// Makes the call.
  public init() {}
}

/// Asks for one installed extension.
public struct DescribeExtension: HostFunction {
  /// The extension.
  public typealias Reply = ExtensionDescription
  /// The name that travels.
  public static let function: HostCall.Function = .describeExtension
  /// The bundle identifier.
  public var identifier: String

  /// Makes the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Installs a bundle, which is copied.
///
/// Fails with `bad-bundle` for a bundle that cannot be installed, and with `refused` where what is
/// installed may not be replaced; what was installed stays then.
public struct InstallExtension: HostFunction {
  /// What is installed now.
  public typealias Reply = ExtensionDescription
  /// The name that travels.
  public static let function: HostCall.Function = .installExtension
  /// The bundle's folder, `NAME.appex`.
  public var path: String
  /// Whether only a version later than the installed one is taken; absent is no.
  public var onlyNewer: Bool?
  /// The fingerprint of the key that signed it; absent for nobody.
  public var signer: String?
  /// Fingerprints of keys that the signer's replaces.
  public var replacedSigners: [String]?
  /// Whether it may take the place of what another signed; absent is no.
  public var replacesSigned: Bool?
  /// Whether it may share groups with other unsigned extensions; absent is no.
  public var sharesGroups: Bool?

  /// Makes the call.
  public init(
    path: String,
    onlyNewer: Bool? = nil,
    signer: String? = nil,
    replacedSigners: [String]? = nil,
    replacesSigned: Bool? = nil,
    sharesGroups: Bool? = nil
  ) {
    self.path = path
    self.onlyNewer = onlyNewer
    self.signer = signer
    self.replacedSigners = replacedSigners
    self.replacesSigned = replacesSigned
    self.sharesGroups = sharesGroups
  }
}

/// Makes the version before the installed one the installed one again.
///
/// Fails with `not-installed` where there is none, and with `refused` where an unsigned one would take the
/// place of a signed one without consent.
public struct GoBackExtension: HostFunction {
  /// What is installed now.
  public typealias Reply = ExtensionDescription
  /// The name that travels.
  public static let function: HostCall.Function = .goBackExtension
  /// The bundle identifier.
  public var identifier: String
  /// Whether it may take the place of what another signed; absent is no.
  public var replacesSigned: Bool?

  /// Makes the call.
  public init(identifier: String, replacesSigned: Bool? = nil) {
    self.identifier = identifier
    self.replacesSigned = replacesSigned
  }
}

/// Removes an extension with its container, its list and its log.
public struct RemoveExtension: HostFunction {
  /// Nothing but that it was done.
  public typealias Reply = Done
  /// The name that travels.
  public static let function: HostCall.Function = .removeExtension
  /// The bundle identifier.
  public var identifier: String

  /// Makes the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Removes all that an extension has written.
public struct ClearExtension: HostFunction {
  /// Nothing but that it was done.
  public typealias Reply = Done
  /// The name that travels.
  public static let function: HostCall.Function = .clearExtension
  /// The bundle identifier.
  public var identifier: String
  /// Whether what it wrote into its groups is meant too; absent is no.
  public var groups: Bool?

  /// Makes the call.
  public init(identifier: String, groups: Bool? = nil) {
    self.identifier = identifier
    self.groups = groups
  }
}

/// Removes an application group's data and forgets whose it is.
///
/// Fails with `refused` while an extension that uses it is installed.
public struct ForgetGroup: HostFunction {
  /// Nothing but that it was done.
  public typealias Reply = Done
  /// The name that travels.
  public static let function: HostCall.Function = .forgetGroup
  /// The group, such as `group.com.example.notes`.
  public var group: String
  /// Whether the group of unsigned extensions is meant; absent is no.
  public var isUnsigned: Bool?

  /// Makes the call.
  public init(group: String, isUnsigned: Bool? = nil) {
    self.group = group
    self.isUnsigned = isUnsigned
  }
}

/// Turns an extension on; a content blocker is started, and its list compiled.
///
/// Fails as ``ReloadContentBlocker`` does; the extension is on even then.
public struct TurnOnExtension: HostFunction {
  /// Nothing but that it was done.
  public typealias Reply = Done
  /// The name that travels.
  public static let function: HostCall.Function = .turnOnExtension
  /// The bundle identifier.
  public var identifier: String

  /// Makes the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Turns an extension off.
public struct TurnOffExtension: HostFunction {
  /// Nothing but that it was done.
  public typealias Reply = Done
  /// The name that travels.
  public static let function: HostCall.Function = .turnOffExtension
  /// The bundle identifier.
  public var identifier: String

  /// Makes the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Grants an extension without entitlements the network, or takes it back.
public struct GrantNetwork: HostFunction {
  /// Nothing but that it was done.
  public typealias Reply = Done
  /// The name that travels.
  public static let function: HostCall.Function = .grantNetwork
  /// The bundle identifier.
  public var identifier: String
  /// Whether it is granted; absent is no.
  public var isGranted: Bool?

  /// Makes the call.
  public init(identifier: String, isGranted: Bool?) {
    self.identifier = identifier
    self.isGranted = isGranted
  }
}

/// Asks what an extension printed, and what happened to its requests.
public struct LogOfExtension: HostFunction {
  /// Lines.
  public typealias Reply = String
  /// The name that travels.
  public static let function: HostCall.Function = .logOfExtension
  /// The bundle identifier.
  public var identifier: String

  /// Makes the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Starts a web extension's handler with a message.
///
/// Fails with `SFErrorDomain` 1 also for one that is off or is no web extension, and with the handler's own
/// error.
public struct SendMessage: HostFunction {
  /// The handler's answer.
  public typealias Reply = MessageValue
  /// The name that travels.
  public static let function: HostCall.Function = .sendMessage
  /// The bundle identifier.
  public var identifier: String
  /// The message; absent is null.
  public var message: MessageValue?
  /// The browser's profile, a UUID; absent for none.
  public var profile: MessageValue?

  /// Makes the call.
  public init(identifier: String, message: MessageValue?, profile: MessageValue? = nil) {
    self.identifier = identifier
    self.message = message
    self.profile = profile
  }
}

/// Waits for the next message that an app or an extension sends to a web extension's script.
public struct NextMessage: HostFunction {
  /// The message; null when there will be none.
  public typealias Reply = ScriptMessage?
  /// The name that travels.
  public static let function: HostCall.Function = .nextMessage
  /// The bundle identifier.
  public var identifier: String

  /// Makes the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Sets the list of a web extension, as its script can.
///
/// Fails with the error of a list that does not compile; the list before stays active then.
public struct SetContentBlocker: HostFunction {
  /// Nothing but that it was done.
  public typealias Reply = Done
  /// The name that travels.
  public static let function: HostCall.Function = .setContentBlocker
  /// The bundle identifier.
  public var identifier: String
  /// The rules: JSON text, or an array; null, or absent, removes the list.
  public var rules: MessageValue?

  /// Makes the call.
  public init(identifier: String, rules: MessageValue?) {
    self.identifier = identifier
    self.rules = rules
  }
}

/// Asks a Shared Links extension for its items.
///
/// Fails with the error that the extension cancelled with.
public struct AskForLinks: HostFunction {
  /// The items.
  public typealias Reply = [ExtensionItem]
  /// The name that travels.
  public static let function: HostCall.Function = .sharedLinks
  /// The bundle identifier.
  public var identifier: String

  /// Makes the call.
  public init(identifier: String) { self.identifier = identifier }
}

/// Writes sentences into an extension's log, for its developer.
public struct AddNotes: HostFunction {
  /// Nothing but that it was done.
  public typealias Reply = Done
  /// The name that travels.
  public static let function: HostCall.Function = .addNotes
  /// The bundle identifier.
  public var identifier: String
  /// The sentences.
  public var notes: [String]?

  /// Makes the call.
  public init(identifier: String, notes: [String]?) {
    self.identifier = identifier
    self.notes = notes
  }
}
