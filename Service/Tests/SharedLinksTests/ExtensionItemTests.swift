import ExtensionMessages
import Foundation
import Synchronization
import Testing

@testable import SharedLinks

/// A host with one extension, whose answer a test sets.
private final class TestHost: ExtensionLinkSource {
  let answer = Mutex<Result<[ExtensionItem]?, LinkError>>(.success(nil))
  let isOn = Mutex(true)
  let told = Mutex<[String]>([])

  func linkExtensions() async throws -> [LinkExtension] {
    isOn.withLock { $0 }
      ? [LinkExtension(identifier: "org.example.app", displayName: "App", icon: tinyPNG)] : []
  }

  func items(of identifier: String) async throws -> [ExtensionItem]? {
    try answer.withLock { $0 }.get()
  }

  func note(_ notes: [String], for identifier: String) async {
    told.withLock { $0 += notes }
  }

  func returns(_ items: [ExtensionItem]?) { answer.withLock { $0 = .success(items) } }
}

private func item(
  _ identifier: String,
  title: String? = "T",
  changing change: [String: MessageValue?] = [:],
  attachments: [ExtensionAttachment] = []
) -> ExtensionItem {
  var info: [String: MessageValue] = [
    "uniqueIdentifier": .string(identifier),
    "urlString": .string("https://example.org/\(identifier)"),
    "date": .date(1_700_000_000),
  ]
  for (key, value) in change { info[key] = value }
  return ExtensionItem(
    userInfo: info,
    title: title,
    contentText: "Text",
    attachments: attachments
  )
}

private func attachment(_ bytes: [UInt8]) -> ExtensionAttachment {
  ExtensionAttachment(representations: [
    .init(typeIdentifier: "public.png", content: .success(.data(bytes)))
  ])
}

struct ExtensionItemTests {
  private func scene() throws -> (LinkScene, TestHost) {
    let host = TestHost()
    return (try LinkScene(extensions: host), host)
  }

  @Test("items of an extension are in the stream, under its name unless they have another")
  func names() async throws {
    let (scene, host) = try scene()
    host.returns([item("a"), item("b", changing: ["displayName": .string("Other")])])
    let reports = try await scene.refresher.refresh(.all)
    #expect(reports.map(\.outcome) == [.fetched(MergeCounts(new: 2))])
    let items = try scene.store.items()
    #expect(Set(items.map(\.displayName)) == ["App", "Other"])
    #expect(items.allSatisfy { $0.sourceIcon == LinkIcon(tinyPNG)?.digest && $0.text == "Text" })
  }

  @Test("the same identifier is the same item at every run, and keeps whether it was read")
  func stable() async throws {
    let (scene, host) = try scene()
    host.returns([item("a", title: "Old")])
    _ = try await scene.refresher.refresh(.all)
    try scene.store.markAll(isRead: true)
    host.returns([item("a", title: "New"), item("b")])
    _ = try await scene.refresher.refresh(.all)
    let items = try scene.store.items()
    #expect(items.count == 2)
    #expect(items.first { $0.title == "New" }?.isRead == true)
  }

  @Test("of equal identifiers the first counts, and the developer is told")
  func duplicates() async throws {
    let (scene, host) = try scene()
    host.returns([item("a", title: "First"), item("a", title: "Second")])
    _ = try await scene.refresher.refresh(.all)
    #expect(try scene.titles() == ["First"])
    #expect(host.told.withLock { $0 }.first?.contains("item 1 (Second) is left out") == true)
  }

  @Test(
    "an item without a required key is left out with a note, and the others stay",
    arguments: [
      ("uniqueIdentifier", MessageValue?.none), ("uniqueIdentifier", .string("")),
      ("uniqueIdentifier", .integer(1)), ("urlString", nil), ("urlString", .string("not a url")),
      ("urlString", .string("javascript:alert(1)")), ("urlString", .string("file:///etc/passwd")),
      ("date", nil), ("date", .string("today")), ("date", .date(.nan)), ("date", .date(1e300)),
    ]
  )
  func malformed(_ key: String, _ value: MessageValue?) async throws {
    let (scene, host) = try scene()
    host.returns([item("a", title: "Bad", changing: [key: value]), item("b", title: "Good")])
    _ = try await scene.refresher.refresh(.all)
    #expect(try scene.titles() == ["Good"])
    let note = try #require(host.told.withLock { $0 }.first)
    #expect(note.contains("item 0 (Bad) is left out") && note.contains(key))
  }

