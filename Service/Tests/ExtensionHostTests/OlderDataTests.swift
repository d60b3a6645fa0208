import BlockingWork
import Foundation
import Testing

@testable import ExtensionHost

/// What a version left that recorded no signers.
@Suite("The data of an older version")
struct OlderDataTests {
  private let identifier = "com.good.ext"

  private func kept(_ data: URL) -> URL {
    data.appending(path: "Containers/\(identifier)/Documents/kept")
  }

  /// Leaves the data of an extension that is on, without records of who signed it.
  private func prepare(_ folder: TemporaryFolder) async throws {
    let test = try await TestHost(folder: folder)
    try await test.add(identifier, TestHost.key("a"))
    try await test.host.turnOn(identifier)
    _ = try await test.host.containers.prepare(identifier, groups: [:])
    try Data("mine".utf8).write(to: kept(test.data))
    try test.forgetSigners()
  }

  /// Starts a host as a later version does.
  private func start(
    _ folder: TemporaryFolder,
    _ lookUp: @escaping SignerLookUp
  ) async throws -> TestHost {
    let data = folder.url.appending(path: "data")
    let host = try await blocking {
      try AppExtensionHost(
        data: data,
        launcher: PlainLauncher(),
        holder: "a test",
        waiting: 60,
        olderSigner: lookUp
      )
    }
    _ = await host.start()
    return TestHost(folder: folder, host: host)
  }

  enum Change: CaseIterable { case reload, off, network, fail }

  @Test(
    "Nothing of it is lost as long as it cannot be found out who signed",
    arguments: Change.allCases
  )
  func unknownSigner(change: Change) async throws {
    let folder = try TemporaryFolder()
    try await prepare(folder)
    do {
      let test = try await start(folder) { _, _ throws(HostError) in
        throw HostError(.file, "State.json is damaged")
      }
      switch change {
      case .reload: try await test.host.reload(identifier)
      case .off: try await test.host.turnOff(identifier)
      case .network: try await test.host.setNetworkGranted(true, to: identifier)
      case .fail:
        let bundle = try #require(try test.host.bundles.bundle(identifier))
        let list = bundle.location.appending(path: InstalledBundle.listName)
        let good = try Data(contentsOf: list)
        try Data("[".utf8).write(to: list)
        await #expect(throws: (any Error).self) { try await test.host.reload(identifier) }
        try good.write(to: list)
      }
      #expect(try String(contentsOf: kept(test.data), encoding: .utf8) == "mine")
      #expect(try await test.host.isOn(identifier) == (change != .off))
      // Who signed by another key, or not at all, still gets nothing of it.
      for signer in [Signer.unsigned, try TestHost.key("b")] {
        #expect(await test.refusal { try await test.add(identifier, signer, version: "9") } != "")
      }
    }
    let key = try TestHost.key("a")
    let test = try await start(folder) { _, _ in key }
    #expect(try test.host.bundles.bundle(identifier)?.signer == key)
    try await test.host.turnOn(identifier)
    #expect(try String(contentsOf: kept(test.data), encoding: .utf8) == "mine")
    let summary = try await test.host.summary(of: identifier)
    #expect(summary.state.owner == key)
    #expect(summary.state.isNetworkGranted == (change == .network))
  }

  @Test("Another developer's extension that takes its place by force gets nothing of it")
  func forced() async throws {
    let folder = try TemporaryFolder()
    try await prepare(folder)
    let test = try await start(folder) { _, _ throws(HostError) in
      throw HostError(.file, "State.json is damaged")
    }
    let consent = InstallConsent(replacesSigned: true)
    try await test.add(identifier, TestHost.key("b"), version: "2", consent: consent)
    try await test.host.turnOn(identifier)
    #expect(!FileManager.default.fileExists(atPath: kept(test.data).path))
    // The version before, of which nobody knows who signed it, does not come back without a word.
    let message = await test.refusal { try await test.host.goBack(identifier) }
    #expect(message.contains("--replace-signed"), "\(message)")
  }

  @Test(
    "What lies among the containers, or where a link leads that stands for them, is not removed"
  )
  func others() async throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    let (data, disk) = (folder.url.appending(path: "data"), folder.url.appending(path: "disk"))
    let other = disk.appending(path: "photos/one")
    try files.createDirectory(
      at: other.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try files.createDirectory(at: data, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: other)
    try files.createSymbolicLink(at: data.appending(path: "Containers"), withDestinationURL: disk)
    try await prepare(folder)
    // As where the extensions are not restored, the containers are, and the user begins without the others.
    for name in ["Extensions", "States"] {
      try files.removeItem(at: data.appending(path: name))
      try files.removeItem(at: data.appending(path: name + ".filled"))
    }
    let test = try await start(folder) { _, _ in .unsigned }
    #expect(try String(contentsOf: other, encoding: .utf8) == "mine")
    #expect(try String(contentsOf: kept(data), encoding: .utf8) == "mine")
    #expect(
      files.fileExists(atPath: data.appending(path: "Lists/ContentRuleList-\(identifier)").path)
    )
    // Another one of that name gets nothing of it.
    try await test.add(identifier, TestHost.key("b"))
    try await test.host.turnOn(identifier)
    #expect(!files.fileExists(atPath: kept(data).path))
    #expect(files.fileExists(atPath: other.path))
  }

  @Test(
    "Where the state is gone, the container of what stayed installed is not",
    arguments: [false, true]
  )
  func lostState(isReplaced: Bool) async throws {
    let test = try await TestHost()
    try await test.add(identifier, TestHost.key("a"))
    try await test.host.turnOn(identifier)
    _ = try await test.host.containers.prepare(identifier, groups: [:])
    try Data("mine".utf8).write(to: kept(test.data))
    try FileManager.default.removeItem(at: test.data.appending(path: "States/\(identifier).json"))
    try FileManager.default.removeItem(at: test.data.appending(path: "States.filled"))
    if isReplaced {
      let consent = InstallConsent(replacesSigned: true)
      try await test.add(identifier, TestHost.key("b"), version: "2", consent: consent)
    } else {
      try await test.host.turnOff(identifier)
      try await test.add(identifier, TestHost.key("a"), version: "2")
    }
    try await test.host.turnOn(identifier)
    #expect(FileManager.default.fileExists(atPath: kept(test.data).path) == !isReplaced)
  }
}
