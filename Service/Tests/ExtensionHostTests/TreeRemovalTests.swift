import ExtensionMessages
import Foundation
import Synchronization
import Testing

@testable import ExtensionHost

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Tells a thread to end.
private final class Flag: Sendable {
  private let value = Mutex(false)
  var isSet: Bool { value.withLock { $0 } }
  func set() { value.withLock { $0 = true } }
}

@Suite("Trees that strangers made")
struct TreeRemovalTests {
  let temporary: TemporaryFolder
  let top: Folder

  init() throws {
    temporary = try TemporaryFolder()
    top = try Folder(path: temporary.url.path)
  }

  /// A name of any bytes, as the system takes it.
  private static func name(_ bytes: [UInt8]) -> [CChar] {
    bytes.map { CChar(bitPattern: $0) } + [0]
  }

  private static let names: [[CChar]] = [
    name([0xFF, 0xFE, 0x80]), name([0xC3]), name([0xED, 0xA0, 0x80]), name([0x0A]), name([0x01]),
    name(Array("a\nb".utf8)), name(Array(" ".utf8)), name(Array("...".utf8)),
    name(Array(".moved-1".utf8)), name([UInt8](repeating: 0xFF, count: 255)),
    name(Array("größe".utf8)),
  ]

  private static func fill(_ folder: Folder, depth: Int) throws {
    for name in names {
      let number = unsafe openat(folder.descriptor.number, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0)
      try #require(number >= 0)
      close(number)
      var inner = name
      inner[0] ^= 0x10
      guard unsafe mkdirat(folder.descriptor.number, inner, 0o700) == 0 else {
        // The name is as long, so that only one that is there already can be in the way.
        #expect(errno == EEXIST)
        continue
      }
      let opened = unsafe openat(
        folder.descriptor.number,
        inner,
        O_RDONLY | O_DIRECTORY | O_CLOEXEC
      )
      try #require(opened >= 0)
      let child = try Folder(path: "/proc/self/fd/\(opened)")
      close(opened)
      if depth > 0 { try fill(child, depth: depth - 1) }
      try child.makeLink("link", to: "/")
      // Closed to its owner, which an ordinary user cannot even move.
      fchmod(child.descriptor.number, depth.isMultiple(of: 2) ? 0 : 0o500)
    }
  }

  @Test("Names of any bytes are removed, at any depth, in folders that are closed")
  func anyNames() throws {
    try Self.fill(top.makeFolder("tree"), depth: 2)
    try top.removeTree("tree")
    #expect(try top.names() == [])
  }

  @Test("A tree that is deeper than a path can say is removed")
  func deepTree() throws {
    var inner = try top.makeFolder("tree")
    for depth in 0..<3000 {
      let next = try inner.makeFolder("a folder with a long name")
      _ = try inner.makeFile("file")
      if depth.isMultiple(of: 7) { fchmod(inner.descriptor.number, 0o500) }
      inner = next
    }
    try top.removeTree("tree")
    #expect(try top.names() == [])
  }

  @Test("More names than are read at once are removed")
  func manyNames() throws {
    let tree = try top.makeFolder("tree")
    for number in 0..<2_500 {
      _ = try tree.makeFile("\(number)")
      if number < 1_200 { _ = try tree.makeFolder("folder \(number)") }
    }
    try top.removeTree("tree")
    #expect(try top.names() == [])
  }

  @Test("Removing a tree does not follow its links")
  func links() throws {
    _ = try top.makeFolder("kept").makeFile("file")
    let tree = try top.makeFolder("tree")
    try tree.makeLink("link", to: top.path(of: "kept"))
    try tree.makeLink("..a", to: "..")
    try top.makeLink("itself", to: top.path(of: "kept"))
    try top.removeTree("tree")
    try top.removeTree("itself")
    #expect(try top.folder("kept").names() == ["file"])
    #expect(try top.names() == ["kept"])
  }

  @Test("Nothing there is well, and what cannot be removed is named")
  func nothing() throws {
    try top.removeTree("nothing")
    let error = try #require(throws: HostError.self) {
      try Folder(path: "/proc/self").removeTree("fdinfo")
    }
    #expect(error.message.contains("fdinfo"))
  }

  @Test("A process that exchanges folders for links meanwhile leads nowhere")
  func changingTree() throws {
    let kept = try top.makeFolder("kept")
    _ = try kept.makeFile("file")
    fchmod(kept.descriptor.number, 0o555)
    let target = top.path(of: "kept")
    let isDone = Flag()
    let path = top.path(of: "tree")
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // What an extension's process can do that was not ended.
      while !isDone.isSet {
        for number in 0..<8 {
          let place = "\(path)/\(number)"
          unsafe mkdir(path, 0o500)
          // Not where a link stands: root could make a folder in what it leads to.
          if unsafe mkdir(place, 0o100) == 0 { unsafe mkdir("\(place)/in", 0) }
          unsafe unlinkat(AT_FDCWD, place, AT_REMOVEDIR)
          unsafe symlink(target, place)
          unsafe rename(place, "\(path)/other \(number)")
          unsafe symlink(target, "\(path)/.moved-\(number)")
        }
      }
      ended.signal()
    }
    var removed = 0
    for _ in 0..<300 where (try? top.removeTree("tree")) != nil { removed += 1 }
    isDone.set()
    ended.wait()
    try top.removeTree("tree")
    #expect(removed > 0)
    #expect(try kept.names() == ["file"])
    var status = stat()
    #expect(unsafe fstat(kept.descriptor.number, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o555)
    #expect(try top.names() == ["kept"])
  }

  @Test("An extension is removed with whatever it left, and a removal that was cut short goes on")
  func repeatedRemoval() async throws {
    let test = try await TestHost()
    let identifier = "com.example.blocker"
    let list = #"[{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}]"#
    let containers = test.folder.url.appending(path: "data/Containers")
    func leave() throws {
      let folder = containers.appending(path: identifier, directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Self.fill(Folder(path: folder.path).makeFolder("bad"), depth: 0)
    }
    try await test.install(.list(list))
    try leave()
    try await test.host.remove(identifier)
    #expect(!FileManager.default.fileExists(atPath: containers.appending(path: identifier).path))
    await #expect(throws: ErrorReport.self) { try await test.host.remove(identifier) }
    // The bundle is gone and the container is not, as former versions left it.
    try leave()
    try await test.host.remove(identifier)
    #expect(try FileManager.default.contentsOfDirectory(atPath: containers.path) == [])
    // The container is gone and the bundle is not.
    try await test.install(.list(list))
    try? FileManager.default.removeItem(at: containers.appending(path: identifier))
    try await test.host.remove(identifier)
    #expect(try await test.host.extensions() == [])
    for name in ["..", ".", "", "a/b", "/tmp"] {
      await #expect(throws: ErrorReport.self) { try await test.host.remove(name) }
    }
  }
}
