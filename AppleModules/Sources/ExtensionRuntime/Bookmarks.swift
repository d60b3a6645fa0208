public import Foundation

// Bookmarks of files. They are paths here: nothing follows a file that was moved, and what a process may
// read, the sandbox decides.

extension URL {
  /// How a bookmark is made; nothing of it matters here.
  public struct BookmarkCreationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Makes options of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Less data, which can be resolved less often.
    public static let minimalBookmark = BookmarkCreationOptions(rawValue: 1 << 9)
    /// Data for an alias file.
    public static let suitableForBookmarkFile = BookmarkCreationOptions(rawValue: 1 << 10)
    /// Access for a sandboxed process.
    public static let withSecurityScope = BookmarkCreationOptions(rawValue: 1 << 11)
    /// Access for a sandboxed process, to read alone.
    public static let securityScopeAllowOnlyReadAccess = BookmarkCreationOptions(rawValue: 1 << 12)
    /// No access that comes with the bookmark.
    public static let withoutImplicitSecurityScope = BookmarkCreationOptions(rawValue: 1 << 29)
  }

  /// How a bookmark is resolved; nothing of it matters here.
  public struct BookmarkResolutionOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Makes options of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Without asking the user.
    public static let withoutUI = BookmarkResolutionOptions(rawValue: 1 << 8)
    /// Without mounting volumes.
    public static let withoutMounting = BookmarkResolutionOptions(rawValue: 1 << 9)
    /// With access for a sandboxed process.
    public static let withSecurityScope = BookmarkResolutionOptions(rawValue: 1 << 10)
    /// Without access that comes with the bookmark.
    public static let withoutImplicitStartAccessing = BookmarkResolutionOptions(rawValue: 1 << 15)
  }

  private static let bookmarkHead = Data("tickbird bookmark\n".utf8)

  /// Makes a bookmark, which has the path.
  ///
  /// - Throws: `CocoaError` if there is no file at the URL.
  public func bookmarkData(
    options: BookmarkCreationOptions = [],
    includingResourceValuesForKeys keys: Set<URLResourceKey>? = nil,
    relativeTo url: URL? = nil
  ) throws -> Data {
    guard isFileURL, FileManager.default.fileExists(atPath: path) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return Self.bookmarkHead + Data(absoluteURL.path.utf8)
  }

  /// Finds the file of a bookmark.
  ///
  /// - Throws: `CocoaError` for data that is no bookmark of this system, or a file that is gone.
  public init(
    resolvingBookmarkData data: Data,
    options: BookmarkResolutionOptions = [],
    relativeTo url: URL? = nil,
    bookmarkDataIsStale: inout Bool
  ) throws {
    guard data.starts(with: Self.bookmarkHead),
      let path = String(data: data.dropFirst(Self.bookmarkHead.count), encoding: .utf8)
    else { throw CocoaError(.fileReadCorruptFile) }
    guard FileManager.default.fileExists(atPath: path) else { throw CocoaError(.fileNoSuchFile) }
    bookmarkDataIsStale = false
    self.init(fileURLWithPath: path)
  }
}
