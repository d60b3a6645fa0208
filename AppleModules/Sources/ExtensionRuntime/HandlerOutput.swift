// Swift 6 rejects reading the C global `stdout` without this import attribute.
#if canImport(Glibc)
@unsafe @preconcurrency import Glibc
#elseif canImport(Musl)
@unsafe @preconcurrency import Musl
#else
@unsafe @preconcurrency import Darwin
#endif

/// The standard output of handlers.
enum HandlerOutput {
  /// Makes output line-buffered, because developers look for what was printed before a crash.
  static func writeLines() {
    unsafe setvbuf(stdout, nil, Int32(_IOLBF), 0)
  }
}
