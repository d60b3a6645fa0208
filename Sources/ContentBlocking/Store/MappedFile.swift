// Embedded Swift knows no files.
#if canImport(Foundation)
internal import CLibrary
public import RuleMatching

extension CompiledRuleList {
  /// Opens a compiled file by mapping it, so that processes share its memory.
  ///
  /// Whoever replaces the file must do so by renaming another over it; one that is cut off under a
  /// mapping ends the process when it is read.
  ///
  /// - Throws: ``FileError`` when the file cannot be opened, ``ByteCodeError`` when it is no
  ///   compiled list of this version.
  /// - Complexity: O(*n*) for *n* bytes, since the whole file is checked.
  public convenience init(mapping path: String) throws {
    // Without blocking, since a pipe would wait for a writer.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(path: path, number: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw FileError(path: path, number: errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(path: path, number: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
    }
    let size = Int(status.st_size)
    guard size > 0 else {
      try self.init(validating: [])
      return
    }
    let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else {
      throw FileError(path: path, number: errno)
    }
    // The address as a number, since pointers cannot be handed to another thread's deinit.
    let address = Int(bitPattern: start)
    try unsafe self.init(
      validating: UnsafeRawBufferPointer(start: start, count: size),
      release: { _ = unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), size) }
    )
  }
}
#endif
