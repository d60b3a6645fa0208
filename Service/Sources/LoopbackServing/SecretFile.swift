public import Foundation

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A secret that outlives the process, in a file that only its owner can read.
public struct SecretFile: Sendable {
  /// Why a secret can neither be read nor made.
  public struct Failure: Error, CustomStringConvertible {
    /// The file, what is wrong with it, and the way out.
    public let description: String
  }

  private let file: URL

  /// Names the file, whose folder has to be there.
  public init(_ file: URL) { self.file = file }

  /// The secret; one is made where there is none.
  ///
  /// - Throws: ``Failure``, also where others may have read the file.
  public func secret() throws(Failure) -> Secret {
    if let secret = try read() { return secret }
    // Whoever else makes one at the same time was faster, or this one is kept.
    try write(Secret(), replacing: false)
    guard let secret = try read() else { throw failure("it is empty; remove it") }
    return secret
  }

  /// Makes a new secret in place of the one before.
  ///
  /// - Throws: ``Failure``.
  @discardableResult
  public func renew() throws(Failure) -> Secret {
    let secret = Secret()
    try write(secret, replacing: true)
    return secret
  }

  private func read() throws(Failure) -> Secret? {
    let descriptor = unsafe open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(Self.reason())
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw failure("it is no file; remove it")
    }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw failure("others may have read it; make a new one with --new-address")
    }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe Foundation.read(descriptor, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    guard let secret = Secret(text.filter { $0 != "\n" }) else {
      throw failure("it has no secret; make a new one with --new-address")
    }
    return secret
  }

  /// Puts a file that is whole, and on the disk, in its place.
  private func write(_ secret: Secret, replacing: Bool) throws(Failure) {
    let temporary = file.path + ".\(getpid()).\(UInt32.random(in: .min ... .max)).new"
    let descriptor = unsafe open(
      temporary,
      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
      0o600
    )
    guard descriptor >= 0 else { throw failure(Self.reason()) }
    defer { unsafe unlink(temporary) }
    let bytes = Array((secret.text + "\n").utf8)
    let isWritten = unsafe Foundation.write(descriptor, bytes, bytes.count) == bytes.count
    let isKept = isWritten && fsync(descriptor) == 0
    let why = Self.reason()
    guard close(descriptor) == 0, isKept else { throw failure(why) }
    let isThere =
      unsafe replacing
      ? rename(temporary, file.path) == 0
      : link(temporary, file.path) == 0 || errno == EEXIST
    guard isThere else { throw failure(Self.reason()) }
  }

  private static func reason() -> String { unsafe String(cString: strerror(errno)).lowercased() }

  private func failure(_ reason: String) -> Failure {
    Failure(description: "\(file.path) cannot be used: \(reason)")
  }
}
