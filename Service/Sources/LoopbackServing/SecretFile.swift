internal import CLibrary
internal import DurableFiles
public import Foundation

/// A secret that persists in a file that only its owner can read.
public struct SecretFile: Sendable {
  /// Why a secret can be neither read nor created.
  public struct Failure: Error, CustomStringConvertible {
    /// The file, what is wrong with it, and the way out.
    public let description: String
  }

  private let file: URL

  /// Names the file, whose folder has to exist.
  public init(_ file: URL) { self.file = file }

  /// Returns the secret, creating it if there is none.
  ///
  /// - Throws: ``Failure``, also if others may have read the file.
  public func secret() throws(Failure) -> Secret {
    if let secret = try read() { return secret }
    do throws(FileFailure) {
      try DurableFile.create(file.path, with: Self.bytes(Secret()))
    } catch {
      // Another process has just created one.
      guard error.number == EEXIST else { throw Failure(description: error.description) }
    }
    guard let secret = try read() else { throw failure("it is empty; remove it") }
    return secret
  }

  /// Replaces the secret with a new one.
  ///
  /// - Throws: ``Failure``.
  @discardableResult
  public func renew() throws(Failure) -> Secret {
    let secret = Secret()
    do throws(FileFailure) {
      try DurableFile.replace(file.path, with: Self.bytes(secret))
    } catch {
      throw Failure(description: error.description)
    }
    return secret
  }

  private func read() throws(Failure) -> Secret? {
    let descriptor = unsafe open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(FileFailure.reason(errno))
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
    guard count >= 0 else { throw failure(FileFailure.reason(errno)) }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    guard let secret = Secret(text.filter { $0 != "\n" }) else {
      throw failure("it has no secret; make a new one with --new-address")
    }
    return secret
  }

  private static func bytes(_ secret: Secret) -> [UInt8] { Array((secret.text + "\n").utf8) }

  private func failure(_ reason: String) -> Failure {
    Failure(description: "\(file.path) cannot be used: \(reason)")
  }
}
