import ExtensionSandbox
import Foundation
import Glibc
import Testing

@Suite struct StartTests {
  private static let missing: [(SandboxAvailability, String)] = [
    (
      SandboxAvailability(landlockVersion: 0, filter: true, asking: true, closesRanges: true),
      "Landlock"
    ),
    (
      SandboxAvailability(landlockVersion: 7, filter: false, asking: false, closesRanges: true),
      "seccomp"
    ),
    (
      SandboxAvailability(landlockVersion: 7, filter: true, asking: false, closesRanges: true),
      "user notification"
    ),
    (
      SandboxAvailability(landlockVersion: 7, filter: true, asking: true, closesRanges: false),
      "close_range"
    ),
  ]

  @Test(arguments: missing) func missingProtectionIsNamedAndRefused(
    _ availability: SandboxAvailability,
    _ word: String
  ) throws {
    let error = #expect(throws: SandboxError.self) {
      try Workspace().start(["0"], availability: availability)
    }
    #expect(error?.code == .missingProtection)
    #expect(error?.message.contains(word) == true)
    #expect(error?.message.contains(SandboxAvailability.neededKernel) == true)
  }

  @Test func theUserCanTrustOneToRunWithLess() async throws {
    let workspace = try Workspace()
    var profile = workspace.profile()
    profile.missingProtection = .runWithLess
    let availability = SandboxAvailability(
      landlockVersion: 0,
      filter: true,
      asking: true,
      closesRanges: true
    )
    let (status, _) = try await workspace.run(
      ["work"],
      profile: profile,
      availability: availability
    )
    #expect(status == .exited(0))
  }

  /// Older kernels: less is told or done by Landlock, but nothing more is allowed.
  @Test(arguments: [1, 2, 3, 4, 5, 6], [true, false]) func olderKernelsRefuseAsMuch(
    _ version: Int,
    _ asking: Bool
  ) async throws {
    var availability = Sandbox.available()
    // Each by itself: a root of one's own would hide what an older Landlock lets pass.
    availability.namespaces = .none(reason: "for this test")
    try #require(availability.landlockVersion >= version)
    availability.landlockVersion = version
    availability.asking = asking
    let workspace = try Workspace()
    let before = try workspace.state(of: workspace.outside)
    var profile = workspace.profile()
    if !asking { profile.missingProtection = .runWithLess }
    let (status, run) = try await workspace.run(
      ["break-out"],
      profile: profile,
      adding: ["PROBE_PROCESS": "\(getpid())"],
      availability: availability
    )
    #expect(status == .exited(0))
    #expect(run.lines.last == "done")
    // Without asking a program of the bundle may take the place of the first; see the document.
    for attempt in run.attempts where asking || !attempt[0].hasPrefix("execute ") {
      #expect(attempt[2] == "refused", "\(attempt)")
    }
    #expect(try workspace.state(of: workspace.outside) == before)
  }

  @Test func aProgramThatIsNoneIsNamed() throws {
    let workspace = try Workspace()
    func code(_ change: () throws -> Void) throws -> SandboxError? {
      try change()
      return #expect(throws: SandboxError.self) { try workspace.start(["0"]) }
    }
    let path = workspace.program.path(percentEncoded: false)
    let script = try code {
      try Data("#!/bin/sh\n".utf8).write(to: workspace.program)
      unsafe chmod(path, 0o700)
    }
    #expect(script?.code == .executable)
    #expect(script?.message.contains("ELF") == true)
    let notExecutable = try code { unsafe chmod(path, 0o600) }
    #expect(notExecutable?.message.contains("chmod +x") == true)
    let gone = try code { try FileManager.default.removeItem(at: workspace.program) }
    #expect(gone?.message.contains(path) == true)
    let elsewhere = try code {
      try FileManager.default.createSymbolicLink(
        atPath: path,
        withDestinationPath: "/bin/sh"
      )
    }
    #expect(elsewhere?.message.contains("not in the bundle") == true)
  }

  @Test func foldersThatCannotBeGrantedAreNamed() throws {
    let workspace = try Workspace()
    let none = workspace.root.appending(path: "none")
    let file = workspace.outside.appending(path: "secret")
    let within = workspace.bundle.appending(path: "within")
    try FileManager.default.createDirectory(at: within, withIntermediateDirectories: true)
    for folder in [
      none, file, within, workspace.bundle, workspace.root, URL(filePath: "/"),
      URL(filePath: "/usr"),
    ] {
      var profile = workspace.profile()
      profile.readWrite.append(folder)
      let error = #expect(throws: SandboxError.self, "\(folder)") {
        try workspace.start(["0"], profile: profile)
      }
      #expect(error?.code == .folder)
    }
    var profile = workspace.profile()
    profile.readWrite = []
    #expect(throws: SandboxError.self) { try workspace.start(["0"], profile: profile) }
  }

  @Test func descriptorsThatLeadElsewhereAreRefused() throws {
    let workspace = try Workspace()
    let datagram = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let folder = unsafe open("/", O_DIRECTORY)
    defer {
      close(datagram)
      close(folder)
    }
    for descriptor in [datagram, folder, 999_999] {
      let error = #expect(throws: SandboxError.self) {
        try SandboxedProcess.start(
          executable: workspace.program,
          arguments: [],
          environment: [:],
          channel: descriptor,
          output: 2,
          profile: workspace.profile()
        )
      }
      #expect(error?.code == .argument)
    }
  }
}
