public import DurableFiles
public import Foundation

/// Who uses a user's data: any number of browsers' hosts and services at a time, or the one process that
/// removes them.
public enum DataUse {
  /// Registers this process among those that use the data, for as long as the lock lives.
  ///
  /// - Parameter folders: The user's folders; that of the data is made if it is missing.
  /// - Returns: The lock; `nil` where none can be made, as on a read-only disk, where nothing is removed
  ///   either.
  /// - Throws: `FileLock.Failure.held` while the data are being removed.
  public static func shared(_ folders: ServiceFolders) throws(FileLock.Failure) -> FileLock? {
    guard (try? DurableFile.makeFolder(folders.data.path)) != nil else { return nil }
    do throws(FileLock.Failure) { return try FileLock(sharing: file(folders.data)) } catch {
      guard case .unusable = error else { throw error }
      return nil
    }
  }

  /// Registers this process as the only one that uses the data.
  ///
  /// - Parameters:
  ///   - data: The folder of the data, which has to exist.
  ///   - holder: The command, for processes that find the data in use.
  /// - Returns: The lock.
  /// - Throws: `FileLock.Failure`; `.held` while anybody else uses the data.
  public static func alone(_ data: URL, holder: String) throws(FileLock.Failure) -> FileLock {
    try FileLock(file(data), holder: holder)
  }

  private static func file(_ data: URL) -> URL { data.appending(path: "use.lock") }
}
