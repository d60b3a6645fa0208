import Foundation
import Synchronization
import Testing

@testable import ExtensionGallery

/// The servers' answers from some moment on.
private final class Behaviour: Sendable {
  private let responses = Mutex<[String: LoopbackServer.Response]>([:])

  subscript(path: String) -> LoopbackServer.Response? {
    get { responses.withLock { $0[path] } }
    set { responses.withLock { $0[path] = newValue } }
  }
}

@Suite("Servers that take their time", .timeLimit(.minutes(5)))
struct SlowServerTests {
  let scene: GalleryScene
  private let behaviour = Behaviour()
  private let server: LoopbackServer

  init() throws {
    scene = try GalleryScene()
    let (files, behaviour) = (scene.files, behaviour)
    server = try LoopbackServer { path in
      if let response = behaviour[path] { return response }
      return (try? Data(contentsOf: files.appending(path: path))).map { .data($0) } ?? .status(404)
    }
  }

  /// A list at forty bytes a second.
  private static let slowList = LoopbackServer.Response.drip(
    "HTTP/1.1 200 OK\r\nContent-Length: 100000",
    Data(repeating: 0x74, count: 20),
    every: 0.5
  )

  private func addGallery() async throws -> URL {
    let url = server.url(UpdateList.fileName)
    let key = try scene.galleryKey.publicKey.fingerprint
    _ = try await scene.installer.addGallery(url, key: key) { _ in false }
    return url
  }

  private func waitForRequest(_ path: String, after count: Int) async throws {
    for _ in 0..<2_000 where server.requests.count <= count {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(server.requests.last == path)
  }

  @Test("While a list drips, files are installed, and its gallery can be removed")
  func drippingList() async throws {
    try scene.publish(SampleBundle())
    let url = try await addGallery()
    behaviour[UpdateList.fileName] = Self.slowList
    let count = server.requests.count
    let installer = scene.installer
    let update = Task { try await installer.update() }
    try await waitForRequest(UpdateList.fileName, after: count)
    // None of this waits, although the list would take a minute until its timeout.
    let file = try SampleBundle(identifier: "com.other.ext").package(
      in: scene.folder,
      key: SigningKey()
    )
    try await scene.install(file: file)
    try await scene.store.goBack("com.other.ext")
    try await installer.forget("com.other.ext")
    try await installer.removeGallery(url.absoluteString)
    #expect(try installer.galleries() == [])
    #expect(server.openConnections == 1)
    update.cancel()
    await #expect(throws: (any Error).self) { try await update.value }
    // The download was removed with its folder.
    try await installer.settle()
    #expect(scene.stagingIsEmpty)
  }

  @Test("While a package drips, others are installed, and a list that changed meanwhile counts")
  func drippingPackage() async throws {
    try scene.publish(SampleBundle(version: "1"))
    let url = try await addGallery()
    try await scene.install()
    try scene.publish(SampleBundle(version: "2"))
    behaviour["com.example.blocker.tickbird"] = .drip(
      "HTTP/1.1 200 OK\r\nContent-Length: 1000",
      Data([0]),
      every: 0.2
    )
    let count = server.requests.count
    let installer = scene.installer
    let update = Task { try await installer.update() }
    try await waitForRequest("com.example.blocker.tickbird", after: count + 1)
    // Installed by hand from a file while the same version is being downloaded.
    try await scene.install(file: scene.files.appending(path: "com.example.blocker.tickbird"))
    #expect(try await scene.version() == "2")
    try await installer.removeGallery(url.absoluteString)
    update.cancel()
    await #expect(throws: (any Error).self) { try await update.value }
    #expect(try await scene.version() == "2")
  }

  @Test("What was decided on has to hold still when it is installed")
  func changedMeanwhile() async throws {
    try scene.publish(SampleBundle())
    let url = try await addGallery()
    let installer = scene.installer
    // The gallery is removed while the user is asked.
    await expectRefusal(.changed) {
      try await installer.install(.name("com.example.blocker", gallery: nil)) { _ in
        try await installer.removeGallery(url.absoluteString)
        return true
      }
    }
    #expect(try await scene.version() == nil)
    _ = try await addGallery()
    // The gallery gets a newer list, which may lack the package.
    await expectRefusal(.changed) {
      try await installer.install(.name("com.example.blocker", gallery: nil)) { _ in
        try self.scene.build()
        _ = try await installer.refreshGallery(url.absoluteString)
        return true
      }
    }
    #expect(try await scene.version() == nil)
    // Another process installs a different version.
    let file = try SampleBundle(version: "1").package(in: scene.folder, key: scene.developer)
    let newer = try SampleBundle(version: "3").package(in: scene.folder, key: scene.developer)
    await expectRefusal(.lowerVersion) {
      try await installer.install(.file(file)) { _ in
        try await scene.install(file: newer)
        return true
      }
    }
    #expect(try await scene.version() == "3")
    // Another developer's key gets pinned.
    let (one, other) = ("com.example.one", SigningKey())
    let mine = try SampleBundle(identifier: one).package(in: scene.folder, key: scene.developer)
    let theirs = try SampleBundle(identifier: one).package(in: scene.folder, key: other)
    await expectRefusal(.otherKey) {
      try await installer.install(.file(mine)) { _ in
        try await scene.install(file: theirs)
        return true
      }
    }
    #expect(try installer.identities()[one]?.pin.key == other.publicKey)
    // Its additional requests are no longer those that were shown.
    let two = "com.example.two"
    var asking = SampleBundle(identifier: two, version: "2")
    asking.entitlements = ["com.apple.security.network.client": true]
    let second = try asking.package(in: scene.folder, key: scene.developer)
    let first = try SampleBundle(identifier: two).package(in: scene.folder, key: scene.developer)
    await expectRefusal(.changed) {
      try await installer.install(.file(second)) { offer in
        #expect(!offer.asksForMore)
        try await scene.install(file: first)
        return true
      }
    }
    #expect(try await scene.version(two) == "1")
    #expect(scene.stagingIsEmpty)
  }

  @Test("Two slow galleries hold up none of a third")
  func sideBySide() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    try await scene.install()
    try FileManager.default.createDirectory(
      at: scene.files.appending(path: "a"),
      withIntermediateDirectories: true
    )
    try FileManager.default.createDirectory(
      at: scene.files.appending(path: "b"),
      withIntermediateDirectories: true
    )
    for name in ["a", "b"] {
      let folder = scene.files.appending(path: name)
      try GalleryBuilder(folder: folder).build(key: SigningKey(), name: name, issued: scene.now)
      _ = try await scene.installer.addGallery(server.url("\(name)/"), key: nil) { _ in true }
      behaviour["\(name)/\(UpdateList.fileName)"] = Self.slowList
    }
    try scene.publish(SampleBundle(version: "2"))
    var downloader = Downloader()
    downloader.listDeadline = .seconds(4)
    let installer = ExtensionInstaller(
      folders: scene.folders,
      store: scene.store,
      downloader: downloader,
      now: { [scene] in scene.now }
    )
    let results = try await installer.update()
    guard case .updated = results.first?.outcome else {
      Issue.record("\(results)")
      return
    }
    // Both slow ones were requested concurrently.
    let lists = try await installer.refreshGalleries()
    #expect(lists.map { (try? $0.list.get()) != nil } == [true, false, false])
  }

