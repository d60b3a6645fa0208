// Embedded Swift has no files.
#if canImport(Foundation)
internal import CLibrary
internal import DurableFiles
public import RuleMatching

extension CompiledRuleList {
  /// Opens a compiled file by mapping it, so that processes share its memory.
  ///
  /// Replace the file only by renaming another over it: reading one that was truncated under a
  /// mapping ends the process.
  ///
  /// - Throws: ``FileError`` if the file cannot be opened, ``ByteCodeError`` if it is not a
  ///   compiled list of this version.
  /// - Complexity: O(*n*) for *n* bytes, since the whole file is checked.
  public convenience init(mapping path: String) throws {
    // Non-blocking, since opening a pipe would wait for a writer.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(path: path, number: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw FileError(path: path, number: errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw FileError(path: path, number: isFolder ? EISDIR : FileFailure.notAFile)
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
    // As a number, since a pointer is not `Sendable`.
    let address = Int(bitPattern: start)
    try unsafe self.init(
      validating: UnsafeRawBufferPointer(start: start, count: size),
      callBoth: callBothIfFree,
      release: { _ = unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), size) }
    )
  }
}

/// Calls two functions on two threads, if a processor is free, or else one after the other.
private func callBothIfFree(
  _ first: @escaping @Sendable () -> Void,
  _ second: @escaping @Sendable () -> Void
) {
  withFreeProcessors(atMost: 2) { processors in
    processors > 1 ? callInParallel(first, second) : callInTurn(first, second)
  }
}
#endif
