import Foundation
import HostTestSupport
import Testing

@testable import ExtensionGallery

/// Who signed, from the package to the host.
@Suite("Who signed, in the commands")
struct IdentityCommandTests {
  private let folder: TemporaryFolder
  private let command: HostProgram
  private let key = SigningKey()
  private let stranger = SigningKey()
  private let identifier = "com.example.blocker"

  init() throws {
    folder = try TemporaryFolder()
    command = HostProgram(home: folder("home"))
  }

  private func sample(_ version: String, groups: [String] = []) -> SampleBundle {
    var sample = SampleBundle(version: version)
    if !groups.isEmpty {
      sample.entitlements = ["com.apple.security.application-groups": groups]
    }
    return sample
  }

  /// Installs a package.
  @discardableResult
  private func install(
    _ sample: SampleBundle,
    _ key: SigningKey,
    rotations: [KeyRotation] = []
  ) throws -> HostProgram.Outcome {
    let file = try sample.package(in: folder, key: key, rotations: rotations)
    return try command.run("install", "--yes", file.path)
  }

  /// Installs an unsigned bundle.
  private func installUnsigned(
    _ sample: SampleBundle,
    _ options: String...
  ) throws -> HostProgram.Outcome {
    let bundle = try sample.write(into: folder("unsigned-\(UUID().uuidString)"))
    return try command.run(["extensions", "install"] + options + [bundle.path])
  }

  /// The host's description of an extension, with runs of spaces collapsed.
  private func state(_ identifier: String = "com.example.blocker") throws -> String {
    try command.run("extensions", "state", identifier).output
      .replacing(#/ +/#, with: " ")
  }

  @Test("Key and version are remembered from installing on, whether it was ever on or not")
  func neverOn() throws {
    #expect(try install(sample("5"), key).status == 0)
    #expect(try command.run("extensions", "remove", identifier).status == 0)
    let other = try install(sample("1"), stranger)
    #expect(other.status == 1 && other.errors.contains("another key"), "\(other.errors)")
    #expect(other.errors.contains("gallery forget"))
    #expect(try install(sample("9"), stranger).status == 1)
    let lower = try install(sample("4"), key)
    #expect(lower.status == 1 && lower.errors.contains("versions never fall"))
    // The same holds after an update that was never started, and after a check for one.
    #expect(try install(sample("5"), key).status == 0)
    #expect(try install(sample("6"), key).status == 0)
    #expect(try command.run("update").status == 0)
    #expect(try command.run("extensions", "go-back", identifier).status == 0)
    #expect(try install(sample("5.5"), key).status == 1)
    #expect(try command.run("extensions", "remove", identifier).status == 0)
    #expect(try install(sample("7"), stranger).status == 1)
    // An identifier in different case is not a way around.
    var twin = sample("7")
    twin.identifier = "com.Example.blocker"
    #expect(try install(twin, stranger).status == 1)
    #expect(try command.run("gallery", "forget", identifier).status == 0)
    #expect(try install(sample("1"), stranger).status == 0)
  }

  @Test("A signed extension that is on is replaced by an unsigned one on an explicit word alone")
  func unsignedOverSigned() throws {
    #expect(try install(sample("5"), key).status == 0)
    #expect(try command.run("extensions", "on", identifier).status == 0)
    let signed = try state()
    #expect(try signed.contains("signed by: \(key.publicKey.fingerprint)"))
    for options in [[], ["--on"], ["--only-newer"]] {
      let bundle = try sample("9").write(into: folder("unsigned-\(options.count)\(options)"))
      let outcome = try command.run(["extensions", "install"] + options + [bundle.path])
      #expect(outcome.status == 1 && outcome.errors.contains("--replace-signed"))
      #expect(outcome.errors.contains("it is then off"))
    }
    #expect(try state() == signed)
    // A list may even have a signed extension's identifier.
    var list = sample("5")
    list.identifier = "list.ads"
    #expect(try install(list, key).status == 0)
    let file = folder("ads.json")
    try Data(SampleBundle().list.utf8).write(to: file)
    #expect(try command.run("extensions", "install", file.path).status == 1)

    #expect(try installUnsigned(sample("5"), "--replace-signed").status == 0)
    #expect(try state().contains("signed by: nobody"))
    #expect(try state().contains("state: off"))
    // It is not mistaken for the signed one of that version, and updates leave it alone.
    #expect(try command.run("update").output.contains("an unsigned bundle has taken the place"))
    #expect(try state().contains("signed by: nobody"))
    #expect(try install(sample("6"), stranger).status == 1)
    #expect(try install(sample("5"), key).output.contains("installed \(identifier) 5"))
    #expect(try state().contains("signed by: \(key.publicKey.fingerprint)"))
  }

  @Test("A group of another developer's is refused to a package, and what was installed stays")
  func groups() throws {
    let group = "group.com.bank.shared"
    var bank = sample("1", groups: [group])
    bank.identifier = "com.bank.blocker"
    #expect(try install(bank, key).status == 0)
    #expect(try install(sample("1", groups: ["group.other"]), stranger).status == 0)
    let update = try install(sample("2", groups: ["group.other", group]), stranger)
    #expect(update.status == 1 && update.errors.contains(group), "\(update.errors)")
    #expect(try update.errors.contains(key.publicKey.fingerprint.description))
    #expect(try state().contains("(1)"))
    // Nothing of the refused version is stored.
    #expect(try install(sample("1.5", groups: ["group.other"]), stranger).status == 0)
    // An unsigned bundle has its own groups, and nobody shares them.
    var own = sample("1", groups: [group])
    own.identifier = "com.own.blocker"
    let unsigned = try installUnsigned(own)
    #expect(unsigned.status == 0 && unsigned.errors.contains("shares data in \(group)"))
    // The developer's new key has the group, and the old one gets nothing new.
    let new = SigningKey()
    bank.version = "2"
    #expect(
      try install(bank, new, rotations: [KeyRotation(from: key, to: new)]).status == 0
    )
    var second = sample("1", groups: [group])
    second.identifier = "com.bank.second"
    #expect(try install(second, key).status == 1)
    #expect(try install(second, new).status == 0)
    #expect(try state("com.bank.second").contains("groups: \(group) (with com.bank.blocker)"))
    #expect(try command.run("extensions", "forget-group", group).status == 1)
  }

