internal import CLibrary

/// Finds the program curl.
///
/// `PATH` is not searched: anything that can write to a folder in it could read the addresses of
/// private feeds, and answer in place of every server.
enum CurlProgram {
  /// The system's program folders, in which packages install curl.
  static let folders = ["/usr/bin", "/bin"]

  /// Finds curl.
  ///
  /// - Parameters:
  ///   - folders: The folders to search; tests use their own.
  ///   - owner: The required owner of the program and its folder.
  /// - Returns: The path of a program that only its owner can replace.
  /// - Throws: ``CurlFailure`` with reason `.noCurl`, saying what is wrong and what to do.
  static func find(
    in folders: [String] = folders,
    ownedBy owner: UInt32 = 0
  ) throws(CurlFailure) -> String {
    var refused: String?
    for folder in folders {
      let path = folder + "/curl"
      var program = stat()
      guard unsafe stat(path, &program) == 0 else { continue }
      var place = stat()
      guard unsafe stat(folder, &place) == 0, place.st_uid == owner, place.st_mode & 0o022 == 0
      else {
        refused = refused ?? "others than root can write to \(folder), where curl is"
        continue
      }
      guard program.st_mode & S_IFMT == S_IFREG, program.st_mode & 0o111 != 0 else {
        refused = refused ?? "\(path) is not a program"
        continue
      }
      guard program.st_uid == owner, program.st_mode & 0o022 == 0 else {
        refused = refused ?? "others than root can change \(path)"
        continue
      }
      return path
    }
    if let refused {
      throw CurlFailure(.noCurl, "\(refused); install the system's curl again (apt: curl)")
    }
    throw CurlFailure(
      .noCurl,
      "the program curl is needed to fetch it, and is looked for in "
        + "\(folders.joined(separator: " and ")) alone; install it (apt: curl)"
    )
  }
}
