import DurableFiles
import Foundation
import Testing

@Suite("Files that are on the disk when a call returns")
struct DurableFileTests {
  /// Calls `body` with a folder that is removed afterwards.
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "durable-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func names(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func mode(_ file: URL) -> mode_t {
    var status = stat()
    return unsafe lstat(file.path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  private func failure(_ body: () throws(FileFailure) -> Void) -> FileFailure? {
    do throws(FileFailure) { try body() } catch { return error }
    return nil
  }

  @Test("A file is replaced whole, with exact or inherited permissions")
  func replacing() throws {
    try withFolder { folder in
      let file = folder.appending(path: "file")
      try DurableFile.replace(file.path, with: Array("one".utf8))
      #expect(try Data(contentsOf: file) == Data("one".utf8))
      #expect(mode(file) == 0o600)
      #expect(unsafe chmod(file.path, 0o640) == 0)
      // Not contiguous, and more than one write accepts.
      let many = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
      try DurableFile.replace(file.path, with: many, permissions: .inherited)
      #expect(try Data(contentsOf: file) == many)
      #expect(mode(file) == 0o640)
      try DurableFile.replace(file.path, with: "two".utf8, permissions: .exactly(0o604))
      #expect(try Data(contentsOf: file) == Data("two".utf8))
      #expect(mode(file) == 0o604)
      #expect(try names(folder) == ["file"])
    }
  }

  @Test("A file's owner and all of its permissions stay where that is asked for")
  func keeping() throws {
    try withFolder { folder in
      let file = folder.appending(path: "file")
      #expect(
        failure { () throws(FileFailure) in
          try DurableFile.replace(file.path, with: "one".utf8, permissions: .kept)
        }?.isAbsence == true
      )
      #expect(try names(folder).isEmpty)
      try DurableFile.replace(file.path, with: Array("one".utf8))
      // Only an administrator may change owners.
      let owner: uid_t = getuid() == 0 ? 12_345 : getuid()
      let group: gid_t = getuid() == 0 ? 54_321 : getgid()
      #expect(unsafe chown(file.path, owner, group) == 0)
      #expect(unsafe chmod(file.path, 0o4640) == 0)
      try DurableFile.replace(file.path, with: "two".utf8, permissions: .kept)
      #expect(try Data(contentsOf: file) == Data("two".utf8))
      var status = stat()
      #expect(unsafe stat(file.path, &status) == 0)
      #expect(status.st_mode & 0o7777 == 0o4640)
      #expect(status.st_uid == owner)
      #expect(status.st_gid == group)
      #expect(try names(folder) == ["file"])
    }
  }

  @Test("What stands at a path is known before another file takes its place")
  func standing() throws {
    try withFolder { folder in
      let file = folder.appending(path: "file")
      let link = folder.appending(path: "link")
      try DurableFile.replace(file.path, with: Array("one".utf8))
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      let plain = try FileStanding(of: file.path)
      #expect(!plain.isLink)
      #expect(plain.writeObstacle == nil)
      #expect(plain.owner == getuid())
      #expect(plain.nameCount == 1)
      #expect(plain.permissions == 0o600)
      try FileManager.default.linkItem(at: file, to: folder.appending(path: "other"))
      #expect(unsafe chmod(file.path, 0o444) == 0)
      let linked = try FileStanding(of: link.path)
      #expect(linked.isLink)
      #expect(linked.path == plain.path)
      #expect(linked.nameCount == 2)
      #expect(linked.writeObstacle == EACCES)
      #expect(failure { () throws(FileFailure) in _ = try FileStanding(of: folder.path) } != nil)
    }
  }

  @Test("Of many that make a file at once one does, and its file is whole whenever it is there")
  func creating() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "durable-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for round in 0..<20 {
      let path = folder.appending(path: "\(round)").path
      let made = await withTaskGroup(of: Bool.self) { group in
        for writer in 0..<4 {
          group.addTask {
            let bytes = [UInt8](repeating: UInt8(writer), count: 100_000)
            do throws(FileFailure) {
              try DurableFile.create(path, with: bytes)
              return true
            } catch {
              #expect(error.number == EEXIST)
              // The process that loses finds a complete file.
              #expect((try? Data(contentsOf: URL(filePath: path)))?.count == 100_000)
              return false
            }
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(made == 1)
    }
    #expect(try names(folder).count == 20)
    // A link in its place is not followed.
    let link = folder.appending(path: "link")
    try FileManager.default.createSymbolicLink(
      at: link,
      withDestinationURL: folder.appending(path: "elsewhere")
    )
    #expect(
      failure { () throws(FileFailure) in try DurableFile.create(link.path, with: [1]) } != nil
    )
    #expect(try names(folder).count == 21)
  }

