import Foundation
import Glibc
import Testing

@testable import ExtensionSandbox

@Suite struct GrantTests {
  @Test(arguments: NetworkAccess.allCases) func aRootOfItsOwnHoldsTheGrantsAlone(
    _ network: NetworkAccess
  ) throws {
    let workspace = try Workspace()
    let plan = try workspace.plan(network)
    let root = PrivateRoot(grants: plan.grants, links: plan.links)
    let granted = Dictionary(
      plan.grants.map { ($0.path, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let (readOnly, noExecution): (UInt64, UInt64) = (1, 8)
    var made: Set<String> = []
    for step in root.steps {
      switch step {
      case .bind(let path, let identity, let attributes):
        let grant = try #require(granted[path], "\(path) is bound and not granted")
        #expect(grant.file.identity == identity)
        #expect((attributes & readOnly != 0) == (grant.access != .readAndWrite), "\(path)")
        #expect(grant.access != .readAndWrite || attributes & noExecution != 0, "\(path)")
      case .folder(let path), .file(let path):
        #expect(
          granted.keys.contains { $0.isAtOrBelow(path) }
            || plan.links.contains {
              $0.path.isAtOrBelow(path)
            },
          "\(path) is made for nothing"
        )
        #expect(made.insert(path).inserted, "\(path) is made twice")
      case .link(let link):
        #expect(plan.links.contains(link))
        #expect(made.insert(link.path).inserted, "\(link.path) is made twice")
      }
    }
    // Everything is there but what `/proc` has anyway.
    for path in granted.keys where !path.isAtOrBelow("/proc") {
      #expect(
        root.steps.contains { step in
          if case .bind(let bound, _, _) = step { path.isAtOrBelow(bound) } else { false }
        },
        "\(path) is granted and not there"
      )
    }
  }

  /// Of a folder with libraries only these are granted, and links among them.
  @Test func onlyLibrariesOfARuntimeFolderAreGranted() throws {
    let workspace = try Workspace()
    let folder = workspace.root.appending(path: "runtime")
    let path = folder.path(percentEncoded: false)
    let files = FileManager.default
    try files.createDirectory(
      at: folder.appending(path: "libfolder.so"),
      withIntermediateDirectories: true
    )
    for name in ["libswiftCore.so", "liba.so.1", "notes.txt", "a.so", "libb.a"] {
      try Data("x".utf8).write(to: folder.appending(path: name))
    }
    for (name, target) in [
      ("liba.so", "liba.so.1"), ("libroot.so", "/"), ("libup.so", "../outside/secret"),
      ("libtext.so", "notes.txt"), ("libfull.so", path + "/liba.so.1"), ("libdot.so", ".."),
      ("libloop.so", "libloop.so"),
    ] {
      try files.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
    }
    try #require(unsafe mkfifo(path + "/libpipe.so", 0o600) == 0)
    _ = try DatagramReceiver(at: folder.appending(path: "libs.so"))
    let found = try SystemFiles(
      network: .none,
      runtimeFolders: [path],
      avoiding: WritableFolders()
    )
    let real = try #require(try? files.destinationOrSelf(path))
    let granted = found.grants.keys.filter { $0.hasPrefix(real + "/") }.sorted()
    #expect(granted == [real + "/liba.so.1", real + "/libswiftCore.so"])
    let links = found.links.map(\.path).filter { $0.hasPrefix(real + "/") }.sorted()
    #expect(links == [real + "/liba.so", real + "/libloop.so"])

    // The same folder, where programs write to it or around it.
    for writable in [folder, workspace.root, folder.appending(path: "libfolder.so")] {
      var walk = PathWalk()
      var avoiding = WritableFolders()
      try avoiding.add(walk.find(writable.path(percentEncoded: false)).file)
      let error = #expect(throws: SandboxError.self) {
        try SystemFiles(network: .none, runtimeFolders: [path], avoiding: avoiding)
      }
      #expect(error?.code == .folder)
    }
  }

  /// What is checked stays what is granted, also where its name leads elsewhere by then.
  @Test func aGrantIsAnObjectAndNotAName() async throws {
    let workspace = try Workspace()
    let files = FileManager.default
    let container = workspace.container.path(percentEncoded: false)
    let plan = try workspace.plan(.none)
    let grant = try #require(plan.grants.first { $0.access == .readAndWrite })
    try files.moveItem(atPath: container, toPath: container + "-former")
    try files.createSymbolicLink(atPath: container, withDestinationPath: "/")
    var status = stat()
    try #require(unsafe fstat(grant.file.descriptor, &status) == 0)
    #expect(UInt64(status.st_ino) == grant.file.identity.inode)
    #expect(throws: SandboxError.self) { try workspace.plan(.none) }
  }
}

extension FileManager {
  /// A path without symbolic links.
  func destinationOrSelf(_ path: String) throws -> String {
    var walk = PathWalk()
    return try walk.find(path).file.path
  }
}

extension Workspace {
  /// What a start of the probe would be granted.
  func plan(_ network: NetworkAccess) throws -> LaunchPlan {
    try LaunchPlan(
      executable: program,
      arguments: [],
      environment: [:],
      channel: -1,
      output: 2,
      profile: profile(network),
      limits: ProcessLimits(),
      availability: Sandbox.available()
    )
  }
}
