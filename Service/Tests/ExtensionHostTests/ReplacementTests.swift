import ContentBlocking
import ExtensionBundles
import ExtensionMessages
import Foundation
import Testing

@testable import ExtensionHost

@Suite("Which bundle takes a signed one's place")
struct ReplacementTests {
  private let identifier = "com.good.ext"
  private let consent = InstallConsent(replacesSigned: true)

  /// A signed extension that is on, with something in its container.
  private func prepared() async throws -> TestHost {
    let test = try await TestHost()
    try await test.add(identifier, TestHost.key("a"), version: "5", isWeb: true)
    try await test.host.turnOn(identifier)
    try await test.host.setNetworkGranted(true, to: identifier)
    try await test.host.setContentBlocker(.string(rules("mine")), of: identifier)
    _ = try await test.host.containers.prepare(identifier, groups: [:])
    try Data("secret".utf8).write(to: kept(test))
    return test
  }

  private func kept(_ test: TestHost) -> URL {
    test.data.appending(path: "Containers/\(identifier)/Documents/kept")
  }

  @Test("Neither an unsigned bundle nor another key's does so without the user's word")
  func refused() async throws {
    let test = try await prepared()
    for signer in [Signer.unsigned, try TestHost.key("b"), try TestHost.key("b", replacing: ["c"])]
    {
      for version in ["1", "5", "99"] {
        let message = await test.refusal {
          try await test.add(identifier, signer, version: version, isWeb: true)
        }
        #expect(message.contains("--replace-signed"), "\(message)")
        #expect(message.contains("off") && message.contains("not handed over"))
      }
    }
    // Nor does a list that claims the identifier.
    let list = test.folder.url.appending(path: "list.json")
    try Data(rules("x").utf8).write(to: list)
    let made = try ListBundle.make(
      list,
      identifier: identifier,
      in: test.folder.url.appending(path: "made")
    )
    #expect(await test.refusal { try await test.host.install(made) } != "")
    #expect(try test.host.bundles.bundle(identifier)?.version.description == "5")
    #expect(try await test.host.isOn(identifier))
    #expect(FileManager.default.fileExists(atPath: kept(test).path))
  }

  @Test(
    "With the user's word it is off, and has nothing of the one before",
    arguments: [false, true]
  )
  func replaced(byKey: Bool) async throws {
    let test = try await prepared()
    let signer = byKey ? try TestHost.key("b") : .unsigned
    try await test.add(identifier, signer, isWeb: true, consent: consent)
    let summary = try await test.host.summary(of: identifier)
    #expect(!summary.state.isOn && !summary.state.isNetworkGranted && !summary.allowsNetwork)
    #expect(summary.state.listDate == nil && !summary.hasListInForce)
    #expect(!FileManager.default.fileExists(atPath: kept(test).path))
    #expect(try ListsInForce(data: test.data).files().isEmpty)
    // And it is replaced by the next build without another word.
    try await test.add(identifier, signer, version: "2", isWeb: true)
  }

  @Test("Where the list of the one before cannot be removed, the new one is not turned on with it")
  func keptList() async throws {
    let test = try await prepared()
    let lists = await test.host.lists
    let file = try #require(lists.file(forIdentifier: identifier))
    try FileManager.default.removeItem(at: file)
    // What cannot be removed as a file is.
    try FileManager.default.createDirectory(
      at: file.appending(path: "full"),
      withIntermediateDirectories: true
    )
    let message = await test.refusal {
      try await test.add(identifier, isWeb: true, consent: consent)
    }
    #expect(message.contains("the compiled list \(identifier) cannot be removed"), "\(message)")
    #expect(try await !test.host.isOn(identifier))
    try FileManager.default.removeItem(at: file)
    try await test.host.turnOn(identifier)
    #expect(try await test.host.isOn(identifier))
  }

  @Test("Where nobody knows who signed it, a bundle gets the data with leave, and is off")
  func unknownSigner() async throws {
    for (signer, isState) in [(try TestHost.key("a"), false), (.unsigned, true)] {
      let test = try await prepared()
      let state = test.data.appending(path: "States/\(identifier).json")
      func lose() throws {
        let record = test.data.appending(path: "Extensions/\(identifier)/Versions.json")
        try Data("{".utf8).write(to: record)
        // Damaged, or gone.
        if isState {
          try Data("{".utf8).write(to: state)
        } else {
          try? FileManager.default.removeItem(at: state)
          try? FileManager.default.removeItem(at: test.data.appending(path: "States.filled"))
        }
      }
      try lose()
      // Nor does what was installed, byte by byte: anybody may have a copy of it.
      for version in ["5", "6"] {
        let message = await test.refusal {
          try await test.add(identifier, signer, version: version, isWeb: true)
        }
        #expect(message.contains("--keep-data"), "\(message)")
        #expect(FileManager.default.fileExists(atPath: kept(test).path))
      }
      let leave = InstallConsent(keepsData: true)
      try await test.add(identifier, signer, version: "7", isWeb: true, consent: leave)
      let summary = try await test.host.summary(of: identifier)
      #expect(!summary.state.isOn && !summary.state.isNetworkGranted && !summary.hasListInForce)
      try await test.host.turnOn(identifier)
      #expect(FileManager.default.fileExists(atPath: kept(test).path))
      // It is no leave to take what is another developer's.
      let other = await test.refusal {
        try await test.add(identifier, TestHost.key("b"), isWeb: true, consent: leave)
      }
      #expect(signer.isUnsigned || other.contains("is signed by"), "\(other)")
    }
  }

