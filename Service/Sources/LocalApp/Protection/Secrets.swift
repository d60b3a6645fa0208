internal import LoopbackServing

/// Everything that lets a browser in, made again at each start and kept in memory alone.
struct Secrets: Sendable {
  /// What the printed address carries.
  let opening = Secret()
  /// What the cookie carries.
  let session = Secret()
  /// What every form carries.
  let form = Secret()
  /// The first part of every page's path, and the cookie's.
  ///
  /// Browsers send cookies to all ports of a host, so that a server which another user runs on this
  /// machine would be given one whose path is `/`. It is not given one whose path it cannot name.
  let folder = Secret()
}
