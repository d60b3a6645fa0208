internal import CLibrary
public import DurableFiles
public import Foundation

/// Room that is kept on the disk for what has to be possible when the disk is full.
///
/// A file of no meaning, which is removed when its room is needed, and made again when there is room
/// enough. It gives back blocks and one file's entry.
public struct DiskReserve: Sendable {
  /// How many bytes are kept.
  public static let size = 512 << 10
  /// How many bytes must be free for the reserve to be made.
  private static let leastRoom = 8 * size

  private let file: URL

  /// Takes the folder that has the reserve.
  public init(folder: URL) { file = folder.appending(path: ".reserve") }

  /// Takes a folder of the data that may be a link to another disk, or mounted from one: the reserve is on
  /// that disk then, since no other one's room helps.
  public init(data: URL, part: URL) {
    let disks = [data, part].map { folder -> dev_t? in
      var status = stat()
      return unsafe stat(folder.path, &status) == 0 ? status.st_dev : nil
    }
    self.init(folder: disks[1] == nil || disks[0] == disks[1] ? data : part)
  }

  /// Makes the reserve, if it is missing and there is room enough.
  ///
  /// Drafts of it, and of what else is in its folder, that killed processes left behind are removed first: they
  /// take the room.
  public func keep() {
    DurableFile.removeDrafts(in: file.deletingLastPathComponent().path)
    var status = stat()
    if unsafe stat(file.path, &status) == 0, status.st_size == off_t(Self.size) { return }
    var room = statvfs()
    guard unsafe statvfs(file.deletingLastPathComponent().path, &room) == 0,
      Int(room.f_bavail) * Int(room.f_frsize) >= Self.leastRoom
    else { return }
    try? DurableFile.replace(file.path, with: Self.noise())
  }

  /// Bytes that no file system can compress, as it could zeros.
  ///
  /// All from one random number: to ask the system for each of them takes longer than to write them.
  private static func noise() -> [UInt8] {
    var word = UInt64.random(in: 1 ... .max)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    while bytes.count < size {
      // Marsaglia's xorshift.
      word ^= word << 13
      word ^= word >> 7
      word ^= word << 17
      unsafe withUnsafeBytes(of: word) { unsafe bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  /// Does something, a second time with the reserve's room if the disk is full.
  public func using<Value>(
    _ body: () throws(FileFailure) -> Value
  ) throws(FileFailure) -> Value {
    do throws(FileFailure) {
      return try body()
    } catch {
      guard error.isLackOfRoom, release() else { throw error }
      return try body()
    }
  }

  /// Does something whose errors do not say that the disk is full; the disk itself is asked then.
  public func using<Value>(
    askingDisk body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch {
      guard isRoomLacking, release() else { throw error }
      return try body()
    }
  }

  /// Takes something away, which has to be possible on a full disk, and makes the reserve again.
  ///
  /// - Parameter body: What takes it away, as for ``using(askingDisk:)``.
  /// - Returns: What it returns.
  /// - Throws: What it throws, the second time if the disk was full.
  public func takeAway<Value>(_ body: () throws -> Value) throws -> Value {
    let value = try using(askingDisk: body)
    keep()
    return value
  }

  /// Gives the room back.
  ///
  /// - Returns: Whether there was any.
  private func release() -> Bool { (try? DurableFile.remove(file.path)) == true }

  /// Whether there is less room than the reserve takes.
  ///
  /// A quota is noticed only by writing.
  public var isRoomLacking: Bool {
    if isDiskFull { return true }
    let number = DiskProbe.error(writing: Self.size, beside: file.path)
    return number.map(FileFailure.isLackOfRoom) ?? false
  }

  /// Whether the file system says that it has less room than the reserve takes, or none for more files.
  public var isDiskFull: Bool {
    var room = statvfs()
    guard unsafe statvfs(file.deletingLastPathComponent().path, &room) == 0 else { return false }
    // Some file systems count no files at all.
    if room.f_files > 0, room.f_favail == 0 { return true }
    return Int(room.f_bavail) * Int(room.f_frsize) < Self.size
  }
}
