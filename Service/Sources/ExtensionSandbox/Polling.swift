import Glibc

/// Waits for descriptors as `poll` does, and goes on where a signal to this process interrupts it.
///
/// Without that, a signal at the wrong moment would be taken for the end of the time.
///
/// - Parameters:
///   - descriptors: What is waited for.
///   - milliseconds: For how long at most.
/// - Returns: Whether one of them is ready; false when the time is over.
/// - Throws: ``SandboxError`` if the system refuses to wait.
func pollDescriptors(
  _ descriptors: inout [pollfd],
  milliseconds: Int32
) throws(SandboxError) -> Bool {
  let end = ContinuousClock.now + .milliseconds(milliseconds)
  var left = milliseconds
  while true {
    let count = unsafe poll(&descriptors, nfds_t(descriptors.count), left)
    let error = errno
    if count >= 0 { return count > 0 }
    guard error == EINTR else {
      throw SandboxError(
        .system,
        "What a process does cannot be followed: \(describeError(-Int(error)))"
      )
    }
    left = Int32(clamping: max(0, Int64((end - .now) / .milliseconds(1))))
  }
}
