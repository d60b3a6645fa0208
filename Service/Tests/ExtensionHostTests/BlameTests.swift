import DurableFiles
import ExtensionMessages
import Foundation
import Testing

@testable import ContentBlocking
@testable import ExtensionHost

@Suite("What is held against an extension, and what is not")
struct BlameTests {
  private let blocker = "com.example.blocker"

  private func failure(_ body: () async throws -> Void) async throws -> ErrorReport {
    try await #require(throws: ErrorReport.self) { try await body() }
  }

  @Test(
    "The host's failures, the disk's and the user's are nobody's; a bad list is the extension's"
  )
  func kinds() {
    let ofHost: [ErrorReport] = [
      HostError(.file, "x").report, HostError(FileFailure("x", "read", EIO)).report,
      .internalError("x"), .interrupted("x"), .noExtensionFound("x"),
      ErrorReport(.noHost, "x"),
      ErrorReport(RuleListStoreError(code: .compileFailed, message: "x", isOfSystem: true)),
    ]
    for report in ofHost { #expect(report.isOfHost, "\(report)") }
    let ofExtension: [ErrorReport] = [
      .loadingInterrupted("x"), .noAttachmentFound("x"),
      ErrorReport(RuleListStoreError(code: .compileFailed, message: "x")),
      ErrorReport(domain: "SFErrorDomain", code: 0, description: "x"),
      ErrorReport(domain: "NSCocoaErrorDomain", code: 4097, description: "x"),
    ]
    for report in ofExtension { #expect(!report.isOfHost, "\(report)") }
  }

  @Test(
    "A list that is not there, or is none, is the extension's; one that the disk keeps is not",
    arguments: [
      (ENOENT, true), (EISDIR, true), (EFBIG, true), (ELOOP, true), (EIO, false), (EMFILE, false),
      (ENFILE, false), (EACCES, false), (ENOMEM, false), (ESTALE, false),
    ]
  )
  func errors(number: Int32, isAboutFile: Bool) {
    #expect(FileFailure("x", "read", number).isAboutFile == isAboutFile)
  }

  @Test("A state that cannot be read now is not replaced; a damaged one is")
  func unreadableState() async throws {
    let test = try await TestHost()
    try await test.install(.list(rules("ads")))
    let state = test.data.appending(path: "States/\(blocker).json")
    let kept = test.data.appending(path: "kept.json")
    try FileManager.default.moveItem(at: state, to: kept)
    // As little to be read as on a disk that fails: it may be on one that is away.
    let away = test.data.appending(path: "disk/state.json")
    try FileManager.default.createSymbolicLink(at: state, withDestinationURL: away)
    #expect(try await failure { try await test.host.turnOff(blocker) }.isOfHost)
    #expect(try await failure { try await test.host.reload(blocker) }.isOfHost)
    try FileManager.default.removeItem(at: state)
    try FileManager.default.moveItem(at: kept, to: state)
    #expect(try await test.host.summary(of: blocker).state.isOn)
    try Data("rubbish".utf8).write(to: state)
    try await test.host.turnOn(blocker)
    #expect(try await test.host.summary(of: blocker).state.isOn)
  }

  @Test(
    "A program that is none is the extension's, so that its version is put back",
    .enabled(if: TestHost.hasSandbox),
    arguments: ["#!/bin/sh\n", "", "\u{7F}ELF"]
  )
  func badProgram(text: String) async throws {
    let test = try await TestHost(launcher: SandboxedLauncher())
    let description = SampleExtensions.Description.list(rules("ads"))
    let bundle = try await SampleExtensions.make(description, in: test.folder.url)
    let program = bundle.appending(path: "Program")
    try Data(text.utf8).write(to: program)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    let plist = bundle.appending(path: "Info.plist")
    let values = try unsafe PropertyListSerialization.propertyList(
      from: Data(contentsOf: plist),
      format: nil
    )
    var information = try #require(values as? [String: Any])
    information["CFBundleExecutable"] = "Program"
    try SampleExtensions.write(information, to: plist)
    try await test.host.install(bundle)
    let error = try await failure { try await test.host.turnOn(blocker) }
    #expect(!error.isOfHost && error.description.contains("Program is not"), "\(error)")
  }

  @Test("A compiled list that cannot be kept is the host's failure, and says so")
  func unwritableList() async throws {
    let test = try await TestHost()
    try await test.install(.list(rules("ads")))
    let lists = test.data.appending(path: "Lists")
    try FileManager.default.removeItem(at: lists)
    try Data().write(to: lists)
    let error = try await failure { try await test.host.reload(blocker) }
    #expect(error.isOfHost && error.description.contains("cannot be written"), "\(error)")
  }
}
