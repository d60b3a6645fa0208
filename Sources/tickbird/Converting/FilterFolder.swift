internal import CLibrary
internal import FilterLists

/// The folder of a list, whose files it may include.
///
/// Nothing outside of it is read: each part of a path is opened below the one before, and symbolic
/// links are refused.
struct FilterFolder: FilterIncluding {
  private let path: String

  /// The folder of a list; `nil` for standard input.
  init?(ofList list: String) {
    guard list != "-" else { return nil }
    guard let slash = list.lastIndex(of: "/") else {
      path = "."
      return
    }
    path = slash == list.startIndex ? "/" : String(list[..<slash])
  }

  mutating func read(
    _ parts: [String],
    limit: Int
  ) throws(FilterIncludeRefusal) -> [UInt8] {
    let name = parts.joined(separator: "/")
    var descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for (index, part) in parts.enumerated() {
      guard descriptor >= 0 else { break }
      let isLast = index == parts.count - 1
      let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (isLast ? O_NONBLOCK : O_DIRECTORY)
      let next = unsafe openat(descriptor, part, flags)
      let number = errno
      close(descriptor)
      descriptor = next
      if next < 0 { throw Self.refusal(name, number) }
    }
    guard descriptor >= 0 else { throw Self.refusal(name, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw FilterIncludeRefusal("\(name) is not a plain file")
    }
    return try Self.contents(of: descriptor, name, limit: limit)
  }

  private static func contents(
    of descriptor: Int32,
    _ name: String,
    limit: Int
  ) throws(FilterIncludeRefusal) -> [UInt8] {
    var bytes: [UInt8] = []
    let pieceSize = 1 << 16
    while true {
      var failure: Int32 = 0
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: pieceSize) { buffer, count in
        let result = unsafe CLibrary.read(descriptor, buffer.baseAddress, pieceSize)
        if result < 0 { failure = errno }
        count = max(0, result)
      }
      if failure == EINTR { continue }
      guard failure == 0 else { throw refusal(name, failure) }
      if piece.isEmpty { return bytes }
      guard piece.count <= limit - bytes.count else {
        throw FilterIncludeRefusal("\(name) is larger than what may be included")
      }
      bytes += piece
    }
  }

  private static func refusal(_ name: String, _ number: Int32) -> FilterIncludeRefusal {
    switch number {
    case ENOENT: FilterIncludeRefusal("there is no file \(name) in the list's folder")
    case ELOOP, ENOTDIR:
      FilterIncludeRefusal("\(name) leads through a symbolic link or a file, which is not followed")
    default: FilterIncludeRefusal("\(name) cannot be read: \(systemWords(for: number))")
    }
  }
}
