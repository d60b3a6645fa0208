import ExtensionMessages
import Foundation
import HostTestSupport
import Testing

@testable import SharedLinks

/// Reading in the sandboxed process gives the same result as reading here, and whatever happens to
/// the process affects only one document.
@Suite("Reading documents in a process of their own")
struct DocumentReaderTests {
  private static let hasCompiler = FileManager.default.isExecutableFile(atPath: "/usr/bin/gcc")

  /// `Programs/bad-reader.c`.
  private static let badReader = Result<URL, any Error> {
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Programs/bad-reader.c")
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "bad-reader-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let compiler = TestProcess()
    compiler.executableURL = URL(filePath: "/usr/bin/gcc")
    let program = folder.appending(path: "bad-reader")
    compiler.arguments = ["-w", "-O1", source.path, "-o", program.path]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0)
    return program
  }

  private func fetched(_ bytes: [UInt8], _ contentType: String = "") -> LinkFetcher.Document {
    LinkFetcher.Document(
      body: bytes,
      contentType: contentType,
      requested: "https://example.org/feed",
      address: "https://example.org/feed",
      isLocal: false
    )
  }

  private func fetched(_ text: String) -> LinkFetcher.Document { fetched(Array(text.utf8)) }

  @Test("what the process reads is what is read here")
  func sameAsHere() async throws {
    let reader = DocumentReader()
    for feed in brokenFeeds {
      let here = try FeedReader.read(
        feed.bytes,
        address: "https://example.org/feed",
        contentType: feed.contentType
      )
      let there = try await reader.feed(
        fetched(feed.bytes, feed.contentType),
        limits: LinkLimits()
      )
      #expect(there == here, "\(feed.testDescription)")
    }
    let json: String =
      #"{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"id":"1","#
      + #""url":"https://e.org/1","title":"One","date_published":"2024-02-03T04:05:06.789Z"}]}"#
    let here = try FeedReader.read(Array(json.utf8), address: "https://example.org/feed")
    let there = try await reader.feed(fetched(json), limits: LinkLimits())
    #expect(there == here)
    #expect(there.entries.first?.date != nil)
  }

  @Test("a subscription list is read as here")
  func subscriptions() async throws {
    let text = """
      <opml><body><outline text="News"><outline text="A" xmlUrl="https://a.org/f" htmlUrl="/x"/>
      </outline><outline xmlUrl="nonsense:"/><outline title="B" xmlUrl="b.org"/></body></opml>
      """
    let list = try await DocumentReader().subscriptions(opml: Array(text.utf8))
    let here = try SubscriptionList(opml: Array(text.utf8))
    #expect(list == here)
    #expect(list.entries.count == 2)
    let error = await #expect(throws: LinkError.self) {
      try await DocumentReader().subscriptions(opml: Array("<html>".utf8))
    }
    #expect(error?.code == .badSubscriptions)
  }

  @Test("a page that names feeds is found out")
  func page() async throws {
    let text = "<html><head><link rel=alternate type=application/rss+xml href=/f title=F></head>"
    guard
      case .page(let head, let error) = try await DocumentReader()
        .feedOrPage(fetched(text), limits: LinkLimits())
    else {
      Issue.record("it is a page")
      return
    }
    #expect(head.feeds.map(\.address) == ["https://example.org/f"])
    #expect(error.code == .notAFeed)
    #expect(error.message.contains("a web page"))
  }

  @Test(
    "what is no feed is refused with the reason",
    arguments: ["", "x", "{", "{\"a\":1}", "<a/>"]
  )
  func refused(_ text: String) async throws {
    let here = #expect(throws: LinkError.self) {
      try FeedReader.read(Array(text.utf8), address: "https://example.org/feed")
    }
    let there = await #expect(throws: LinkError.self) {
      try await DocumentReader.shared.feed(fetched(text), limits: LinkLimits())
    }
    #expect(there == here)
  }

  @Test(
    "a process that is taken over fails its document alone",
    .enabled(if: hasCompiler),
    arguments: [
      ("CRASH", "ended"), ("TRAP", "ended"), ("LEAVE", "ended"), ("HALF", "ended"),
      ("HANG", "did not answer within 3 s"), ("MEMORY", "limit of memory"),
      ("LONG", "exceeds"), ("RUBBISH", "an invalid answer"), ("NOTEXT", "an invalid answer"),
      ("COUNT", "an invalid answer"), ("NEST", "an invalid answer"), ("TWICE", "an invalid answer"),
    ]
  )
  func takenOver(_ word: String, _ reason: String) async throws {
    let reader = DocumentReader(program: try Self.badReader.get(), processes: 1, deadline: 3)
    _ = try await reader.feed(fetched("a good one"), limits: LinkLimits())
    let error = await #expect(throws: LinkError.self) {
      try await reader.feed(fetched(word), limits: LinkLimits())
    }
    // With little memory the C library refuses to give more before the host looks.
    if word == "MEMORY" {
      #expect(error?.code == .notRead)
    } else {
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
    #expect(error?.message.hasPrefix("https://example.org/feed could not be read: ") == true)
    // The next document gets a new process.
    let document = try await reader.feed(fetched("a good one"), limits: LinkLimits())
    #expect(document.entries.map(\.title) == ["an item"])
  }

  @Test("what a process says is not believed", .enabled(if: hasCompiler))
  func lies() async throws {
    let reader = DocumentReader(program: try Self.badReader.get(), deadline: 10)
    let document = try await reader.feed(fetched("LIE"), limits: LinkLimits())
    let entry = try #require(document.entries.first)
    #expect(entry.address == nil)
    #expect(document.iconAddresses.isEmpty)
    for scalar in (entry.title + document.title).unicodeScalars {
      #expect(scalar.value >= 0x20 && scalar.value != 0x202E)
    }
    let many = try await reader.feed(fetched("MANY"), limits: LinkLimits())
    #expect(many.entries.count == LinkLimits().itemsPerDocument)
  }

  @Test("a process that is taken over reaches nothing", .enabled(if: hasCompiler))
  func reaches() async throws {
    let reader = DocumentReader(program: try Self.badReader.get(), deadline: 10)
    // The second document comes when the folder of the first start is gone for certain.
    for _ in 0..<2 {
      let document = try await reader.feed(fetched("REACH"), limits: LinkLimits())
      #expect(document.title == "nothing")
    }
    #expect(reader.startedProcesses == 1)
  }

  @Test("a crash fails one feed of a refresh", .enabled(if: hasCompiler))
  func refresh() async throws {
    let scene = try LinkScene()
    let reader = DocumentReader(program: try Self.badReader.get(), deadline: 10)
    let refresher = LinkRefresher(store: scene.store, transport: scene.transport, reader: reader)
    for number in 0..<6 {
      let address = "https://f\(number).org/"
      scene.transport.on(address, body: number == 3 ? "CRASH" : "a good one")
      _ = try scene.store.subscribe(to: address, now: scene.clock.now)
    }
    let reports = try await refresher.refresh(.all)
    let failed = reports.filter { if case .failed = $0.outcome { true } else { false } }
    #expect(failed.map(\.source.key) == ["https://f3.org/"])
    if case .failed(let sentence) = failed.first?.outcome {
      #expect(sentence.contains("the reader ended"))
    }
    #expect(try scene.store.sources().filter { $0.itemCount == 1 }.count == 5)
  }

  @Test("many documents go through few processes")
  func many() async throws {
    let reader = DocumentReader(processes: 2)
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<100 {
        let document = fetched(rss([Written("\(number)", link: "https://e.org/\(number)")]))
        group.addTask {
          try await reader.feed(document, limits: LinkLimits()).entries.count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(count == 100)
    // No more than one for each so many documents, and the two that are being used.
    #expect(reader.startedProcesses <= 100 / DocumentReader.documentsPerProcess + 2)
  }

  @Test("without a program it says so")
  func missing() async throws {
    let reader = DocumentReader(program: URL(filePath: "/nothing/tickbird-reader"))
    let error = await #expect(throws: LinkError.self) {
      try await reader.feed(fetched("x"), limits: LinkLimits())
    }
    #expect(error?.code == .readerMissing)
    #expect(error?.message.contains("/nothing/tickbird-reader") == true)
  }

  @Test("no document is read in the host's own process")
  func nowhereElse() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let readers = ["FeedReader.read(", "SubscriptionList(opml", "PageHead(page", "XMLEvents.read("]
    var found: Set<String> = []
    for case let file as String in FileManager.default.enumerator(atPath: sources.path) ?? .init()
    where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      let code = text.split(separator: "\n").filter {
        !$0.drop { $0 == " " }.hasPrefix("//")
      }
      if code.contains(where: { line in readers.contains { line.contains($0) } }) {
        found.insert(file)
      }
    }
    #expect(
      found == [
        "SharedLinks/Reading/ReadingRequest.swift", "SharedLinks/Feeds/FeedReader.swift",
        "SharedLinks/Feeds/XMLFeedReader.swift",
        "SharedLinks/Subscriptions/SubscriptionList.swift",
      ]
    )
  }
}
