/// An extension item as it travels: `NSExtensionItem` without Foundation.
///
/// Attributed strings travel as their text; attributes are lost.
public struct ExtensionItem: Equatable, Sendable {
  /// The user info, without the keys that stand for the other properties.
  public var userInfo: [String: MessageValue]
  /// The text of `attributedTitle`.
  public var title: String?
  /// The text of `attributedContentText`.
  public var contentText: String?
  /// The attachments, in their order.
  public var attachments: [ExtensionAttachment]

  /// Makes an item; without arguments the empty one that a content blocker is asked with.
  public init(
    userInfo: [String: MessageValue] = [:],
    title: String? = nil,
    contentText: String? = nil,
    attachments: [ExtensionAttachment] = []
  ) {
    self.userInfo = userInfo
    self.title = title
    self.contentText = contentText
    self.attachments = attachments
  }
}

/// An attachment as it travels: `NSItemProvider` with everything it provides already loaded.
public struct ExtensionAttachment: Equatable, Sendable {
  /// One form of an attachment.
  public struct Representation: Equatable, Sendable {
    /// The uniform type identifier, for example `public.json`.
    public var typeIdentifier: String
    /// What loading gave; a file travels as its bytes in ``MessageValue/data(_:)``.
    public var content: Result<MessageValue, ErrorReport>

    /// Makes a representation.
    public init(typeIdentifier: String, content: Result<MessageValue, ErrorReport>) {
      self.typeIdentifier = typeIdentifier
      self.content = content
    }
  }

  /// The name the provider suggests; for a file its name.
  public var suggestedName: String?
  /// The forms, the preferred one first.
  public var representations: [Representation]

  /// Makes an attachment.
  public init(suggestedName: String? = nil, representations: [Representation]) {
    self.suggestedName = suggestedName
    self.representations = representations
  }
}

/// An error as it travels: domain, code and text of an `NSError`.
public struct ErrorReport: Error, Equatable, Sendable, CustomStringConvertible {
  /// The error's domain.
  public var domain: String
  /// The error's code, which says something only together with the domain.
  public var code: Int64
  /// A sentence for a person.
  public var description: String
  /// The part of the user info that messages can carry.
  public var userInfo: [String: MessageValue]

  /// Makes a report.
  public init(
    domain: String,
    code: Int64,
    description: String,
    userInfo: [String: MessageValue] = [:]
  ) {
    self.domain = domain
    self.code = code
    self.description = description
    self.userInfo = userInfo
  }

  /// The domain of errors that the runtime of extensions reports itself; see ``RuntimeFault``.
  public static let runtimeDomain = "TickbirdExtensionErrorDomain"

  /// Makes a report of the runtime's own.
  public init(_ fault: RuntimeFault, _ description: String) {
    self.init(domain: Self.runtimeDomain, code: fault.rawValue, description: description)
  }
}

/// The codes of ``ErrorReport/runtimeDomain``.
public enum RuntimeFault: Int64, CaseIterable, Sendable {
  /// The request could not be read.
  case badRequest = 1
  /// The answer cannot travel: it is too large or nested too deeply.
  case answerTooLarge = 2
  /// An attachment could not be loaded for a reason that has no error of its own.
  case attachmentUnreadable = 3
  /// There is no host to ask.
  case noHost = 4
  /// The host's reply could not be read.
  case badReply = 5
}
