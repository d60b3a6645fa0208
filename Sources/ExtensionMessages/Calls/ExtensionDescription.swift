/// An installed extension, as the host describes it.
///
/// Of one that cannot be read only the identifier, the name, which is the identifier then, and the
/// last error are there.
public struct ExtensionDescription: Codable, Equatable, Sendable {
  /// The bundle identifier.
  public var identifier: String
  /// The name that people know it by.
  public var name: String
  /// Whether it is on.
  public var isOn: Bool
  /// True of one that cannot be read; otherwise absent.
  public var isUnreadable: Bool?
  /// What kind it is, as in `content-blocker`, `shared-links` or `web-extension`.
  public var kind: String?
  /// The version for people.
  public var version: String?
  /// The version that is compared.
  public var build: String?
  /// The bundle's folder.
  public var path: String?
  /// Whether it may use the network.
  public var allowsNetwork: Bool?
  /// Whether the user granted it the network.
  public var isNetworkGranted: Bool?
  /// Whether its bundle has entitlements, which say more than the user's grants.
  public var hasEntitlements: Bool?
  /// The application groups that its entitlements name.
  public var groups: [String]?
  /// Who has a group too: identifiers by group.
  public var sharers: [String: [String]]?
  /// Whether its list is active.
  public var hasListInForce: Bool?
  /// Whether its list was set by its script.
  public var isListSetByScript: Bool?
  /// When its list was compiled; absent where there is none.
  public var listDate: MessageDate?
  /// What it is held to, and by what.
  public var limits: [Limit]?
  /// Whether somebody signed it; absent of what an older version installed.
  public var isSigned: Bool?
  /// The fingerprint of the key that signed it.
  public var signer: String?
  /// Fingerprints of keys that the signer's replaces.
  public var replacedSigners: [String]?
  /// The version before, where it can be had again.
  public var previousVersion: String?
  /// The sandbox that its processes get on this machine.
  public var walls: String?
  /// The sandbox that its last process had.
  public var wallsOfLastStart: String?
  /// What went wrong last.
  public var lastError: Failure?

  /// A limit of a process.
  public struct Limit: Codable, Equatable, Sendable {
    /// What is limited, such as memory.
    public var resource: String
    /// How much there is.
    public var amount: String
    /// What holds it to that.
    public var heldBy: String

    /// Says what is limited.
    public init(resource: String, amount: String, heldBy: String) {
      self.resource = resource
      self.amount = amount
      self.heldBy = heldBy
    }
  }

  /// An error, and when it was.
  public struct Failure: Codable, Equatable, Sendable {
    /// The error's domain.
    public var domain: String
    /// Its number in the domain.
    public var code: Int64
    /// What failed, as a sentence.
    public var message: String
    /// When it was.
    public var date: MessageDate
    /// The place in a list that it is about.
    public var place: String?

    /// Says what failed.
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

  /// Names an extension; the rest is set afterwards.
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
  /// What came with it.
  public var userInfo: MessageValue
  /// The identifier of the extension that sent it; absent where an app did.
  public var sender: String?

  /// Makes a message.
  public init(name: String, userInfo: MessageValue, sender: String? = nil) {
    self.name = name
    self.userInfo = userInfo
    self.sender = sender
  }
}
