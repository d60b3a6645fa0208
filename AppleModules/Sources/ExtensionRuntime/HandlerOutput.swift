// The C library's variable for standard output is none that Swift 6 lets be read otherwise.
#if canImport(Glibc)
@unsafe @preconcurrency import Glibc
#elseif canImport(Musl)
@unsafe @preconcurrency import Musl
#else
@unsafe @preconcurrency import Darwin
#endif

/// What handlers print.
enum HandlerOutput {
  /// Writes each line when it is complete: what was printed before a trap is what a developer looks
  /// for.
  static func writeLines() {
    unsafe setvbuf(stdout, nil, Int32(_IOLBF), 0)
  }
}
