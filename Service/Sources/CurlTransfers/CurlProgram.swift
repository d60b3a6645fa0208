internal import CLibrary

/// Where the program curl is.
///
/// Never searched for by `PATH`: whatever can write to a folder of that list would read the addresses
/// of private feeds, and answer in the place of every server.
enum CurlProgram {
  /// The system's folders for programs, in which packages install curl.
  static let folders = ["/usr/bin", "/bin"]

  /// Finds curl.
  ///
  /// - Parameters:
  ///   - folders: Where to look; tests have folders of their own.
  ///   - owner: Who must own the program and its folder.
  /// - Returns: The path of a program that nobody but the owner can replace.
  /// - Throws: ``CurlFailure`` with reason `.noCurl`, which says what is wrong and what to do.
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
