import BlockingWork
import ExtensionBundles
import ExtensionMessages
import Foundation
import Testing

@testable import ExtensionHost

@Suite("Whose an application group is")
struct GroupOwnerTests {
  private let group = "group.com.bank.shared"

  private func write(_ text: String, to folder: URL) throws {
    try Data(text.utf8).write(to: folder.appending(path: "session.json"))
  }

  private func read(_ folder: URL) -> String? {
    try? String(contentsOf: folder.appending(path: "session.json"), encoding: .utf8)
  }

  @Test("It belongs to the key that used it first, and nobody else's extension gets it")
  func firstKey() async throws {
    let test = try await TestHost()
    let bank = try TestHost.key("a")
    let first = try await test.add("com.bank.blocker", bank, groups: [group])
    let folder = try await test.groupFolder(group, of: first)
    try write("secret", to: folder)
    // Another key, also with another spelling of the name. It is made here, because Swift 6.3 crashes
    // when it optimizes a closure that makes it and awaits something.
    let stranger = try TestHost.key("b")
    for name in [group, "group.com.BANK.shared", "GROUP.com.bank.shared"] {
      let message = await test.refusal {
        try await test.add("com.other.dev", stranger, groups: [name])
      }
      #expect(message.contains(group) && message.contains(bank.description), "\(message)")
      #expect(message.contains("com.bank.blocker") && message.contains("forget-group"))
    }
    #expect(try await test.host.extensions().count == 1)
    // An unsigned bundle has a group of that name to itself.
    let unsigned = try await test.add("com.own.work", groups: [group])
    let other = try await test.groupFolder(group, of: unsigned)
    #expect(other.path != folder.path && read(other) == nil)
    // The developer's second extension shares it, and a name that begins alike is another group.
    let second = try await test.add("com.bank.notes", bank, groups: [group])
    #expect(try await read(test.groupFolder(group, of: second)) == "secret")
    let third = try await test.add("com.other.dev", TestHost.key("b"), groups: [group + ".more"])
    #expect(try await read(test.groupFolder(group + ".more", of: third)) == nil)
    // A second spelling in one bundle is not a second group.
    let twice = await test.refusal {
      try await test.add("com.bank.third", bank, groups: [group, "group.com.bank.Shared"])
    }
    #expect(twice.contains("letters' case"), "\(twice)")
  }

  @Test("An extension that was replaced behind the host's back is refused when it is started")
  func atStart() async throws {
    let test = try await TestHost()
    try await test.add("com.bank.blocker", TestHost.key("a"), groups: [group])
    var other = try await test.add("com.other.dev", TestHost.key("b"), groups: ["group.other"])
    let bundle = try test.bundle("com.other.dev", groups: [group])
    try FileManager.default.removeItem(at: other.location.appending(path: "Entitlements.plist"))
    try FileManager.default.copyItem(
      at: bundle.appending(path: "Entitlements.plist"),
      to: other.location.appending(path: "Entitlements.plist")
    )
    other = try #require(try test.host.bundles.bundle("com.other.dev"))
    let message = await test.refusal {
      do throws(HostError) { return try await test.host.groups(of: other).count } catch {
        throw error.report
      }
    }
    #expect(message.contains("belongs to another developer"), "\(message)")
  }

