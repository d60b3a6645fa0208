import DurableFiles
import Foundation
import Testing

@Suite("Files that a user has linked to elsewhere")
struct UserFileTests {
  /// A folder of settings with a link, and a folder that it leads to.
  private struct Place: ~Copyable {
    let root: URL
    var link: URL { root.appending(path: "settings/State.json") }
    var kept: URL { root.appending(path: "kept/state.json") }

    init() throws {
      root = FileManager.default.temporaryDirectory
        .appending(path: "linked-\(UUID().uuidString)", directoryHint: .isDirectory)
      for name in ["settings", "kept"] {
        try FileManager.default.createDirectory(
          at: root.appending(path: name),
          withIntermediateDirectories: true
        )
      }
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func linked(to target: String) throws {
      try? FileManager.default.removeItem(at: link)
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)
    }

    func names(_ folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
        .sorted()
    }
  }

  private func failure(_ body: () throws(FileFailure) -> Void) -> FileFailure? {
    do throws(FileFailure) { try body() } catch { return error }
    return nil
  }

  private func isLink(_ url: URL) -> Bool { (try? FileStatus(of: url.path).kind) == .link }

  @Test("What a link leads to is written, whole and with its permissions, and the link stays")
  func followed() throws {
    let place = try Place()
    for target in ["../kept/state.json", place.kept.path] {
      try Data("old".utf8).write(to: place.kept)
      #expect(unsafe chmod(place.kept.path, 0o640) == 0)
      try place.linked(to: target)
      try DurableFile.replaceOwnFile(place.link.path, with: "new".utf8)
      #expect(isLink(place.link))
      #expect(try Data(contentsOf: place.kept) == Data("new".utf8))
      var status = stat()
      #expect(unsafe lstat(place.kept.path, &status) == 0 && status.st_mode & 0o777 == 0o640)
      #expect(
        try place.names("settings") == ["State.json"] && place.names("kept") == ["state.json"]
      )
    }
    // A link to a link, and one to what is not there yet.
    let second = place.root.appending(path: "kept/second")
    try FileManager.default.createSymbolicLink(
      atPath: second.path,
      withDestinationPath: "state.json"
    )
    try place.linked(to: second.path)
    try FileManager.default.removeItem(at: place.kept)
    try DurableFile.replaceOwnFile(place.link.path, with: "third".utf8)
    #expect(isLink(place.link) && isLink(second))
    #expect(try Data(contentsOf: place.kept) == Data("third".utf8))
    // Without a link it is a file like any other.
    try FileManager.default.removeItem(at: place.link)
    try DurableFile.replaceOwnFile(place.link.path, with: "fourth".utf8)
    #expect(!isLink(place.link))
    #expect(try Data(contentsOf: place.link) == Data("fourth".utf8))
  }

  @Test("Whoever watches the folder of the link sees that the file was written")
  func watched() throws {
    let place = try Place()
    try Data("old".utf8).write(to: place.kept)
    try place.linked(to: place.kept.path)
    let folder = place.link.deletingLastPathComponent()
    let past = Date(timeIntervalSinceNow: -100)
    try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: folder.path)
    try DurableFile.replaceOwnFile(place.link.path, with: "new".utf8)
    let date =
      try FileManager.default.attributesOfItem(atPath: folder.path)[.modificationDate] as? Date
    #expect(try #require(date) > past.addingTimeInterval(50))
  }

  @Test("A link to a folder, to a pipe, to itself, or into a folder that is not there is refused")
  func refused() throws {
    let place = try Place()
    let pipe = place.root.appending(path: "kept/pipe")
    try #require(unsafe mkfifo(pipe.path, 0o600) == 0)
    for (target, number) in [
      ("../kept", EISDIR), (pipe.path, FileFailure.notAFile), ("State.json", ELOOP),
      ("../nowhere/state.json", FileFailure.linkToNothing),
    ] {
      try place.linked(to: target)
      let error = failure { () throws(FileFailure) in
        try DurableFile.replaceOwnFile(place.link.path, with: "new".utf8)
      }
      #expect(error?.number == number, "\(target): \(String(describing: error))")
      #expect(isLink(place.link))
    }
    #expect(try place.names("kept") == ["pipe"])
  }

  @Test("A link into a folder that anybody may write to is refused, with the way out")
  func sharedFolder() throws {
    let place = try Place()
    try Data("old".utf8).write(to: place.kept)
    try place.linked(to: place.kept.path)
    #expect(unsafe chmod(place.kept.deletingLastPathComponent().path, 0o1777) == 0)
    let error = failure { () throws(FileFailure) in
      try DurableFile.replaceOwnFile(place.link.path, with: "new".utf8)
    }
    #expect(error?.number == FileFailure.foreignLink)
    #expect(error?.description.contains(place.link.path) == true)
    #expect(error?.description.contains("chmod go-w") == true)
    #expect(try Data(contentsOf: place.kept) == Data("old".utf8))
  }

  @Test("A way through a folder in which others can put something else is not followed")
  func sharedWay() throws {
    let place = try Place()
    let shared = place.root.appending(path: "shared")
    try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
    try Data("old".utf8).write(to: place.kept)
    // The user's own links within it, of which another user may put one in the place of the other.
    for (name, target) in [("state.json", "../kept/state.json"), ("kept", "../kept")] {
      try FileManager.default.createSymbolicLink(
        atPath: shared.appending(path: name).path,
        withDestinationPath: target
      )
    }
    for target in ["../shared/state.json", shared.path + "/kept/state.json"] {
      try place.linked(to: target)
      for (mode, isFollowed) in [(mode_t(0o777), false), (0o755, true), (0o1777, true)] {
        #expect(unsafe chmod(shared.path, mode) == 0)
        let error = failure { () throws(FileFailure) in
          try DurableFile.replaceOwnFile(place.link.path, with: "new".utf8)
        }
        #expect(error?.number == (isFollowed ? nil : FileFailure.foreignLink), "\(target), \(mode)")
        #expect(try Data(contentsOf: place.kept) == Data((isFollowed ? "new" : "old").utf8))
        try Data("old".utf8).write(to: place.kept)
      }
    }
  }

  @Test(
    "A folder that a group may write to is followed if nobody else is in the group",
    .enabled(if: geteuid() == 0, "only root can make folders of other groups")
  )
  func groups() throws {
    let place = try Place()
    try Data("old".utf8).write(to: place.kept)
    try place.linked(to: place.kept.path)
    let folder = place.kept.deletingLastPathComponent()
    for (group, isFollowed) in [(gid_t(12_345), false), (getegid(), getegid() == geteuid())] {
      #expect(unsafe chown(folder.path, geteuid(), group) == 0)
      #expect(unsafe chmod(folder.path, 0o775) == 0)
      let error = failure { () throws(FileFailure) in
        try DurableFile.replaceOwnFile(place.link.path, with: "new".utf8)
      }
      #expect(error?.number == (isFollowed ? nil : FileFailure.foreignLink), "\(group)")
    }
  }

  @Test("A link to a name that is not in UTF-8 is refused, and no other file is made")
  func foreignName() throws {
    let place = try Place()
    try? FileManager.default.removeItem(at: place.link)
    let target = Array("../kept/r".utf8) + [0xE9] + Array("gles".utf8) + [0]
    let result = unsafe target.withUnsafeBytes { bytes in
      unsafe symlink(bytes.bindMemory(to: CChar.self).baseAddress!, place.link.path)
    }
    try #require(result == 0)
    let error = failure { () throws(FileFailure) in
      try DurableFile.replaceOwnFile(place.link.path, with: "new".utf8)
    }
    #expect(error?.number == FileFailure.linkToForeignName)
    #expect(try place.names("kept").isEmpty)
  }

  @Test("What else is where the file is kept stays")
  func others() throws {
    let place = try Place()
    try place.linked(to: place.kept.path)
    let draft = place.kept.deletingLastPathComponent().appending(path: DurableFile.draftName())
    try Data("mine".utf8).write(to: draft)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
      ofItemAtPath: draft.path
    )
    try DurableFile.replaceOwnFile(place.link.path, with: "new".utf8)
    #expect(try place.names("kept") == [draft.lastPathComponent, "state.json"].sorted())
  }

  @Test(
    "What is another user's is not written through a link",
    .enabled(if: geteuid() == 0, "only root can make files of another user")
  )
  func othersFile() throws {
    for isLinkForeign in [true, false] {
      let place = try Place()
      try Data("old".utf8).write(to: place.kept)
      try place.linked(to: place.kept.path)
      let foreign = isLinkForeign ? place.link : place.kept
      #expect(unsafe lchown(foreign.path, 12_345, 12_345) == 0)
      let error = failure { () throws(FileFailure) in
        try DurableFile.replaceOwnFile(place.link.path, with: "new".utf8)
      }
      #expect(error?.number == FileFailure.foreignLink)
      #expect(try Data(contentsOf: place.kept) == Data("old".utf8))
    }
  }
}
