/// An installed extension, as the host describes it.
///
/// An extension that cannot be read has only the identifier, which is also its name, and the last error.
public struct ExtensionDescription: Codable, Equatable, Sendable {
  /// The bundle identifier.
  public var identifier: String
  /// The display name.
  public var name: String
  /// Whether it is on.
  public var isOn: Bool
  /// True if the extension cannot be read; otherwise absent.
  public var isUnreadable: Bool?
  /// The kind, such as `content-blocker`, `shared-links` or `web-extension`.
  public var kind: String?
  /// The version that is shown.
  public var version: String?
  /// The build version, which is compared.
  public var build: String?
  /// The bundle's folder.
  public var path: String?
  /// Whether it may use the network.
  public var allowsNetwork: Bool?
  /// Whether the user granted it the network.
  public var isNetworkGranted: Bool?
  /// Whether its bundle has entitlements, which override the user's grants.
  public var hasEntitlements: Bool?
  /// The application groups that its entitlements name.
  public var groups: [String]?
  /// The identifiers of the other extensions of each group.
  public var sharers: [String: [String]]?
  /// The groups' folders, by group.
  public var groupFolders: [String: String]?
  /// Whether its list is active.
  public var hasListInForce: Bool?
  /// Whether its list was set by its script.
  public var isListSetByScript: Bool?
  /// When its list was compiled; absent without a list.
  public var listDate: MessageDate?
  /// The limits of its processes.
  public var limits: [Limit]?
  /// Whether it is signed; absent if an older version installed it.
  public var isSigned: Bool?
  /// The fingerprint of the key that signed it.
  public var signer: String?
  /// Fingerprints of the keys that the signer's key replaces.
  public var replacedSigners: [String]?
  /// The previous version, if it can be restored.
  public var previousVersion: String?
  /// The sandbox that its processes get on this machine.
  public var walls: String?
  /// The sandbox that its last process had.
  public var wallsOfLastStart: String?
  /// The last error.
  public var lastError: Failure?

  /// A limit of a process.
  public struct Limit: Codable, Equatable, Sendable {
    /// The limited resource, such as memory.
    public var resource: String
    /// The limit, with its unit.
    public var amount: String
    /// The mechanism that enforces the limit.
    public var heldBy: String

    /// Creates a limit.
    public init(resource: String, amount: String, heldBy: String) {
      self.resource = resource
      self.amount = amount
      self.heldBy = heldBy
    }
  }

  /// An error and its date.
  public struct Failure: Codable, Equatable, Sendable {
    /// The error's domain.
    public var domain: String
    /// The error's code in its domain.
    public var code: Int64
    /// What failed, as a sentence.
    public var message: String
    /// When it happened.
    public var date: MessageDate
    /// The place in a list, if the error is about one.
    public var place: String?

    /// Creates a failure.
    public init(
      domain: String,
      code: Int64,
      message: String,
      date: MessageDate,
      place: String? = nil
    ) {
      self.domain = domain
      self.code = code
      self.message = message
      self.date = date
      self.place = place
    }
  }

  /// Creates a description without the optional members.
  public init(identifier: String, name: String, isOn: Bool) {
    self.identifier = identifier
    self.name = name
    self.isOn = isOn
  }
}

/// A message to an extension's script.
public struct ScriptMessage: Codable, Equatable, Sendable {
  /// The message's name.
  public var name: String
  /// The message's payload.
  public var userInfo: MessageValue
  /// The identifier of the extension that sent it; absent if an app sent it.
  public var sender: String?

  /// Creates a message.
  public init(name: String, userInfo: MessageValue, sender: String? = nil) {
    self.name = name
    self.userInfo = userInfo
    self.sender = sender
  }
}