  @Test("What cannot be replaced is as before, and nothing is left beside it")
  func refusals() throws {
    try withFolder { folder in
      let inner = folder.appending(path: "folder")
      try DurableFile.makeFolder(inner.appending(path: "a/b").path)
      let inTheWay = failure { () throws(FileFailure) in
        try DurableFile.replace(inner.path, with: [1])
      }
      #expect(inTheWay?.number == EISDIR)
      #expect(
        inTheWay?.description
          == "\(inner.path) cannot be replaced: is a directory; give the name of a file, or move the folder away"
      )
      let nowhere = folder.appending(path: "none/file").path
      let missing = failure { () throws(FileFailure) in
        try DurableFile.replace(nowhere, with: [1])
      }
      #expect(missing?.isAbsence == true)
      #expect(
        missing?.description.hasSuffix("no such file or directory; create its folder") == true
      )
      let long = folder.appending(path: String(repeating: "x", count: 300)).path
      #expect(
        failure { () throws(FileFailure) in try DurableFile.replace(long, with: [1]) }?.number
          == ENAMETOOLONG
      )
      #expect(try names(folder) == ["folder"])
    }
  }

  @Test("A new file takes nothing's place, a link's neither")
  func creating() throws {
    try withFolder { folder in
      let file = folder.appending(path: "file")
      let link = folder.appending(path: "link")
      try DurableFile.create(file.path, with: [1, 2])
      try FileManager.default.createSymbolicLink(
        at: link,
        withDestinationURL: folder.appending(path: "elsewhere")
      )
      for place in [file, link] {
        let refused = failure { () throws(FileFailure) in
          try DurableFile.create(place.path, with: [3])
        }
        #expect(refused?.number == EEXIST)
      }
      #expect(try Data(contentsOf: file) == Data([1, 2]))
      #expect(try names(folder) == ["file", "link"])
    }
  }

  @Test("What a user asked for goes where a link leads, and into a pipe, and never over a device")
  func exporting() throws {
    try withFolder { folder in
      let file = folder.appending(path: "inner/file")
      try DurableFile.makeFolder(folder.appending(path: "inner").path)
      try DurableFile.export(file.path, Array("one".utf8))
      let link = folder.appending(path: "link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      try DurableFile.export(link.path, Array("two".utf8))
      #expect(try Data(contentsOf: file) == Data("two".utf8))
      #expect(
        try FileManager.default.attributesOfItem(atPath: link.path)[.type] as? FileAttributeType
          == .typeSymbolicLink
      )
      let pipe = folder.appending(path: "pipe")
      #expect(unsafe mkfifo(pipe.path, 0o600) == 0)
      let reader = unsafe open(pipe.path, O_RDWR | O_NONBLOCK)
      defer { close(reader) }
      try DurableFile.export(pipe.path, Array("three".utf8))
      var bytes = [UInt8](repeating: 0, count: 10)
      #expect(unsafe read(reader, &bytes, 10) == 5)
      #expect(bytes.prefix(5).elementsEqual("three".utf8))
      try DurableFile.export("/dev/null", [1])
      var status = stat()
      #expect(unsafe stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
      #if os(Linux)
      let full = failure { () throws(FileFailure) in try DurableFile.export("/dev/full", [1]) }
      #expect(full?.isLackOfRoom == true)
      #expect(
        full?.description
          == "/dev/full cannot be written: the disk is full, or has no room for more files; make "
          + "room on it"
      )
      #endif
      let refused = failure { () throws(FileFailure) in try DurableFile.export(folder.path, [1]) }
      #expect(refused?.number == EISDIR)
      #expect(try names(folder) == ["inner", "link", "pipe"])
    }
  }

  @Test("Lines are added on lines of their own")
  func appending() throws {
    try withFolder { folder in
      let file = folder.appending(path: "file")
      try DurableFile.appendLines(file.path, "one\n".utf8)
      try DurableFile.appendLines(file.path, "two".utf8)
      try DurableFile.appendLines(file.path, "three\n".utf8)
      #expect(try String(contentsOf: file, encoding: .utf8) == "one\ntwo\nthree\n")
      #expect(mode(file) == 0o600)
      let link = folder.appending(path: "link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      let refused = failure { () throws(FileFailure) in
        try DurableFile.appendLines(link.path, [1])
      }
      #expect(refused?.number == ELOOP)
    }
  }

  @Test("A folder takes another's place with all that is in it")
  func folders() throws {
    try withFolder { folder in
      let place = folder.appending(path: "place")
      for (name, text) in [("one", "1"), ("two", "2")] {
        let new = folder.appending(path: name)
        try DurableFile.makeFolder(new.appending(path: "inner").path)
        try DurableFile.replace(new.appending(path: "inner/file").path, with: text.utf8)
        try DurableFolder.replace(place.path, with: new.path)
        #expect(
          try String(contentsOf: place.appending(path: "inner/file"), encoding: .utf8) == text
        )
      }
      // The old one, for the caller to remove.
      #expect(try names(folder) == ["place", "two"])
    }
  }

  @Test("Removing and renaming say whether there was something")
  func names() throws {
    try withFolder { folder in
      let file = folder.appending(path: "file")
      let other = folder.appending(path: "other")
      try DurableFile.create(file.path, with: [1])
      try DurableFile.rename(file.path, to: other.path)
      #expect(try DurableFile.remove(other.path))
      #expect(try !DurableFile.remove(other.path))
      #expect(try !DurableFile.remove(folder.appending(path: "none/file").path))
      let missing = failure { () throws(FileFailure) in
        try DurableFile.rename(file.path, to: other.path)
      }
      #expect(missing?.isAbsence == true)
      let refused = failure { () throws(FileFailure) in try DurableFile.remove(folder.path) }
      #expect(refused != nil)
    }
  }

  @Test(
    "A folder that may be written to and not read serves as well",
    .enabled(if: getuid() != 0, "the superuser may read everything")
  )
  func unreadableFolder() throws {
    try withFolder { folder in
      #expect(unsafe chmod(folder.path, 0o300) == 0)
      defer { unsafe chmod(folder.path, 0o700) }
      try DurableFile.replace(folder.appending(path: "file").path, with: [1])
      #expect(try Data(contentsOf: folder.appending(path: "file")) == Data([1]))
    }
  }

  @Test("A link that leads nowhere is there, and so is what cannot be looked at")
  func isThere() throws {
    try withFolder { folder in
      let (file, link) = (folder.appending(path: "file"), folder.appending(path: "link"))
      #expect(!DurableFile.isThere(file.path))
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      #expect(DurableFile.isThere(link.path))
      try Data().write(to: file)
      #expect(DurableFile.isThere(file.path))
      #expect(!DurableFile.isThere(file.path + "/below"))
      let long = folder.appending(path: String(repeating: "a", count: 300)).path
      #expect(DurableFile.isThere(long))
    }
  }

  @Test("Errors of Foundation are told in the same words", arguments: [ENOSPC, EIO, EDQUOT, EROFS])
  func foundation(number: Int32) {
    let error = CocoaError(
      .fileReadUnknown,
      userInfo: [NSUnderlyingErrorKey: POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)]
    )
    #expect(FileFailure.reason(of: error) == FileFailure.reason(number))
    #expect(!FileFailure.remedy(number).isEmpty)
  }

  @Test("a link to nothing is no absence, wherever it is on the way")
  func linkToNothing() throws {
    try withFolder { folder in
      let link = folder.appending(path: "link").path
      try FileManager.default.createSymbolicLink(
        atPath: link,
        withDestinationPath: folder.appending(path: "away").path
      )
      for path in [link, link + "/file", link + "/inner/file"] {
        #expect(DurableFile.isThere(path))
        let error = failure { () throws(FileFailure) in
          _ = try DurableFile.contents(of: path, atMost: 10)
        }
        #expect(error?.number == FileFailure.linkToNothing && error?.isAbsence == false)
        #expect(error?.path == link && error?.description.contains("mount the disk") == true)
      }
      let writing = failure { () throws(FileFailure) in
        try DurableFile.replace(link + "/file", with: [1])
      }
      #expect(writing?.number == FileFailure.linkToNothing && writing?.path == link)
      let making = failure { () throws(FileFailure) in
        try DurableFile.makeFolder(link + "/inner")
      }
      #expect(making?.number == FileFailure.linkToNothing && making?.path == link)
      #expect(!DurableFile.isThere(folder.appending(path: "none/file").path))
      #expect(!DurableFile.isThere("none-of-this-name/file"))
    }
  }

  @Test("drafts that nobody writes any more are removed, and nothing else")
  func drafts() throws {
    try withFolder { folder in
      func age(_ name: String) throws {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
          ofItemAtPath: folder.appending(path: name).path
        )
      }
      let name = DurableFile.draftName()
      #expect(DurableFile.isDraftName(name))
      let file = try NewFile(folder.appending(path: name).path)
      try file.write([1])
      try age(name)
      let (old, young) = (".draft-00112233445566ff", ".draft-0123456789abcdef")
      let others = [
        ".draft-", ".draft-0123456789ABCDEF", ".draft-essay", ".draft-0123456789abcde", "draft-1",
      ]
      for other in others + [old] {
        #expect(DurableFile.isDraftName(other) == (other == old), "\(other)")
        try Data().write(to: folder.appending(path: other))
        try age(other)
      }
      try Data().write(to: folder.appending(path: young))
      DurableFile.removeDrafts(in: folder.path)
      // One is being written, and the other was begun a moment ago.
      let left = try Set(names(folder))
      #expect(left == Set(others + [name, young]))
      try file.finish()
      DurableFile.removeDrafts(in: folder.path)
      #expect(try !names(folder).contains(name))
    }
  }

  @Test("the beginning of a file, and nothing of what is no file")
  func beginning() throws {
    try withFolder { folder in
      let file = folder.appending(path: "file").path
      try DurableFile.replace(file, with: Array("abcdef".utf8))
      #expect(try DurableFile.beginning(of: file, 4) == Array("abcd".utf8))
      #expect(try DurableFile.beginning(of: file, 100) == Array("abcdef".utf8))
      #expect(try DurableFile.beginning(of: file, 0) == [])
      #expect(try DurableFile.contents(of: file, atMost: .max) == Array("abcdef".utf8))
      #expect(
        failure { () throws(FileFailure) in _ = try DurableFile.contents(of: file, atMost: 5) }?
          .isTooLarge == true
      )
      let pipe = folder.appending(path: "pipe").path
      #expect(unsafe mkfifo(pipe, 0o600) == 0)
      #expect(
        failure { () throws(FileFailure) in _ = try DurableFile.beginning(of: pipe, 4) }?.number
          == FileFailure.notAFile
      )
      #expect(
        failure { () throws(FileFailure) in _ = try DurableFile.beginning(of: folder.path, 4) }?
          .number == EISDIR
      )
      #expect(
        failure { () throws(FileFailure) in _ = try DurableFile.beginning(of: file + "x", 4) }?
          .isAbsence == true
      )
    }
  }

  @Test("what is at a path, without following links")
  func status() throws {
    try withFolder { folder in
      let file = folder.appending(path: "file").path
      try DurableFile.replace(file, with: Array("abcdef".utf8))
      let (link, pipe) = (folder.appending(path: "link").path, folder.appending(path: "pipe").path)
      #expect(unsafe symlink(folder.path, link) == 0)
      #expect(unsafe mkfifo(pipe, 0o600) == 0)
      #expect(try FileStatus(of: file).kind == .file)
      #expect(try FileStatus(of: file).size == 6)
      #expect(try FileStatus(of: folder.path).kind == .folder)
      #expect(try FileStatus(of: link).kind == .link)
      #expect(try FileStatus(of: pipe).kind == .other)
      #expect(
        failure { () throws(FileFailure) in _ = try FileStatus(of: file + "x") }?.isAbsence == true
      )
    }
  }

  @Test("Foundation's errors are told by the system's words")
  func foundation() throws {
    try withFolder { folder in
      let missing = folder.appending(path: "missing")
      let calls: [() throws -> Void] = [
        { _ = try Data(contentsOf: missing) }, { _ = try FileHandle(forReadingFrom: missing) },
        { _ = try FileManager.default.contentsOfDirectory(atPath: missing.path) },
        { try FileManager.default.removeItem(at: missing) }, { throw POSIXError(.ENOENT) },
      ]
      for call in calls {
        do {
          try call()
          Issue.record("no error")
        } catch {
          #expect(FileFailure.reason(of: error) == FileFailure.reason(ENOENT))
        }
      }
      #expect(
        FileFailure.reason(of: CocoaError(.fileReadCorruptFile))
          == "the operation could not be completed (error 259)"
      )
    }
  }
}
