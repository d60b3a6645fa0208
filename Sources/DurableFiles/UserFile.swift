internal import CLibrary

/// Files that a user may keep elsewhere, as in a repository of settings, with a link in their place.
///
/// A link is followed only where the user alone has a say (``OwnPath``). Where others write into a folder, following its
/// links would write what they choose; there, ``replace(_:with:permissions:)`` puts a file in the place of a link.
extension DurableFile {
  /// Returns the path of a user's file: the given one, or the one that the user has linked it to.
  ///
  /// The folder that the path itself is in is not looked at: who can write there needs no link.
  ///
  /// - Parameter path: The file, which need not exist.
  /// - Returns: The path of a plain file, or of nothing in a folder that is there.
  /// - Throws: ``FileFailure`` if a link is not followed: somebody else has a say in where it leads to, the folder
  ///   there is missing, or what is there is no file.
  public static func ownFile(_ path: String) throws(FileFailure) -> String {
    guard var way = try OwnPath(path) else { return path }
    return try way.resolved()
  }

  /// Creates or replaces a user's file, in its own folder where the user has linked it there; the link stays.
  ///
  /// A file that is linked keeps its permissions.
  ///
  /// - Parameters:
  ///   - path: The file, or the link.
  ///   - bytes: The new contents.
  ///   - permissions: Those of a file that is not linked, or not there.
  /// - Throws: ``FileFailure``, also for a link that ``ownFile(_:)`` does not follow; then nothing is changed.
  public static func replaceOwnFile(
    _ path: String,
    with bytes: some Collection<UInt8>,
    permissions: FilePermissions = .exactly(0o600)
  ) throws(FileFailure) {
    let file = try ownFile(path)
    guard file != path else { return try replace(path, with: bytes, permissions: permissions) }
    try replace(file, with: bytes, permissions: isThere(file) ? .inherited : permissions)
    touchFolder(of: path)
  }

  /// Changes the date of the folder that has a link: whoever watches it for changes of the file sees one.
  private static func touchFolder(of link: String) {
    let draft = split(link).folder + "/" + draftName()
    guard (try? NewFile(draft)) != nil else { return }
    _ = unsafe unlink(draft)
  }
}