  @Test("Going back crosses from a signed version to an unsigned one on the user's word alone")
  func goingBack() async throws {
    let test = try await TestHost()
    try await test.add(identifier, version: "1", isWeb: true)
    try await test.host.turnOn(identifier)
    try await test.add(identifier, TestHost.key("a"), version: "2", isWeb: true)
    #expect(try await !test.host.isOn(identifier))
    #expect(await test.refusal { try await test.host.goBack(identifier) } != "")
    let back = try await test.host.goBack(identifier, consent: consent)
    #expect(back.version.description == "1" && back.signer == .unsigned)
    #expect(try await !test.host.isOn(identifier))
  }

  @Test("What cannot be read is not taken for unsigned")
  func damaged() async throws {
    let test = try await prepared()
    let record = test.data.appending(path: "Extensions/\(identifier)/Versions.json")
    try Data("{".utf8).write(to: record)
    #expect(await test.refusal { try await test.add(identifier, isWeb: true) } != "")
    try await test.add(identifier, TestHost.key("a"), version: "6", isWeb: true)
    #expect(try await test.host.isOn(identifier))
    // Neither is one whose bundle alone is gone.
    let bundle = try #require(try test.host.bundles.bundle(identifier))
    try FileManager.default.removeItem(at: bundle.location)
    #expect(await test.refusal { try await test.add(identifier, isWeb: true) } != "")
  }

  @Test(
    "What is damaged is turned off and removed all the same, and kept data stay until then",
    arguments: ["record", "version", "information"]
  )
  func damagedAndUnwanted(what: String) async throws {
    let test = try await prepared()
    let bundle = try #require(try test.host.bundles.bundle(identifier)).location
    let version = bundle.deletingLastPathComponent()
    switch what {
    case "record":
      try Data().write(to: version.deletingLastPathComponent().appending(path: "Versions.json"))
    case "version": try FileManager.default.removeItem(at: version)
    default: try Data().write(to: bundle.appending(path: "Info.plist"))
    }
    #expect(await test.refusal { try await test.host.turnOn(identifier) } != "")
    try await test.host.turnOff(identifier)
    #expect(FileManager.default.fileExists(atPath: kept(test).path))
    // Its developer's own bundle mends it.
    try await test.add(identifier, TestHost.key("a"), version: "6", isWeb: true)
    #expect(try await !test.host.isOn(identifier))
    #expect(FileManager.default.fileExists(atPath: kept(test).path))
    let again = try #require(try test.host.bundles.bundle(identifier)).location
    try FileManager.default.removeItem(at: again.deletingLastPathComponent())
    try FileManager.default.removeItem(at: test.data.appending(path: "Containers/\(identifier)"))
    try await test.host.remove(identifier)
    #expect(try !test.host.bundles.has(identifier))
    #expect(await test.refusal { try await test.host.remove(identifier) } != "")
  }

  @Test(
    "An identifier in other letters is not a second extension",
    arguments: ["com.GOOD.ext", "Com.good.Ext"]
  )
  func letters(twin: String) async throws {
    let test = try await prepared()
    #expect(await test.refusal { try await test.add(twin, consent: consent) }.contains("case"))
    // Unicode's variants are no identifiers at all.
    for odd in [
      "com.good.ext\u{200B}", "com.goo\u{0501}.ext", "com.good.e\u{0445}t", "com.\u{212A}.x",
    ] {
      #expect(await test.refusal { try await test.add(odd, consent: consent) } != "", "\(odd)")
    }
  }

  @Test("A replacement that was cut short hands nothing over either")
  func cutShort() async throws {
    let test = try await prepared()
    // The moment after another developer's bundle came into its place, and before anything else.
    let file = try test.bundle(identifier, version: "6", isWeb: true)
    try test.host.bundles.install(file, signedBy: TestHost.key("b"))
    #expect(try await !test.host.isOn(identifier))
    #expect(try ListsInForce(data: test.data).files().isEmpty)
    #expect(try await test.host.summary(of: identifier).allowsNetwork == false)
    try await test.host.turnOn(identifier)
    #expect(!FileManager.default.fileExists(atPath: kept(test).path))
    #expect(try await test.host.summary(of: identifier).state.listDate == nil)
  }

  @Test("A container that a removal left is not the next extension's")
  func leftContainer() async throws {
    let test = try await prepared()
    let container = test.data.appending(path: "Containers/\(identifier)")
    let aside = test.folder.url.appending(path: "aside")
    try FileManager.default.copyItem(at: container, to: aside)
    try await test.host.remove(identifier)
    try FileManager.default.moveItem(at: aside, to: container)
    try await test.add(identifier, TestHost.key("b"), isWeb: true)
    // Also when the host is started again before anything is decided about the new one.
    _ = await test.host.start()
    try await test.host.turnOn(identifier)
    #expect(!FileManager.default.fileExists(atPath: kept(test).path))
  }
}
