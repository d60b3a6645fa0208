/// A file that may have something new, and what is known of it.
struct FileCandidate {
  let file: ChangeFile
  /// The file's mark; `nil` if it has none, or none can be had.
  let mark: ChangeFile.Mark?
  /// What is known of it; `nil` if it was never seen.
  let before: FileRow?

  init(_ file: ChangeFile, _ before: FileRow?) {
    self.file = file
    self.before = before
    mark = (try? file.mark()) ?? nil
  }

  /// Whether the file has to be read.
  var isChanged: Bool { mark.map { $0.text != before?.mark } ?? true }

  /// Whether the file is more likely to have something new of a device than another one.
  ///
  /// Files that a device wrote come first: nobody without the key can make more of them than there are
  /// devices. Those in which something was wrong come last, and small ones before large ones, so that none
  /// waits for a large one.
  func isMoreLikely(than other: FileCandidate) -> Bool {
    (rank, mark?.size ?? 0, file.name) < (other.rank, other.mark?.size ?? 0, other.file.name)
  }

  private var rank: Int {
    guard let before else { return 1 }
    return before.isOfItsDevice ? 0 : before.problem == nil ? 1 : 2
  }

  /// Whether the file has waited longer than another one.
  func hasWaitedLonger(than other: FileCandidate) -> Bool {
    let (one, two) = (before?.place ?? .max, other.before?.place ?? .max)
    return one == two ? isMoreLikely(than: other) : one < two
  }
}