  @Test("nil means nothing now, an empty answer nothing new, and what is there stays")
  func nothing() async throws {
    let (scene, host) = try scene()
    host.returns([item("a")])
    _ = try await scene.refresher.refresh(.all)
    for answer in [nil, []] as [[ExtensionItem]?] {
      host.returns(answer)
      let reports = try await scene.refresher.refresh(.all)
      #expect(reports.map(\.outcome) == [.unchanged])
      #expect(try scene.titles() == ["T"])
    }
  }

  @Test(
    "an extension that fails is reported, held back, and loses nothing; one that is off rests"
  )
  func failures() async throws {
    let (scene, host) = try scene()
    host.returns([item("a")])
    _ = try await scene.refresher.refresh(.all)
    host.answer.withLock { $0 = .failure(LinkError(.fetchFailed, "it crashed")) }
    let reports = try await scene.refresher.refresh(.all)
    #expect(reports.map(\.outcome) == [.failed("it crashed")])
    #expect(try scene.titles() == ["T"])
    #expect(try scene.store.sources().first?.state.failures == 1)
    host.answer.withLock { $0 = .failure(LinkError(.notAsked, "the disk failed")) }
    #expect(
      try await scene.refresher.refresh(.forced).map(\.outcome) == [.failed("the disk failed")]
    )
    #expect(try scene.store.sources().first?.state.failures == 1)
    host.isOn.withLock { $0 = false }
    guard case .skipped = try await scene.refresher.refresh(.forced).first?.outcome else {
      Issue.record("it was asked")
      return
    }
  }

  @Test("the icon is the first attachment, known by its bytes")
  func icons() async throws {
    let (scene, host) = try scene()
    let svg = Array("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>".utf8)
    let gif = Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 20)
    host.returns([
      item("a", attachments: [attachment(gif), attachment(tinyPNG)]),
      item("b", attachments: [attachment(svg)]),
      item("c", attachments: [attachment(tinyPNG + [UInt8](repeating: 0, count: 300_000))]),
    ])
    _ = try await scene.refresher.refresh(.all)
    let items = try scene.store.items().sorted { $0.address < $1.address }
    #expect(items.map { $0.icon == $0.sourceIcon } == [false, true, true])
    #expect(try scene.store.icon(digest: items[0].icon ?? "")?.mediaType == "image/gif")
    let notes = host.told.withLock { $0 }
    #expect(notes.count == 2)
    #expect(notes.first?.contains("not a PNG, JPEG, GIF, ICO or WebP") == true)
    #expect(notes.last?.contains("exceed") == true)
  }

  @Test(
    "images are known by their content",
    arguments: [
      ("image/png", tinyPNG),
      ("image/jpeg", [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 12)),
      ("image/webp", Array("RIFF\0\0\0\0WEBPVP8 ".utf8)),
      ("image/x-icon", [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 0, 0]),
      (nil, Array("<html>not an image</html>".utf8)), (nil, []), (nil, [0x89, 0x50]),
      (nil, [0, 0, 2, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 0, 0]),
    ] as [(String?, [UInt8])]
  )
  func imageTypes(_ type: String?, _ bytes: [UInt8]) {
    #expect(LinkIcon(bytes)?.mediaType == type)
  }

  @Test("titles and texts are plain and bounded")
  func texts() async throws {
    let (scene, host) = try scene()
    let long = String(repeating: "word ", count: 400)
    host.returns([
      ExtensionItem(userInfo: item("a").userInfo, title: long, contentText: "a\u{1B}[0mb")
    ])
    _ = try await scene.refresher.refresh(.all)
    let kept = try #require(try scene.store.items().first)
    // The five hundredth character is a space, at which nothing ends.
    #expect(kept.fullTitle.count == 499 && kept.title.count <= 120 && kept.title.hasSuffix("…"))
    #expect(kept.text == "a[0mb")
  }
}
