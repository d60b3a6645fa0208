import CoreServices
import ExtensionMessages
@testable import ExtensionRuntime
import Foundation
import MobileCoreServices
import OSLog
import SafariServices
import SafariServices.SFSafariApplication
import Synchronization
import Testing
import UniformTypeIdentifiers
import os.log
import os.signpost

@testable import os

@Suite("The interface of Apple's frameworks")
struct InterfaceTests {
  @Test("user info is one store with title, text and attachments, and replaces them")
  func userInfoComesFirst() {
    let item = NSExtensionItem()
    #expect(item.userInfo == nil)
    item.attributedTitle = NSAttributedString(string: "T")
    item.attachments = []
    #expect(
      (item.userInfo?[NSExtensionItemAttributedTitleKey] as? NSAttributedString)?.string == "T"
    )
    item.userInfo = ["a": 1]
    #expect(item.attributedTitle == nil)
    #expect(item.attachments == nil)
    item.userInfo = [
      NSExtensionItemAttributedContentTextKey: NSAttributedString(string: "C")
    ]
    #expect(item.attributedContentText?.string == "C")
    let copy = item.copy() as? NSExtensionItem
    item.attributedContentText = nil
    #expect(copy?.attributedContentText?.string == "C")
  }

  @Test("the title is copied when it is set")
  func titleIsCopied() {
    let text = NSMutableAttributedString(string: "before")
    let item = NSExtensionItem()
    item.attributedTitle = text
    text.append(NSAttributedString(string: " after"))
    #expect(item.attributedTitle?.string == "before")
  }

  @Test("a provider of no file is nil, of an unknown extension public.data")
  func contentsOf() throws {
    #expect(NSItemProvider(contentsOf: nil) == nil)
    #expect(NSItemProvider(contentsOf: URL(fileURLWithPath: "/no/such/file.json")) == nil)
    #expect(NSItemProvider(contentsOf: URL(string: "https://example.com/a.json")) == nil)
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).unheard-of")
    try Data("x".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(NSItemProvider(contentsOf: file)?.registeredTypeIdentifiers == ["public.data"])
  }

  @Test("types conform as Apple's do")
  func conformance() {
    let provider = NSItemProvider(item: Data() as any NSSecureCoding, typeIdentifier: "public.json")
    for type in ["public.json", "public.text", "public.data", "public.item", "PUBLIC.JSON"] {
      #expect(provider.hasItemConformingToTypeIdentifier(type), "\(type)")
    }
    #expect(!provider.hasItemConformingToTypeIdentifier("public.image"))
    #expect(UTType(filenameExtension: "JSON") == .json)
    #expect(UTType.png.conforms(to: .image) && !UTType.image.conforms(to: .png))
    #expect(UTType("com.example.unknown") == nil)
    #expect(UTType(mimeType: "text/html")?.preferredFilenameExtension == "html")
    #expect(kUTTypeJSON as String == UTType.json.identifier)
    #expect(UTTypeConformsTo(kUTTypeJSON, kUTTypeText))
  }

  @Test("types conform to earlier ones alone, so that asking ends")
  func tableEnds() {
    var seen: Set<String> = []
    for entry in TypeTable.entries {
      #expect(entry.parents.allSatisfy(seen.contains), "\(entry.identifier)")
      #expect(entry.identifier == entry.identifier.lowercased())
      seen.insert(entry.identifier)
    }
    #expect(seen.count == TypeTable.entries.count)
  }

  @Test("data, strings and files can be had as data; what is not there is an error")
  func loading() async throws {
    let text = NSItemProvider(item: "é" as any NSSecureCoding, typeIdentifier: nil)
    #expect(text.registeredTypeIdentifiers == ["public.utf8-plain-text"])
    let data = await withCheckedContinuation { waiting in
      text.loadDataRepresentation(forTypeIdentifier: "public.text") { data, _ in
        waiting.resume(returning: data)
      }
    }
    #expect(data == Data("é".utf8))
    await #expect(throws: NSError.self) {
      _ = try await text.loadItem(forTypeIdentifier: "public.image")
    }
  }

  @Test("only the first of several answers counts")
  func answersOnce() {
    let count = Mutex(0)
    let context = NSExtensionContext(inputItems: []) { _ in count.withLock { $0 += 1 } }
    context.completeRequest(returningItems: nil)
    context.completeRequest(returningItems: [], completionHandler: nil)
    context.cancelRequest(withError: CocoaError(.fileNoSuchFile))
    #expect(count.withLock { $0 } == 1)
  }

  @Test(
    "anything a message can be is an argument of a format",
    arguments: [
      ("a" as Any, "a"), (NSNull(), "<null>"), (NSNumber(value: 3), "3"),
      (["k": "v"], #"["k": "v"]"#), ([1, 2], "[1, 2]"), (NSString("s"), "s"),
    ].map(Argument.init)
  )
  func variableArguments(argument: Argument) throws {
    let value = try #require(argument.value as? any CVarArg)
    #expect(String(format: "<%@>", value) == "<\(argument.text)>")
    #expect(LogFormatting.text("<%{public}@>", [value]) == "<\(argument.text)>")
  }

  struct Argument: @unchecked Sendable, CustomTestStringConvertible {
    // @unchecked: nobody changes the value.
    let value: Any
    let text: String
    var testDescription: String { text }
  }

  @Test("formats of os_log are filled, whatever the arguments are")
  func formats() {
    #expect(LogFormatting.text("%d%% of %{private}s", [5, "x"]) == "5% of x")
    #expect(LogFormatting.text("%05d|%-4d|%4d", [-42, 7, 7]) == "-0042|7   |   7")
    #expect(
      LogFormatting.text("%.2f %llu %x %lX", [1.005, UInt64.max, 255, 255]).hasSuffix("ff FF")
    )
    #expect(LogFormatting.text("%@", [3]) == "3")
    #expect(LogFormatting.text("%d", ["three"]) == "three")
    #expect(LogFormatting.text("%@ %@", ["one"]) == "one <missing>")
    for bad in ["%", "%{", "%{public", "%.", "%99999999999999999999d", "%q", "%.*f"] {
      _ = LogFormatting.text(bad, [1, 2.5])
      _ = LogFormatting.text(bad, [])
    }
  }

  @Test("messages of a logger hold their values")
  func interpolation() {
    let message: OSLogMessage =
      "a \(1, privacy: .public) \(255, format: .hex(includePrefix: true)) \(0.5, format: .fixed(precision: 1))"
    #expect(message.text == "a 1 0xff 0.5")
    os_log("plain")
    os_log("format %@", log: OSLog.default, type: .info, "x")
    os_log(.debug, "message \(1)")
    Logger().debug("x")
  }

  @Test("locks exclude, signposts are allowed")
  func locksAndSignposts() async {
    let lock = OSAllocatedUnfairLock(initialState: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { lock.withLock { $0 += 1 } } }
    }
    #expect(lock.withLock { $0 } == 100)
    os_signpost(.event, log: .default, name: "event")
    #expect(OSSignposter().withIntervalSignpost("work") { 3 } == 3)
  }

  @Test("errors of SafariServices have Apple's domains and codes, and can be caught by them")
  func errors() throws {
    let error = SFError(.noAttachmentFound) as NSError
    #expect(error.domain == "SFErrorDomain")
    #expect(error.code == 2)
    do {
      throw NSError(domain: SFErrorDomain, code: 1)
    } catch SFError.noExtensionFound {
    } catch {
      Issue.record("\(error)")
    }
    #expect(SFExtensionMessageKey == "message" && SFExtensionProfileKey == "profile")
    #expect(SFContentBlockerErrorDomain == "ContentBlockerErrorDomain")
  }

  @Test("without a host every question is answered with an error")
  func noHost() async {
    await #expect(throws: SFError(.internalError)) {
      try await SFContentBlockerManager.reloadContentBlocker(withIdentifier: "x")
    }
    await #expect(throws: SFError(.internalError)) {
      _ = try await SFSafariExtensionManager.stateOfExtension(withIdentifier: "x")
    }
  }

  @Test("values that are too deep or cannot be sent become null and a note")
  func unsendable() {
    var deep: [Any] = []
    for _ in 0..<300 { deep = [deep] }
    var coding = ValueCoding()
    _ = coding.value(of: deep, at: "a")
    _ = coding.value(of: NSObject(), at: "b")
    _ = coding.members([1: 2], at: "c")
    #expect(coding.notes.count == 3)
    #expect(coding.notes[0].hasPrefix("a[0][0]"))
  }

  @Test("what this process logged can be read again")
  func logStore() throws {
    let before = Date()
    let logger = Logger(subsystem: "com.example.store", category: "tests")
    logger.error("first\nline")
    logger.notice("second")
    let store = try OSLogStore(scope: .currentProcessIdentifier)
    let own = try store.getEntries(at: store.position(date: before))
      .compactMap { $0 as? OSLogEntryLog }.filter { $0.subsystem == "com.example.store" }
    #expect(own.map(\.composedMessage) == ["first\nline", "second"])
    #expect(own.map(\.level) == [.error, .notice])
    let reversed = try store.getEntries(with: .reverse).compactMap { $0 as? OSLogEntryLog }
    let last = reversed.first { $0.subsystem == "com.example.store" }
    #expect(last?.composedMessage == "second")
    let later = store.position(date: Date(timeIntervalSinceNow: 60))
    #expect(Array(try store.getEntries(at: later)).isEmpty)
  }

  @Test("numbers keep their kind")
  func numbers() {
    var coding = ValueCoding()
    let values: [Any] = [
      true, 1, Int8(1), UInt8(200), UInt64.max, 1.5, Float(0.5), NSNumber(false),
    ]
    #expect(
      coding.value(of: values, at: "")
        == .array([
          .bool(true), .integer(1), .integer(1), .integer(200), .double(Double(UInt64.max)),
          .double(1.5), .double(0.5), .bool(false),
        ])
    )
  }

  @Test("JSON can be written to a stream, and failures are reported the old way")
  func jsonStream() {
    let stream = OutputStream(toMemory: ())
    stream.open()
    var error: NSError?
    #expect(unsafe JSONSerialization.writeJSONObject([1], to: stream, error: &error) == 3)
    #expect(error == nil)
  }
}
