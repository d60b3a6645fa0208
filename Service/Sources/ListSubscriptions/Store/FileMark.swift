internal import Crypto
internal import DurableFiles
internal import Foundation
internal import Synchronization

/// What a file was when it was written, so that damage to it is noticed.
struct FileMark: Codable, Equatable {
  /// The bytes that it has.
  var size: Int
  /// Their SHA-256.
  var digest: String

  /// Reads a file that was just written.
  ///
  /// - Throws: The file system's error.
  init(of file: URL) throws {
    (size, digest) = try Self.contents(of: file)
  }

  /// Reads a file, and looks whether it is what was written.
  ///
  /// A disk that fails for a while says nothing about the file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - mark: What it was; nil if that is not known.
  /// - Returns: What is wrong with it, in a clause; nil if nothing is, or it cannot be read now.
  static func damage(of file: URL, _ mark: FileMark?) -> String? {
    if let damage = obviousDamage(of: file, mark) { return damage }
    guard let mark, let (size, digest) = try? contents(of: file) else { return nil }
    return size == mark.size && digest == mark.digest ? nil : "\(file.path) is not what was written"
  }

  /// Returns what is wrong with a file, as far as that is seen without reading it.
  static func obviousDamage(of file: URL, _ mark: FileMark?) -> String? {
    let status: FileStatus
    do throws(FileFailure) { status = try FileStatus(of: file.path) } catch {
      return error.isAbsence ? "\(file.path) is missing" : nil
    }
    guard status.kind == .file else { return "\(file.path) is no file" }
    guard let mark else { return status.size > 0 ? nil : "\(file.path) is empty" }
    guard status.size != mark.size else { return nil }
    return "\(file.path) has \(status.size) bytes, and was written with \(mark.size)"
  }

  private static func contents(of file: URL) throws -> (size: Int, digest: String) {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var hash = SHA256()
    var size = 0
    while let part = try handle.read(upToCount: 1 << 18), !part.isEmpty {
      hash.update(data: part)
      size += part.count
    }
    return (size, hash.finalize().hexadecimal)
  }
}

/// Files that were found to be what was written, which are not read again before they change.
final class SoundFiles: Sendable {
  private let stamps = Mutex<[String: String]>([:])

  /// Whether a file is what was written, or cannot be read now.
  func contains(_ file: URL, _ mark: FileMark) -> Bool {
    let stamp = ListUpdater.stamp(of: file.path)
    if let stamp, stamps.withLock({ $0[file.path] }) == stamp { return true }
    guard FileMark.damage(of: file, mark) == nil else { return false }
    stamps.withLock { $0[file.path] = stamp }
    return true
  }
}

extension SHA256.Digest {
  /// The digest in small hexadecimal digits.
  var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension SubscriptionStore {
  /// Returns what is wrong with the compiled list that acts, in a clause; nil if nothing is, or there is
  /// none.
  ///
  /// Reads the whole file.
  public func damage(of subscription: Subscription) -> String? {
    file(PreparedFiles.compiled, of: subscription)
      .flatMap { FileMark.damage(of: $0, subscription.compiled) }
  }
}
