import DurableFiles
import Foundation
import ServiceFolders
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite("Room that is kept on the disk")
struct DiskReserveTests {
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-reserve-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test("A disk is asked where a file is, not where a link to it is")
  func linkedFile() throws {
    try withFolder { folder in
      let link = folder.appending(path: "link").path
      #expect(DiskProbe.error(writing: 1, beside: link) == nil)
      // No file can be made there.
      try FileManager.default.createSymbolicLink(
        atPath: link,
        withDestinationPath: "/proc/self/status"
      )
      #expect(DiskProbe.error(writing: 1, beside: link) != nil)
    }
  }

  @Test("It takes the room that it should also where files are compressed, and is made once")
  func kept() throws {
    try withFolder { folder in
      let reserve = DiskReserve(folder: folder)
      reserve.keep()
      let file = folder.appending(path: ".reserve")
      let bytes = try Data(contentsOf: file)
      #expect(bytes.count == DiskReserve.size)
      // What occurs nowhere else in it is nothing that a compressor could refer to.
      let words = stride(from: 0, to: bytes.count, by: 8).map { bytes[$0..<$0 + 8] }
      #expect(Set(words).count == words.count)
      reserve.keep()
      #expect(try Data(contentsOf: file) == bytes)
      // One of another size is no reserve, and each has bytes of its own.
      try Data("short".utf8).write(to: file)
      reserve.keep()
      let others = try Data(contentsOf: file)
      #expect(others.count == DiskReserve.size && others != bytes)
    }
  }

  @Test("It is on the disk that a part of the data is on")
  func otherDisk() throws {
    try withFolder { data in
      let part = data.appending(path: "Subscriptions")
      func places() -> [Bool] {
        DiskReserve(data: data, part: part).keep()
        return [data, part].map {
          FileManager.default.fileExists(atPath: $0.appending(path: ".reserve").path)
        }
      }
      #expect(places() == [true, false])
      try FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
      #expect(places() == [true, false])
      // A disk that most systems have, in memory.
      let disk = URL(filePath: "/dev/shm").appending(path: data.lastPathComponent)
      var here = stat()
      var there = stat()
      guard unsafe stat(data.path, &here) == 0, unsafe stat("/dev/shm", &there) == 0,
        here.st_dev != there.st_dev,
        (try? FileManager.default.createDirectory(
          at: disk,
          withIntermediateDirectories: false
        )) != nil
      else { return print("not tried: there is no second disk here") }
      defer { try? FileManager.default.removeItem(at: disk) }
      try FileManager.default.removeItem(at: part)
      try FileManager.default.removeItem(at: data.appending(path: ".reserve"))
      try FileManager.default.createSymbolicLink(at: part, withDestinationURL: disk)
      #expect(places() == [false, true])
    }
  }

  @Test("Its room is given back where room lacks, and only then; then the work is done once more")
  func used() throws {
    try withFolder { folder in
      let reserve = DiskReserve(folder: folder)
      reserve.keep()
      let file = folder.appending(path: ".reserve").path
      var attempts = 0
      #expect(throws: FileFailure.self) {
        try reserve.using { () throws(FileFailure) in
          attempts += 1
          throw FileFailure(file, "written", EACCES)
        }
      }
      #expect(attempts == 1 && FileManager.default.fileExists(atPath: file))
      let value = try reserve.using { () throws(FileFailure) in
        attempts += 1
        if attempts == 2 { throw FileFailure(file, "written", ENOSPC) }
        return attempts
      }
      #expect(value == 3 && !FileManager.default.fileExists(atPath: file))
      // Without a reserve there is nothing to be gained.
      #expect(throws: FileFailure.self) {
        try reserve.using { () throws(FileFailure) in
          throw FileFailure(file, "written", ENOSPC)
        }
      }
    }
  }

  @Test("For errors that do not say so the disk is asked, which has room here")
  func asked() throws {
    struct Fault: Error {}
    try withFolder { folder in
      let reserve = DiskReserve(folder: folder)
      reserve.keep()
      var attempts = 0
      #expect(throws: Fault.self) {
        try reserve.using(askingDisk: {
          attempts += 1
          throw Fault()
        })
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(attempts == 1 && names == [".reserve"])
    }
  }
}