  @Test("Removing and reinstalling by another key inherits nothing; forgetting is the way out")
  func removal() async throws {
    let test = try await TestHost()
    let first = try await test.add("com.bank.blocker", TestHost.key("a"), groups: [group])
    try write("secret", to: try await test.groupFolder(group, of: first))
    #expect(await test.refusal { try await test.host.forgetGroup(group, isUnsigned: false) } != "")
    try await test.host.remove("com.bank.blocker")
    let stranger = try TestHost.key("b")
    #expect(
      await test.refusal { try await test.add("com.bank.blocker", stranger, groups: [group]) } != ""
    )
    // Its own developer has the data again.
    let again = try await test.add("com.bank.blocker", TestHost.key("a"), groups: [group])
    #expect(try await read(test.groupFolder(group, of: again)) == "secret")
    try await test.host.remove("com.bank.blocker")
    try await test.host.forgetGroup(group.uppercased(), isUnsigned: false)
    let other = try await test.add("com.other.dev", stranger, groups: [group])
    #expect(try await read(test.groupFolder(group, of: other)) == nil)
    #expect(
      await test.refusal { try await test.host.forgetGroup("group.none", isUnsigned: true) } != ""
    )
  }

  @Test("A rotation keeps the group, and the key that was replaced gets nothing new of it")
  func rotation() async throws {
    let test = try await TestHost()
    let (old, new) = (try TestHost.key("a"), try TestHost.key("b", replacing: ["a"]))
    let first = try await test.add("com.bank.blocker", old, groups: [group])
    try await test.add("com.bank.notes", old, groups: [group])
    try write("secret", to: try await test.groupFolder(group, of: first))
    try await test.host.turnOn("com.bank.blocker")
    let rotated = try await test.add("com.bank.blocker", new, version: "2", groups: [group])
    #expect(try await read(test.groupFolder(group, of: rotated)) == "secret")
    #expect(try await test.host.isOn("com.bank.blocker"))
    // What is not updated yet goes on, a new one of the old key does not begin.
    let notes = try #require(try test.host.bundles.bundle("com.bank.notes"))
    #expect(try await read(test.groupFolder(group, of: notes)) == "secret")
    #expect(
      await test.refusal { try await test.add("com.bank.evil", old, groups: [group]) } != ""
    )
    // Nor one of a removed extension's identifier.
    try await test.host.remove("com.bank.notes")
    #expect(
      await test.refusal { try await test.add("com.bank.notes", old, groups: [group]) } != ""
    )
    // Nor does the old key take the new one's extension.
    #expect(
      await test.refusal { try await test.add("com.bank.blocker", old, version: "3") } != ""
    )
    // Going back is the developer's own version, with its data.
    let back = try await test.host.goBack("com.bank.blocker")
    #expect(try await read(test.groupFolder(group, of: back)) == "secret")
    #expect(try await test.host.isOn("com.bank.blocker"))
  }

  @Test("An update that adds a stranger's group leaves the version before in its place")
  func updateAddsGroup() async throws {
    let test = try await TestHost()
    try await test.add("com.bank.blocker", TestHost.key("a"), groups: [group])
    let stranger = try TestHost.key("b")
    try await test.add("com.other.dev", stranger, groups: ["group.com.other"])
    let message = await test.refusal {
      try await test.add(
        "com.other.dev",
        stranger,
        version: "2",
        groups: ["group.com.other", group]
      )
    }
    #expect(message.contains(group))
    #expect(try test.host.bundles.bundle("com.other.dev")?.version.description == "1")
  }

  @Test("Unsigned extensions share a group when the user says so, and only then")
  func unsigned() async throws {
    let test = try await TestHost()
    let first = try await test.add("com.own.blocker", groups: [group])
    try write("mine", to: try await test.groupFolder(group, of: first))
    let message = await test.refusal { try await test.add("com.own.notes", groups: [group]) }
    #expect(message.contains("--share-groups") && message.contains("com.own.blocker"))
    let consent = InstallConsent(sharesGroups: true)
    let second = try await test.add("com.own.notes", groups: [group], consent: consent)
    #expect(try await read(test.groupFolder(group, of: second)) == "mine")
    #expect(
      try await test.host.summary(of: "com.own.notes").sharers == [group: ["com.own.blocker"]]
    )
    // It was said, and holds for the next build.
    try await test.add("com.own.notes", version: "2", groups: [group])
    // Not for one that is removed, which somebody else's bundle may imitate.
    try await test.host.remove("com.own.notes")
    #expect(await test.refusal { try await test.add("com.own.notes", groups: [group]) } != "")
    // The last one's data are nobody else's, installed or not.
    try await test.host.remove("com.own.blocker")
    #expect(await test.refusal { try await test.add("com.evil", groups: [group]) } != "")
    let again = try await test.add("com.own.blocker", groups: [group])
    #expect(try await read(test.groupFolder(group, of: again)) == "mine")
  }

  @Test("A signed extension does not get what an unsigned one kept, nor the other way round")
  func crossing() async throws {
    let test = try await TestHost()
    let unsigned = try await test.add("com.bank.blocker", groups: [group])
    try write("prepared", to: try await test.groupFolder(group, of: unsigned))
    let signed = try await test.add("com.bank.blocker", TestHost.key("a"), groups: [group])
    let folder = try await test.groupFolder(group, of: signed)
    #expect(read(folder) == nil)
    try write("secret", to: folder)
    let consent = InstallConsent(replacesSigned: true)
    let back = try await test.add("com.bank.blocker", groups: [group], consent: consent)
    #expect(try await read(test.groupFolder(group, of: back)) == "prepared")
  }

  @Test("Records that are damaged give nobody anything")
  func damaged() async throws {
    let test = try await TestHost()
    try await test.add("com.bank.blocker", TestHost.key("a"), groups: [group])
    let file = test.data.appending(path: "GroupOwners.json")
    let stranger = try TestHost.key("b")
    for text in ["", "{}", "{\"format\":2}", "{\"format\":1,\"signed\":{}}"] {
      try Data(text.utf8).write(to: file)
      let message = await test.refusal {
        try await test.add("com.other.dev", stranger, groups: [group])
      }
      #expect(message.contains("GroupOwners.json"), "\(message)")
    }
  }

  /// Who signed the extensions that name an old group, and where its data are afterwards.
  static let older: [(signers: [Character], place: String?)] = [
    (["a"], "SignedGroups/a"), (["a", "a"], "SignedGroups/a"), (["-"], "Groups"),
    (["-", "-"], "Groups"), (["a", "b"], nil), (["a", "-"], nil), ([], nil),
  ]

  @Test("Groups of an older version go to whom they can be shown to belong to", arguments: older)
  func adoption(signers: [Character], place: String?) async throws {
    let folder = try TemporaryFolder()
    let identifiers = signers.indices.map { "com.example.e\($0)" }
    do {
      let test = try await TestHost(folder: folder)
      for identifier in identifiers {
        try await test.add(identifier, groups: ["group.x\(identifier)"])
      }
      // As an older version had it: all of them in one group.
      for identifier in identifiers {
        let bundle = try #require(try test.host.bundles.bundle(identifier))
        try SampleExtensions.write(
          ["com.apple.security.application-groups": [group]],
          to: bundle.location.appending(path: "Entitlements.plist")
        )
        try FileManager.default.removeItem(
          at: test.data.appending(path: "Groups/group.x\(identifier)")
        )
      }
      let old = test.data.appending(path: "Groups/\(group)")
      try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
      try write("old", to: old)
      try test.forgetSigners()
    }
    let known = try Dictionary(
      uniqueKeysWithValues: zip(
        identifiers,
        signers.map { try $0 == "-" ? Signer.unsigned : TestHost.key($0) }
      )
    )
    let data = folder.url.appending(path: "data")
    let host = try await blocking {
      try AppExtensionHost(
        data: data,
        launcher: PlainLauncher(),
        holder: "a test",
        waiting: 60,
        olderSigner: { identifier, _ in known[identifier] ?? .unsigned }
      )
    }
    _ = await host.start()
    let test = TestHost(folder: folder, host: host)
    for (identifier, signer) in known {
      let bundle = try #require(try host.bundles.bundle(identifier))
      #expect(bundle.signer == signer)
      // With a mixed past the first one may begin the group again, without the old data.
      guard place != nil else { continue }
      #expect(try await read(test.groupFolder(group, of: bundle)) == "old")
    }
    switch place {
    case nil:
      #expect(read(data.appending(path: "UnownedGroups/\(group)")) == "old")
      #expect(await host.adoptions.contains { $0.contains("put aside") })
      let next = try await test.add("com.new", TestHost.key("c"), groups: [group])
      #expect(try await read(test.groupFolder(group, of: next)) == nil)
    case "Groups":
      #expect(read(data.appending(path: "Groups/\(group)")) == "old")
    default:
      let fingerprint = try TestHost.key("a").description
      #expect(read(data.appending(path: "SignedGroups/\(fingerprint)/\(group)")) == "old")
    }
  }

  @Test("As long as it is not known who signed, an older version's groups are nobody's")
  func adoptionFails() async throws {
    let folder = try TemporaryFolder()
    do {
      let test = try await TestHost(folder: folder)
      try await test.add("com.bank.blocker", TestHost.key("a"), groups: [group])
      try test.forgetSigners()
    }
    let data = folder.url.appending(path: "data")
    let host = try await blocking {
      try AppExtensionHost(
        data: data,
        launcher: PlainLauncher(),
        holder: "a test",
        waiting: 60,
        olderSigner: { _, _ throws(HostError) in throw HostError(.file, "State.json is damaged") }
      )
    }
    _ = await host.start()
    #expect(await host.adoptions == ["State.json is damaged"])
    let test = TestHost(folder: folder, host: host)
    let stranger = try TestHost.key("b")
    #expect(
      await test.refusal { try await test.add("com.evil", stranger, groups: [group]) }
        != ""
    )
    #expect(await test.refusal { try await test.add("com.bank.blocker") } != "")
  }
}
