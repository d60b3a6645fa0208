internal import CLibrary
internal import DurableFiles
internal import Foundation

extension Folder {
  /// Reads a file of the user's settings, or the one that the user has linked it to; nil where there is none.
  ///
  /// For folders of the host's own alone: no process of an extension writes into them.
  func ownFile(_ name: String, atMost limit: Int) throws(HostError) -> Data? {
    guard try kind(of: name) == .link else { return try contents(name, atMost: limit) }
    do throws(FileFailure) {
      return Data(
        try DurableFile.contents(of: DurableFile.ownFile(path(of: name)), atMost: limit)
      )
    } catch {
      throw HostError(error)
    }
  }

  /// Reads a file; nil where there is none.
  func contents(_ name: String, atMost limit: Int) throws(HostError) -> Data? {
    guard let kind = try kind(of: name) else { return nil }
    guard kind == .file else { throw HostError(.file, "\(path(of: name)) is not a file") }
    return try openFile(name).contents(atMost: limit, path: path(of: name))
  }
}

extension Descriptor {
  /// Writes all of it, and waits as long as that takes.
  func write(_ bytes: some Collection<UInt8>, path: String) throws(HostError) {
    do throws(FileFailure) { try writeAll(bytes, to: number, path: path) } catch {
      throw HostError(error)
    }
  }

  /// Waits until what was written is on the disk.
  func synchronize(path: String) throws(HostError) {
    do throws(FileFailure) { try waitForDisk(number, path: path) } catch { throw HostError(error) }
  }

  /// Reads up to `capacity` bytes; none at the end.
  func read(_ capacity: Int, path: String) throws(HostError) -> Data {
    var data = Data(count: capacity)
    while true {
      let count = unsafe data.withUnsafeMutableBytes {
        unsafe CLibrary.read(number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw HostError(.file, "\(path) cannot be read: \(System.reason(errno))")
      }
      return data.prefix(count)
    }
  }

  /// Reads a file to its end.
  func contents(atMost limit: Int, path: String) throws(HostError) -> Data {
    var data = Data()
    while true {
      let more = try read(1 << 16, path: path)
      if more.isEmpty { return data }
      data.append(more)
      guard data.count <= limit else {
        throw HostError(.file, "\(path) has more than \(limit) bytes")
      }
    }
  }
}
