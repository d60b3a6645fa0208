#if os(Linux)
import CExtendedAttributes
import DurableFiles
import Foundation
import Testing

/// File systems without attributes have nothing to keep; there, these tests report that and pass.
@Suite struct ExtendedAttributesTests {
  private static let accessList = "system.posix_acl_access"

  /// The user 1234 may read and write, the group may read; the mask is what permissions show.
  private static let list: [UInt8] = {
    let entries: [(tag: UInt16, permissions: UInt16, id: UInt32)] = [
      (0x01, 6, .max), (0x02, 6, 1_234), (0x04, 4, .max), (0x10, 6, .max), (0x20, 0, .max),
    ]
    var bytes: [UInt8] = [2, 0, 0, 0]
    for entry in entries {
      for number in [entry.tag, entry.permissions] { bytes += [UInt8(number & 0xFF), 0] }
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: entry.id >> (8 * $0)) }
    }
    return bytes
  }()

  private func set(_ name: String, _ value: [UInt8], _ path: String) -> Bool {
    unsafe setxattr(path, name, value, value.count, 0) == 0
  }

  private func value(_ name: String, _ path: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe getxattr(path, name, &bytes, bytes.count)
    return count < 0 ? nil : Array(bytes[..<count])
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  private func withFile(_ body: (_ folder: String, _ file: String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "file").path
    try DurableFile.replace(file, with: Array("one".utf8))
    try body(folder.path, file)
  }

  @Test(arguments: [FilePermissions.kept, .inherited])
  func theAccessListStays(permissions: FilePermissions) throws {
    try withFile { _, file in
      guard set(Self.accessList, Self.list, file) else {
        return print("not tested: the file system of \(file) has no access lists")
      }
      #expect(mode(file) == 0o660)
      try DurableFile.replace(file, with: Array("two".utf8), permissions: permissions)
      #expect(value(Self.accessList, file) == Self.list)
      #expect(mode(file) == 0o660)
    }
  }

  @Test func otherAttributesStay() throws {
    try withFile { _, file in
      let long = [UInt8](repeating: 7, count: 3_000)
      guard set("user.note", long, file), set("user.empty", [], file) else {
        return print("not tested: the file system of \(file) has no attributes for users")
      }
      try DurableFile.replace(file, with: Array("two".utf8), permissions: .kept)
      #expect(value("user.note", file) == long)
      #expect(value("user.empty", file) == [])
      // A private or new file inherits nothing.
      try DurableFile.replace(file, with: Array("three".utf8))
      #expect(value("user.note", file) == nil)
    }
  }

  /// A folder may have a default list that this file lacked.
  @Test func noAccessListIsAdded() throws {
    try withFile { folder, file in
      guard set("system.posix_acl_default", Self.list, folder) else {
        return print("not tested: the file system of \(folder) has no access lists")
      }
      #expect(unsafe chmod(file, 0o640) == 0)
      try DurableFile.replace(file, with: Array("two".utf8), permissions: .kept)
      #expect(value(Self.accessList, file) == nil)
      #expect(mode(file) == 0o640)
    }
  }
}
#endif
