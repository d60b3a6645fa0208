import Foundation
import Testing

@testable import CurlTransfers

/// Which curl is started.
struct CurlProgramTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "curl-\(UUID().uuidString)")

  /// Makes a folder with a program of that name.
  private func place(folderMode: Int = 0o755, mode: Int = 0o755) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "curl")
    try Data("#!/bin/sh\n".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    try FileManager.default.setAttributes(
      [.posixPermissions: folderMode],
      ofItemAtPath: folder.path
    )
    return folder.path
  }

  private func refusal(_ folders: [String], _ owner: UInt32 = getuid()) -> String? {
    do {
      _ = try CurlProgram.find(in: folders, ownedBy: owner)
      return nil
    } catch {
      return error.reason == .noCurl ? error.message : "another reason: \(error)"
    }
  }

  @Test func aProgramThatOnlyItsOwnerCanReplaceIsTaken() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = try place()
    #expect(try CurlProgram.find(in: ["/nowhere", place], ownedBy: getuid()) == place + "/curl")
    #expect(refusal([place], getuid() + 1)?.contains("can write to \(place)") == true)
  }

  @Test(arguments: [
    (0o777, 0o755, "can write to"), (0o1777, 0o755, "can write to"), (0o775, 0o755, "can write to"),
    (0o755, 0o777, "can change"), (0o755, 0o775, "can change"), (0o755, 0o644, "is not a program"),
  ])
  func whatOthersCanReplaceIsRefused(_ folderMode: Int, _ mode: Int, _ words: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let message = try #require(refusal([try place(folderMode: folderMode, mode: mode)]))
    #expect(message.contains(words) && message.hasSuffix("curl again (apt: curl)"))
  }

  @Test func aMissingProgramIsSaidWithTheWayOut() throws {
    let message = try #require(refusal(["/nowhere", folder.path]))
    #expect(message.contains("in /nowhere and \(folder.path) alone; install it (apt: curl)"))
  }

  @Test("a curl that PATH names first is never started")
  func pathIsNotSearched() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = try place()
    let mark = folder.appending(path: "mark")
    try Data("#!/bin/sh\ntouch '\(mark.path)'\n".utf8).write(to: folder.appending(path: "curl"))
    let before = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    unsafe setenv("PATH", place + ":" + before, 1)
    defer { unsafe setenv("PATH", before, 1) }
    var request = CurlRequest(address: "http://127.0.0.1:9/", bodyLimit: 1, seconds: 5)
    request.localHost = "127.0.0.1"
    let transfer = CurlTransfer(request)
    await #expect(throws: CurlFailure.self) { _ = try await transfer.run { _ in } }
    #expect(!FileManager.default.fileExists(atPath: mark.path))
  }
}
