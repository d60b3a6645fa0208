// Embedded Swift has no files.
#if canImport(Foundation)
internal import ContentRules
internal import DurableFiles
public import Foundation
public import RuleCompiler
internal import RuleMatching
internal import WebURL

/// Compiled lists in a folder, by identifier.
///
///     let store = try RuleListStore(directory: folder)
///     try store.compileContentRuleList(forIdentifier: "ads", encodedContentRuleList: json)
///     let list = try store.lookUpContentRuleList(forIdentifier: "ads")
///
/// Replacing a list is atomic: a look-up returns the whole old or the whole new list, even after a
/// power failure, and the new one once it has been returned. A failed compile leaves the old list
/// active. Lists that were looked up stay usable after they are replaced or removed.
///
/// The counterpart of WebKit's `WKContentRuleListStore`. All calls block on the file system; any
/// thread of any process may call at the same time.
public struct RuleListStore: Sendable {
  /// The folder that holds the lists.
  public let directory: URL
  /// The limits on what compiling may cost.
  public let limits: CompilerLimits

  private static let prefix = "ContentRuleList-"

  /// Opens a store, creating its folder if necessary.
  ///
  /// - Throws: ``RuleListStoreError`` with code ``RuleListStoreError/Code/folderUnusable``.
  public init(
    directory: URL,
    limits: CompilerLimits = CompilerLimits()
  ) throws(RuleListStoreError) {
    self.directory = directory
    self.limits = limits
    do throws(FileFailure) {
      try DurableFile.makeFolder(directory.path)
    } catch {
      throw RuleListStoreError(
        code: .folderUnusable,
        message: "the store's folder \(directory.path) cannot be created; give another one "
          + "(\(error.reason))"
      )
    }
  }

  /// Compiles a list and stores it under an identifier, replacing the old one.
  ///
  /// - Returns: The list, and a report of what WebKit silently ignores; see
  ///   ``ContentRuleList/compile(_:limits:threads:)``.
  /// - Throws: ``RuleListStoreError`` with code ``RuleListStoreError/Code/compileFailed``; the old
  ///   list stays active, unless the disk fails after the new one has replaced it.
  /// - Complexity: Compiling, and waiting for the disk.
  @discardableResult
  public func compileContentRuleList(
    forIdentifier identifier: String,
    encodedContentRuleList json: [UInt8]
  ) throws(RuleListStoreError) -> ContentRuleList {
    let path = try path(of: identifier, code: .compileFailed)
    let file: [UInt8]
    do throws(RuleListError) {
      file = try ContentRuleList.compile(json, limits: limits).file
    } catch {
      throw RuleListStoreError(
        code: .compileFailed,
        message: error.message,
        report: error.report
      )
    }
    return try write(file, identifier, path)
  }

  /// Compiles a list from its JSON text, like
  /// ``compileContentRuleList(forIdentifier:encodedContentRuleList:)-(_,[UInt8])`` from bytes.
  @discardableResult
  public func compileContentRuleList(
    forIdentifier identifier: String,
    encodedContentRuleList json: String
  ) throws(RuleListStoreError) -> ContentRuleList {
    try compileContentRuleList(
      forIdentifier: identifier,
      encodedContentRuleList: Array(json.utf8)
    )
  }

  /// Writes a compiled file and opens it.
  private func write(
    _ file: [UInt8],
    _ identifier: String,
    _ path: String
  ) throws(RuleListStoreError) -> ContentRuleList {
    // Written to a draft and renamed, so that nobody reads half a list. Opened before the renaming,
    // so that a concurrent writer's list is not returned.
    let draft = directory.appendingPathComponent(DurableFile.draftName()).path
    func failure(_ reason: String) -> RuleListStoreError {
      _ = try? DurableFile.remove(draft)
      return RuleListStoreError(
        code: .compileFailed,
        message: "the compiled list \(identifier) cannot be written to \(path); make room or give "
          + "the folder's permissions (\(reason))",
        isOfSystem: true
      )
    }
    do {
      let output = try NewFile(draft, permissions: .inherited)
      try output.write(file)
      try output.finish()
      let compiled = try CompiledRuleList(mapping: draft)
      try DurableFile.rename(draft, to: path)
      return ContentRuleList(identifier: identifier, compiled: compiled)
    } catch let error as FileFailure {
      throw failure(error.reason)
    } catch let error as FileError {
      throw failure(error.reason)
    } catch let error as ByteCodeError {
      throw failure(error.message)
    } catch {
      throw failure(FileFailure.reason(of: error))
    }
  }

  /// Opens the list with an identifier by mapping its file.
  ///
  /// Recompiles a file of another version from its source, and replaces it if the folder is
  /// writable.
  ///
  /// - Throws: ``RuleListStoreError`` with code ``RuleListStoreError/Code/lookUpFailed`` or
  ///   ``RuleListStoreError/Code/versionMismatch``.
  public func lookUpContentRuleList(
    forIdentifier identifier: String
  ) throws(RuleListStoreError) -> ContentRuleList {
    let path = try path(of: identifier, code: .lookUpFailed)
    do {
      return ContentRuleList(identifier: identifier, compiled: try CompiledRuleList(mapping: path))
    } catch let error as ByteCodeError {
      guard case .unsupportedVersion = error.code else {
        throw RuleListStoreError(
          code: .lookUpFailed,
          message: "the compiled list \(identifier) is damaged: \(error.message)"
        )
      }
    } catch let error as FileError where !error.isAbsence {
      throw RuleListStoreError(
        code: .lookUpFailed,
        message: "the compiled list \(identifier) cannot be opened at \(path); give the file's "
          + "permissions, or remove what is there and compile the list again (\(error.reason))"
      )
    } catch {
      throw RuleListStoreError(
        code: .lookUpFailed,
        message: "there is no list under the identifier \(identifier) in \(directory.path); "
          + "compile it first"
      )
    }
    return try recompile(identifier, path)
  }

