// Embedded Swift has no files.
#if canImport(Foundation)
public import CodedErrors
public import ContentRules

/// The error for a failed operation of the store.
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

    /// The list was refused or exceeds the limits; the old list stays active.
    public static let compileFailed = Code(rawValue: "compile-failed")
    /// There is no usable list with the identifier.
    public static let lookUpFailed = Code(rawValue: "look-up-failed")
    /// The file has another version, and its source could not be recompiled.
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
  /// The report of reading, if the list was refused.
  public var report: RuleListReport?
  /// Whether the list was compiled but its file could not be stored, which is not the list's fault.
  public var isOfSystem = false
}
#endif
