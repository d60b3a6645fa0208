internal import CLibrary

/// Prepares descriptors 0 to 2, which a program inherits in any state.
public enum StandardDescriptors {
  /// Ensures that descriptors 0 to 2 are open, and that writing to a closed pipe, or beyond what the user's limit on
  /// the size of files allows, is an error and not a signal.
  ///
  /// Call it before anything else.
  ///
  /// Otherwise a file opened later could become standard output by its number. A closed standard
  /// output is replaced by a read-only descriptor, so that writing to it still fails and is not
  /// taken for success; a closed standard error is replaced by `/dev/null`.
  public static func prepare() {
    for (descriptor, mode) in [(Int32(0), O_RDONLY), (1, O_RDONLY), (2, O_WRONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number, since those below are open.
      _ = unsafe open("/dev/null", mode)
    }
    // Handlers instead of SIG_IGN, which child processes would inherit.
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number) { _ in } }
  }
}
