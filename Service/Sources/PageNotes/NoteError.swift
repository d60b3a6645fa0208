public import CodedErrors

/// What kept a note from being read, changed or exchanged.
public struct NoteError: CodedError, Equatable {
  /// The kind of a fault; more may come.
  public struct Code: ErrorCode {
    /// The word that messages carry.
    public let rawValue: String

    /// Takes a word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An address that is not one of http or https.
    public static let address = Code(rawValue: "address")
    /// A text, emoji or length of snoozing that is out of bounds.
    public static let value = Code(rawValue: "value")
    /// A focus session does not let the pages of notes be seen.
    public static let focus = Code(rawValue: "focus")
    /// There is no note of that id, or none for that page.
    public static let unknownNote = Code(rawValue: "unknown-note")
    /// A note of which the database does not say any more what devices know of it.
    public static let damagedNote = Code(rawValue: "damaged-note")
    /// A request that is not understood.
    public static let request = Code(rawValue: "request")
    /// A request of a version that is not known here.
    public static let version = Code(rawValue: "version")
    /// A file of exported notes with a fault.
    public static let archive = Code(rawValue: "archive")
    /// There is no folder of synchronisation.
    public static let syncOff = Code(rawValue: "sync-off")
    /// The folder of synchronisation cannot be used.
    public static let folder = Code(rawValue: "folder")
    /// The key of synchronisation is missing, or another one.
    public static let key = Code(rawValue: "key")
    /// The database cannot be read or written.
    public static let database = Code(rawValue: "database")

    /// The kinds of an argument, and of a file or folder that cannot be read or written.
    public static let wrongUse: Set = [address, database, folder, value]
  }

  /// The kind of the fault.
  public let code: Code
  /// What failed, on which thing, and what to do.
  public let message: String

  /// Takes a kind and a sentence.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