  @Test(
    "What an older version installed is its signer's if the files are the package's",
    arguments: [false, true]
  )
  func older(isChanged: Bool) throws {
    let group = "group.com.bank.shared"
    #expect(try install(sample("1", groups: [group]), key).status == 0)
    #expect(try command.run("extensions", "on", identifier).status == 0)
    let data = command.home.appending(path: "data")
    let record = data.appending(path: "Extensions/\(identifier)/Versions.json")
    var values =
      try JSONSerialization.jsonObject(with: Data(contentsOf: record)) as? [String: Any] ?? [:]
    values["signer"] = nil
    try JSONSerialization.data(withJSONObject: values).write(to: record)
    try FileManager.default.removeItem(at: data.appending(path: "GroupOwners.json"))
    try FileManager.default.removeItem(at: data.appending(path: "SignedGroups"))
    try FileManager.default.createDirectory(
      at: data.appending(path: "Groups/\(group)"),
      withIntermediateDirectories: true
    )
    if isChanged {
      let version = try #require(values["current"] as? String)
      let file = "Extensions/\(identifier)/\(version)/My Blocker.appex/blockerList.json"
      try Data("[]".utf8).write(to: data.appending(path: file))
    }
    let state = try state()
    let signer = try isChanged ? "nobody" : key.publicKey.fingerprint.description
    #expect(state.contains("signed by: \(signer)"), "\(state)")
    let fingerprint = try key.publicKey.fingerprint.description
    let place = isChanged ? "Groups/\(group)" : "SignedGroups/\(fingerprint)/\(group)"
    #expect(FileManager.default.fileExists(atPath: data.appending(path: place).path))
  }
}
