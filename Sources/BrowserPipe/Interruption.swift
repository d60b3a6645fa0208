internal import CLibrary

/// Whether the user wants the command to end, so that what it has begun can be cleaned up.
package enum Interruption {
  // Only set by the handler, which may do nothing else, and read by the thread that waits.
  private nonisolated(unsafe) static var signalNumber: Int32 = 0

  /// Takes the signals that end a program, ^C among them, as wishes; a second one ends it at once.
  package static func watch() {
    // Whoever has started the program may have kept them away.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(Int32(SIG_UNBLOCK), &signals, nil)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        unsafe Interruption.signalNumber = number
        // The next one has its usual effect.
        signal(number, SIG_DFL)
      }
    }
  }

  /// Gives the signals their usual effects again.
  package static func unwatch() {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }

  /// Throws if a signal has come.
  ///
  /// - Throws: ``BrowserFailure`` with the code `interrupted`.
  package static func check() throws(BrowserFailure) {
    guard unsafe signalNumber == 0 else {
      throw BrowserFailure(.interrupted, "interrupted; the browser was ended, and nothing written")
    }
  }
}
