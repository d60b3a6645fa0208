internal import LoopbackServing

/// The secrets that let a browser in, created at each start and kept only in memory.
struct Secrets: Sendable {
  /// The secret in the printed address.
  let opening = Secret()
  /// The secret in the cookie.
  let session = Secret()
  /// The secret in every form.
  let form = Secret()
  /// The first part of every page's path, which is also the cookie's path.
  ///
  /// Browsers send cookies to all ports of a host, so a server of another user on this machine
  /// would receive a cookie with the path `/`. It does not receive one whose path it does not know.
  let folder = Secret()
}
