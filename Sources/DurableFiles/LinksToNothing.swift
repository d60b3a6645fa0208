internal import CLibrary

extension FileFailure {
  /// Creates the error of a file that could not be opened or looked at.
  ///
  /// Where nothing is there because of a link to nothing, in the place of the file or of a folder above it,
  /// the error is about that link.
  public init(opening path: String, _ number: Int32, action: String = "opened") {
    guard number == ENOENT, let link = DurableFile.linkToNothing(onTheWayTo: path) else {
      self.init(path, action, number)
      return
    }
    self.init(link, action, Self.linkToNothing)
  }
}

extension DurableFile {
  /// Returns the dangling link because of which nothing is at a path; `nil` if there is none.
  static func linkToNothing(onTheWayTo path: String) -> String? {
    var place = path
    while true {
      var status = stat()
      if unsafe lstat(place, &status) == 0 {
        guard status.st_mode & S_IFMT == S_IFLNK, unsafe stat(place, &status) != 0, errno == ENOENT
        else { return nil }
        return place
      }
      guard errno == ENOENT else { return nil }
      let folder = split(place).folder
      guard folder != place, folder != "." else { return nil }
      place = folder
    }
  }
}
