internal import CLibrary

/// Prepares descriptors 0 to 2, which a program inherits in any state.
public enum StandardDescriptors {
  /// Ensures that descriptors 0 to 2 are open, and that a closed pipe is an error and not a signal.
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
    // A handler instead of SIG_IGN, which child processes would inherit.
    signal(SIGPIPE) { _ in }
  }
}
