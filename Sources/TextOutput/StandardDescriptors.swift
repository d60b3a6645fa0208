internal import CLibrary

/// Descriptors 0 to 2, which a program inherits in any state.
public enum StandardDescriptors {
  /// Sees that descriptors 0 to 2 are open, and that a closed pipe is an error and no signal.
  ///
  /// Call it before anything else.
  ///
  /// A file that is opened later must not become standard output by its number. What stands in for a
  /// closed standard output can be read alone, so that writing still fails and is not taken for done;
  /// what is written to a closed standard error is nobody's, and goes nowhere.
  public static func prepare() {
    for (descriptor, mode) in [(Int32(0), O_RDONLY), (1, O_RDONLY), (2, O_WRONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number, since those below are open.
      _ = unsafe open("/dev/null", mode)
    }
    // A handler, and not SIG_IGN, which programs that are started would inherit.
    signal(SIGPIPE) { _ in }
  }
}