  private func recompile(
    _ identifier: String,
    _ path: String
  ) throws(RuleListStoreError) -> ContentRuleList {
    guard let file = FileManager.default.contents(atPath: path),
      let source = FileLayout.source(ofAnyVersion: Array(file))
    else {
      throw RuleListStoreError(
        code: .versionMismatch,
        message: "the compiled list \(identifier) is of another version and has no source; "
          + "compile it again"
      )
    }
    let compiled: [UInt8]
    do throws(RuleListError) {
      compiled = try ContentRuleList.compile(source, limits: limits).file
    } catch {
      throw RuleListStoreError(
        code: .versionMismatch,
        message: "the compiled list \(identifier) is of another version, and its source is not "
          + "accepted: \(error.message)",
        report: error.report
      )
    }
    if let list = try? write(compiled, identifier, path) { return list }
    // A read-only folder still serves its lists.
    do throws(RuleListError) {
      return try ContentRuleList(identifier: identifier, compiledFile: compiled)
    } catch {
      throw RuleListStoreError(code: .versionMismatch, message: error.message)
    }
  }

  /// Removes the list with an identifier.
  ///
  /// - Throws: ``RuleListStoreError`` with code ``RuleListStoreError/Code/removeFailed``, also if there is none.
  public func removeContentRuleList(
    forIdentifier identifier: String
  ) throws(RuleListStoreError) {
    if try removeContentRuleListIfPresent(forIdentifier: identifier) { return }
    throw RuleListStoreError(
      code: .removeFailed,
      message: "there is no list under the identifier \(identifier) in \(directory.path)"
    )
  }

  /// Removes the list with an identifier, if there is one.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``RuleListStoreError`` with code ``RuleListStoreError/Code/removeFailed``: there may still be one.
  @discardableResult
  public func removeContentRuleListIfPresent(
    forIdentifier identifier: String
  ) throws(RuleListStoreError) -> Bool {
    let path = try path(of: identifier, code: .removeFailed)
    do throws(FileFailure) {
      return try DurableFile.remove(path)
    } catch {
      throw RuleListStoreError(
        code: .removeFailed,
        message: "the compiled list \(identifier) cannot be removed from \(path); give the "
          + "folder's permissions (\(error.reason))"
      )
    }
  }

  /// Returns the URL of an identifier's compiled file, whether it exists or not; `nil` if no file
  /// can have the identifier.
  ///
  /// For programs that pass the file on; it is replaced as a whole, never changed.
  public func file(forIdentifier identifier: String) -> URL? {
    Self.fileName(of: identifier).map {
      directory.appendingPathComponent($0, isDirectory: false)
    }
  }

  /// The identifiers of all lists, sorted.
  ///
  /// - Throws: ``RuleListStoreError`` with code ``RuleListStoreError/Code/folderUnusable``.
  public func availableContentRuleListIdentifiers() throws(RuleListStoreError) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    } catch {
      throw RuleListStoreError(
        code: .folderUnusable,
        message: "the store's folder \(directory.path) cannot be read "
          + "(\(FileFailure.reason(of: error)))"
      )
    }
    return names.compactMap { name in
      guard name.hasPrefix(Self.prefix),
        let identifier = PercentEncoding.decodeStrictly(name.dropFirst(Self.prefix.count)),
        // Files with other spellings are not the store's, and could not be looked up.
        Self.fileName(of: identifier) == name
      else { return nil }
      return identifier
    }.sorted()
  }

  /// Returns the file of an identifier: letters, digits, `-`, `_` and `.` unchanged, the rest
  /// percent-encoded, so that no identifier escapes from the folder.
  private func path(
    of identifier: String,
    code: RuleListStoreError.Code
  ) throws(RuleListStoreError) -> String {
    guard let name = Self.fileName(of: identifier) else {
      throw RuleListStoreError(
        code: code,
        message: "the identifier is too long for a file's name: at most "
          + "\(Self.longestName - Self.prefix.count) bytes when percent-encoded"
      )
    }
    return directory.appendingPathComponent(name, isDirectory: false).path
  }

  /// Returns the name of an identifier's file; `nil` if it would be too long.
  private static func fileName(of identifier: String) -> String? {
    let name = PercentEncoding.encode(identifier, keeping: "-_.")
    return prefix.count + name.utf8.count <= longestName ? prefix + name : nil
  }

  /// The longest name on common file systems, less what a draft's name adds.
  private static let longestName = 200
}

extension RuleListError {
  /// The report of reading, if the list was refused.
  fileprivate var report: RuleListReport? {
    if case .refused(let report) = self { report } else { nil }
  }
}
#endif