  @Test(
    "Whichever part of an answer is slow, it ends",
    arguments: [
      .drip("HTTP/1.1 200 OK\r\nContent-Length: 100000", Data([0x78]), every: 0.3),
      .drip("HTTP/1.1 404 No\r\nContent-Length: 100000", Data([0x78]), every: 0.3),
      .drip("HTTP/1.1 404 No", Data(repeating: 0x78, count: 3_000), every: 0.3),
      .drip(nil, Data("HTTP/1.1 200 OK\r\nX-Slow: ".utf8), every: 0.3),
      .drip(nil, Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), every: 0.3),
      // Above the minimum rate, for ever.
      .drip("HTTP/1.1 200 OK", Data(repeating: 0x78, count: 2_000), every: 0.3),
      .drip(nil, Data(), every: 0.3),
    ] as [LoopbackServer.Response]
  )
  func parts(response: LoopbackServer.Response) async throws {
    behaviour["x"] = response
    var downloader = Downloader()
    downloader.listDeadline = .seconds(3)
    await expectRefusal(.download) {
      try await downloader.data(server.url("x"), limit: 1 << 20, staging: scene.folder.url)
    }
  }

  @Test("Below the least rate a transfer ends long before its time is over")
  func minimumRate() async throws {
    behaviour["x"] = .drip("HTTP/1.1 200 OK", Data(repeating: 0x78, count: 50), every: 0.1)
    var downloader = Downloader()
    downloader.idleTimeout = 2
    let message = await expectRefusal(.download) {
      try await downloader.data(server.url("x"), limit: 1 << 20, staging: scene.folder.url)
    }
    #expect(message.contains("too slow"))
  }

  @Test("A chain of redirections has no more time than one answer")
  func slowChain() async throws {
    for number in 0..<5 {
      behaviour["\(number)"] = .drip(
        nil,
        Data("HTTP/1.1 302 Found\r\nLocation: /\(number + 1)\r\nContent-Length: 0\r\n\r\n".utf8),
        every: 600
      )
    }
    behaviour["1"] = .drip(nil, Data(), every: 0.3)
    var downloader = Downloader()
    // Enough for the first answer, whatever else runs at the time; the second one takes all of it.
    downloader.listDeadline = .seconds(15)
    await expectRefusal(.download) {
      try await downloader.data(server.url("0"), limit: 1 << 20, staging: scene.folder.url)
    }
    #expect(server.requests == ["0", "1"])
  }

  @Test("A package may take as long as its size allows, and no longer than half an hour")
  func timeForPackages() {
    #expect(Downloader().time(for: 0) == .seconds(60))
    #expect(Downloader().time(for: 3_200 << 10) == .seconds(160))
    #expect(Downloader().time(for: 512 << 20) == .seconds(1_800))
    #expect(Downloader().time(for: .max) == .seconds(1_800))
  }
}
