import CSandbox
import Glibc

/// The file system of the kernel's control groups.
///
/// Each method returns what the system call does: a result, or an error number.
protocol ControlGroupFiles: Sendable {
  /// Returns the text of a file; nil if it cannot be read.
  func text(_ path: String) -> String?
  /// Returns an extended attribute of a group; nil if it has none.
  func attribute(_ name: String, of path: String) -> String?
  /// Writes a text in one call; returns 0 or an error number.
  func write(_ text: String, to path: String) -> Int32
  /// Creates a group; returns 0 or an error number.
  func makeGroup(_ path: String) -> Int32
  /// Removes a group; returns 0 or an error number.
  func removeGroup(_ path: String) -> Int32
  /// Returns the names in a folder.
  func names(in path: String) -> [String]
}

/// The real file system.
struct KernelControlGroupFiles: ControlGroupFiles {
  func text(_ path: String) -> String? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    let (part, longest) = (1 << 16, 1 << 22)
    while bytes.count < longest {
      let more = unsafe [UInt8](unsafeUninitializedCapacity: part) { buffer, filled in
        filled = unsafe max(0, read(file, buffer.baseAddress, part))
      }
      if more.isEmpty { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func attribute(_ name: String, of path: String) -> String? {
    let room = 256
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
      let count = unsafe path.withCString { path in
        unsafe name.withCString { name in
          csandbox_call(
            SystemCall.getxattr,
            Int(bitPattern: path),
            Int(bitPattern: name),
            Int(bitPattern: buffer.baseAddress),
            room,
            0
          )
        }
      }
      filled = max(0, count)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  func write(_ text: String, to path: String) -> Int32 {
    let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    let bytes = Array(text.utf8)
    return unsafe Glibc.write(file, bytes, bytes.count) == bytes.count ? 0 : errno
  }

  func makeGroup(_ path: String) -> Int32 { unsafe mkdir(path, 0o700) == 0 ? 0 : errno }

  func removeGroup(_ path: String) -> Int32 { unsafe rmdir(path) == 0 ? 0 : errno }

  func names(in path: String) -> [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      names.append(
        unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
          unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) {
            unsafe String(cString: $0)
          }
        }
      )
    }
    return names.filter { $0 != "." && $0 != ".." }
  }
}
