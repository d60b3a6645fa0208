// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
public import Foundation

/// Something that wants to be asked before a file is read or written by others; here nobody asks.
public protocol NSFilePresenter: NSObjectProtocol {
  /// The file or folder.
  var presentedItemURL: URL? { get }
  /// Where it is to be asked.
  var presentedItemOperationQueue: OperationQueue { get }
}

/// Lets the parts of a process read and write files in turns.
///
/// Readers of a file wait for its writers, and the other way round. On Apple systems other processes
/// take part; here they do not, so write files that an app shares in one piece, as by the option
/// `.atomic`.
open class NSFileCoordinator: NSObject, @unchecked Sendable {
  // @unchecked: it has no state of its own.

  /// What a reader wants; everything but the access itself is ignored.
  public struct ReadingOptions: OptionSet, Sendable {
    /// Apple's number.
    public let rawValue: UInt
    /// Makes options of a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Changes of presenters need not be saved.
    public static let withoutChanges = ReadingOptions(rawValue: 1 << 0)
    /// Symbolic links are followed.
    public static let resolvesSymbolicLink = ReadingOptions(rawValue: 1 << 1)
    /// Only attributes are read.
    public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 1 << 2)
    /// The file is read for sending it elsewhere.
    public static let forUploading = ReadingOptions(rawValue: 1 << 3)
  }

  /// What a writer wants; everything but the access itself is ignored.
  public struct WritingOptions: OptionSet, Sendable {
    /// Apple's number.
    public let rawValue: UInt
    /// Makes options of a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The file is removed.
    public static let forDeleting = WritingOptions(rawValue: 1 << 0)
    /// The file is moved.
    public static let forMoving = WritingOptions(rawValue: 1 << 1)
    /// The file is changed.
    public static let forMerging = WritingOptions(rawValue: 1 << 2)
    /// The file is replaced.
    public static let forReplacing = WritingOptions(rawValue: 1 << 3)
    /// Only attributes are written.
    public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 1 << 4)
  }

  // Recursive, because accessors nest. One for all files: an extension has few.
  private static let turn = NSRecursiveLock()

  /// Makes a coordinator; the presenter is not asked.
  public init(filePresenter: (any NSFilePresenter)? = nil) {}

  /// Reads a file.
  open func coordinate(
    readingItemAt url: URL,
    options: ReadingOptions = [],
    error outError: NSErrorPointer,
    byAccessor reader: (URL) -> Void
  ) { Self.turn.withLock { reader(url) } }

  /// Writes a file.
  open func coordinate(
    writingItemAt url: URL,
    options: WritingOptions = [],
    error outError: NSErrorPointer,
    byAccessor writer: (URL) -> Void
  ) { Self.turn.withLock { writer(url) } }

  /// Reads a file and writes another.
  open func coordinate(
    readingItemAt readingURL: URL,
    options readingOptions: ReadingOptions = [],
    writingItemAt writingURL: URL,
    options writingOptions: WritingOptions = [],
    error outError: NSErrorPointer,
    byAccessor readerWriter: (URL, URL) -> Void
  ) { Self.turn.withLock { readerWriter(readingURL, writingURL) } }

  /// Writes two files.
  open func coordinate(
    writingItemAt url1: URL,
    options options1: WritingOptions = [],
    writingItemAt url2: URL,
    options options2: WritingOptions = [],
    error outError: NSErrorPointer,
    byAccessor writer: (URL, URL) -> Void
  ) { Self.turn.withLock { writer(url1, url2) } }

  /// Tells presenters that a file moved; here nobody listens.
  open func item(at oldURL: URL, didMoveTo newURL: URL) {}

  /// Gives up accesses that wait.
  open func cancel() {}

  /// Presenters in this process.
  open class func addFilePresenter(_ filePresenter: any NSFilePresenter) {}
  /// Presenters in this process.
  open class func removeFilePresenter(_ filePresenter: any NSFilePresenter) {}
}

extension URL {
  /// Asks for access that a user granted.
  ///
  /// What the sandbox grants is there all the time.
  ///
  /// - Returns: true.
  @discardableResult
  public func startAccessingSecurityScopedResource() -> Bool { true }

  /// Gives up access, which changes nothing here.
  public func stopAccessingSecurityScopedResource() {}
}

extension FileManager {
  /// Moves a file or folder into the user's trash, as the specification of freedesktop.org says.
  ///
  /// - Parameters:
  ///   - url: The file or folder.
  ///   - outResultingURL: Its place in the trash afterwards.
  /// - Throws: The file system's error; the file then is where it was.
  public func trashItem(
    at url: URL,
    resultingItemURL outResultingURL: UnsafeMutablePointer<NSURL?>?
  ) throws {
    let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap {
      $0.hasPrefix("/") ? $0 : nil
    }
    let home = URL(fileURLWithPath: data ?? NSHomeDirectory() + "/.local/share", isDirectory: true)
    let result = try trash(url, into: home.appendingPathComponent("Trash"))
    unsafe outResultingURL?.pointee = result as NSURL
  }

  /// Moves a file or folder into a trash folder, and returns its place there.
  func trash(_ url: URL, into trash: URL) throws -> URL {
    let files = trash.appendingPathComponent("files")
    let information = trash.appendingPathComponent("info")
    for folder in [files, information] {
      try createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let path = url.standardizedFileURL.path
    _ = try attributesOfItem(atPath: path)
    var name = url.lastPathComponent
    var number = 1
    // The information comes first, and makes the name ours.
    let date = ISO8601DateFormatter.string(
      from: Date(),
      timeZone: .current,
      formatOptions: [.withFullDate, .withTime, .withColonSeparatorInTime]
    )
    let allowed = CharacterSet.urlPathAllowed
    let text = """
      [Trash Info]
      Path=\(path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path)
      DeletionDate=\(date)

      """
    while true {
      let file = information.appendingPathComponent(name + ".trashinfo")
      do {
        try Data(text.utf8).write(to: file, options: .withoutOverwriting)
        do {
          let target = files.appendingPathComponent(name)
          try moveItem(atPath: path, toPath: target.path)
          return target
        } catch {
          try? removeItem(at: file)
          throw error
        }
      } catch let error as CocoaError where error.code == .fileWriteFileExists && number < 10_000 {
        number += 1
        name = "\(url.lastPathComponent).\(number)"
      }
    }
  }
}
