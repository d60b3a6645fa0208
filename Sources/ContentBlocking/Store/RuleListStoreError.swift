// Embedded Swift knows no files.
#if canImport(Foundation)
public import CodedErrors
public import ContentRules

/// Why the store could not do what it was asked.
///
/// > Source: WebKit `WKErrorCode`, `ContentRuleListStoreLookUpFailed` and its neighbours; the rule
/// > language, section 4.
public struct RuleListStoreError: CodedError {
  /// The kinds of failures, an open set.
  public struct Code: ErrorCode {
    /// The stable name of the kind.
    public let rawValue: String

    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The list was refused or exceeds the limits; the list before stays active.
    public static let compileFailed = Code(rawValue: "compile-failed")
    /// There is no usable list under the identifier.
    public static let lookUpFailed = Code(rawValue: "look-up-failed")
    /// The file is of another version, and its source could not be compiled again.
    public static let versionMismatch = Code(rawValue: "version-mismatch")
    /// There is no list to remove, or it could not be removed.
    public static let removeFailed = Code(rawValue: "remove-failed")
    /// The store's folder cannot be used.
    public static let folderUnusable = Code(rawValue: "folder-unusable")
  }

  /// The kind of failure.
  public var code: Code
  /// What failed, on which list, and what to do.
  public var message: String
  /// Everything that reading the list found, when it was refused.
  public var report: RuleListReport?
  /// Whether the list was compiled and its file could not be kept, which says nothing of the list.
  public var isOfSystem = false
}
#endif
