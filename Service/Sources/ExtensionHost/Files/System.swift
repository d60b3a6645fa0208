internal import CLibrary
internal import DurableFiles
internal import Foundation

/// An open file, folder or socket, closed with its last reference.
package final class Descriptor: Sendable {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Two connected sockets, which new programs do not inherit.
  static func pair() throws(HostError) -> (Descriptor, Descriptor) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw HostError(.system, "no sockets can be made: \(System.reason(errno))")
    }
    return (Descriptor(ends[0]), Descriptor(ends[1]))
  }
}

/// What the system says.
enum System {
  /// The system's words for an error, beginning with a small letter.
  static func reason(_ number: Int32) -> String {
    FileFailure.reason(number)
  }

  /// Milliseconds of a clock that nobody sets.
  static var milliseconds: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
