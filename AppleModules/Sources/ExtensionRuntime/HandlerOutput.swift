// Swift 6 rejects reading the C global `stdout` without this import attribute.
#if canImport(Glibc)
@unsafe @preconcurrency import Glibc
#elseif canImport(Musl)
@unsafe @preconcurrency import Musl
#else
@unsafe @preconcurrency import Darwin
#endif

import Foundation

/// The output of handlers, which the host writes to the extension's log.
package enum HandlerOutput {
  /// Tells the developer something on behalf of the runtime.
  package static func tell(_ text: String) {
    FileHandle.standardError.write(Data("tickbird: \(text)\n".utf8))
  }

  /// Makes output line-buffered, because developers look for what was printed before a crash.
  static func writeLines() {
    unsafe setvbuf(stdout, nil, Int32(_IOLBF), 0)
  }
}
