import CommandInput
import ContentBlocking
import ResourceLoads
import Testing
import WebURL

/// Entries of archives in the forms of the programs that write them.
struct LogEntry {
  var url: String
  var page: String?
  var type: String?
  var headers: [(String, String)] = []
  var initiator: String?
  var mime = ""
  var redirect: String?
  var time: Int?
  var method = "GET"

  var text: String {
    let list = headers.map { #"{"name":"\#($0.0)","value":"\#($0.1)"}"# }.joined(separator: ",")
    var members = [
      #""request":{"method":"\#(method)","url":"\#(url)","headers":[\#(list)]}"#,
      redirect.map { #""response":{"status":302,"redirectURL":"\#($0)","content":{}}"# }
        ?? #""response":{"status":200,"redirectURL":"","content":{"mimeType":"\#(mime)"}}"#,
    ]
    if let page { members.append(#""pageref":"\#(page)""#) }
    if let type { members.append(#""_resourceType":"\#(type)""#) }
    if let initiator { members.append(#""_initiator":\#(initiator)"#) }
    if let time {
      let seconds = time / 1_000
      let rest = String(time % 1_000 + 1_000).dropFirst()
      let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60]
        .map { String(String($0 + 100).dropFirst()) }.joined(separator: ":")
      members.append(#""startedDateTime":"2026-01-02T\#(clock).\#(rest)Z""#)
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// `_initiator` of what is written in a document or style sheet.
  static func parser(_ url: String) -> String { #"{"type":"parser","url":"\#(url)"}"# }

  /// `_initiator` of what scripts asked for, the innermost first.
  static func script(_ urls: String...) -> String {
    let frames = urls.map { #"{"functionName":"","url":"\#($0)","lineNumber":1}"# }
    return #"{"type":"script","stack":{"callFrames":[\#(frames.joined(separator: ","))]}}"#
  }
}

/// The loads of an archive of entries.
func harFile(_ entries: [LogEntry], pages: String = "[]") throws -> HARFile {
  let list = entries.map(\.text).joined(separator: ",")
  return try HARFile(
    Array(#"{"log":{"pages":\#(pages),"entries":[\#(list)]}}"#.utf8),
    name: "test.har"
  )
}

extension HARFile.Entry {
  /// Type, page and frame in few words; the frame is `-` where it is the page.
  var words: String {
    let frame = load.frameURL == load.topURL ? "-" : load.frameURL.serialized
    let context = load.loadContext == .topFrame ? "top" : "child"
    return "\(LoadWords.word(for: load.resourceType)) \(load.topURL.serialized) \(frame) \(context)"
  }
}

/// Pages and frames as they are rebuilt from what logs tell.
@Suite struct HARPageTests {
  /// The browser's word says what the type does not: WebKit removes the fragment of a text track.
  @Test(arguments: ["texttrack", "track", "media"]) func textTracksHaveNoFragment(
    word: String
  ) throws {
    let url = "https://a.test/x.vtt#f"
    let entries = [
      LogEntry(url: url, type: word), LogEntry(url: url, headers: [("Sec-Fetch-Dest", "track")]),
    ]
    let loads = try harFile(entries).entries.map(\.load)
    #expect(loads.map(\.resourceType) == [.media, .media])
    #expect(loads.map(\.url.fragment) == [word == "media" ? "f" : nil, nil])
  }

  private static let page = "https://page.test/p"
  private static let frame = "https://frame.test/f"

  /// Chromium leaves `pageref` out for what frames in processes of their own ask for.
  @Test func framesOfSourceDocumentsAreFrames() throws {
    let page = "https://page.test/"
    let frame = "https://frame.test/f"
    let entries = [
      LogEntry(url: page, page: "p", type: "document", headers: [("Sec-Fetch-Dest", "document")]),
      LogEntry(
        url: "https://page.test/a.js",
        page: "p",
        type: "script",
        headers: [("Referer", page)],
        initiator: LogEntry.parser("about:srcdoc")
      ),
      LogEntry(
        url: "https://page.test/b.png",
        page: "p",
        type: "image",
        headers: [("Referer", page)],
        initiator: LogEntry.script("https://page.test/a.js", "about:srcdoc")
      ),
      LogEntry(
        url: "https://page.test/c.png",
        page: "p",
        type: "image",
        headers: [("Referer", page)],
        initiator: LogEntry.parser(page)
      ),
      LogEntry(
        url: frame,
        page: "p",
        type: "document",
        headers: [("Sec-Fetch-Dest", "iframe"), ("Referer", page)],
        initiator: LogEntry.parser(page)
      ),
      LogEntry(
        url: "https://page.test/d.png",
        page: "p",
        type: "image",
        headers: [("Referer", frame)],
        initiator: LogEntry.parser("about:srcdoc")
      ),
    ]
    let file = try harFile(entries)
    #expect(
      file.entries.map(\.words) == [
        "top-document https://page.test/ - top", "script https://page.test/ about:srcdoc child",
        "image https://page.test/ about:srcdoc child", "image https://page.test/ - top",
        "child-document https://page.test/ about:blank child",
        "image https://page.test/ about:srcdoc child",
      ]
    )
    // What brings the document that has the frame brings them.
    #expect(file.entries[1].causes == [LoadCause(.document, 0)])
    #expect(file.entries[5].causes == [LoadCause(.document, 4)])
  }

  @Test func connectionsOfProxiesAreWebSockets() throws {
    let headers = [("Upgrade", "websocket"), ("Connection", "Upgrade")]
    let loads = try harFile([
      LogEntry(url: "https://a.test/x", headers: headers),
      LogEntry(url: "http://a.test:8080/x", headers: headers),
      LogEntry(url: "wss://a.test/x", headers: headers),
    ]).entries.map(\.load)
    #expect(loads.map(\.resourceType) == [.webSocket, .webSocket, .webSocket])
    #expect(
      loads.map(\.url.serialized) == ["wss://a.test/x", "ws://a.test:8080/x", "wss://a.test/x"]
    )
  }

  @Test func framesInProcessesOfTheirOwnBelongToTheirPage() throws {
    let har = try harFile(
      [
        LogEntry(url: Self.page, page: "page_1", type: "document", initiator: #"{"type":"other"}"#),
        LogEntry(
          url: Self.frame,
          type: "document",
          headers: [("Referer", "https://page.test/"), ("Sec-Fetch-Dest", "iframe")],
          initiator: LogEntry.parser(Self.page)
        ),
        LogEntry(
          url: "https://frame.test/a.js",
          type: "script",
          headers: [("Referer", Self.frame)],
          initiator: LogEntry.parser(Self.frame)
        ),
        // Only the stack tells which frame this belongs to: the referrer is only an origin.
        LogEntry(
          url: "https://cdn.test/x",
          type: "fetch",
          headers: [("Referer", "https://frame.test/")],
          initiator: LogEntry.script("https://frame.test/a.js", Self.frame)
        ),
        LogEntry(
          url: "https://cdn.test/y",
          type: "image",
          headers: [("Referer", "https://frame.test/")]
        ),
        LogEntry(
          url: "https://inner.test/i",
          type: "document",
          initiator: LogEntry.script("https://frame.test/a.js")
        ),
        LogEntry(
          url: "https://cdn.test/z",
          type: "image",
          headers: [("Referer", "https://inner.test/")]
        ),
        LogEntry(
          url: "https://cdn.test/own",
          page: "page_1",
          type: "image",
          headers: [("Referer", "https://page.test/")],
          initiator: LogEntry.parser(Self.page)
        ),
      ],
      pages: #"[{"id":"page_1","title":"\#(Self.page)"}]"#
    )
    #expect(
      har.entries.map(\.words) == [
        "top-document \(Self.page) - top", "child-document \(Self.page) about:blank child",
        "script \(Self.page) \(Self.frame) child", "fetch \(Self.page) \(Self.frame) child",
        "image \(Self.page) \(Self.frame) child", "child-document \(Self.page) about:blank child",
        "image \(Self.page) https://inner.test/i child", "image \(Self.page) - top",
      ]
    )
    #expect(har.entries.allSatisfy { $0.page == 0 && $0.guesses.isEmpty })
  }

  @Test func loadsAreToldApartThatHaveTheSameScript() throws {
    let library = "https://cdn.test/lib.js"
    let har = try harFile([
      LogEntry(url: Self.page, page: "page_1", type: "document"),
      LogEntry(url: library, page: "page_1", type: "script", initiator: LogEntry.parser(Self.page)),
      LogEntry(url: Self.frame, type: "document", initiator: LogEntry.parser(Self.page)),
      LogEntry(url: library, type: "script", initiator: LogEntry.parser(Self.frame)),
      LogEntry(
        url: "https://x.test/1",
        page: "page_1",
        type: "xhr",
        headers: [("Referer", "https://page.test/")],
        initiator: LogEntry.script(library)
      ),
      LogEntry(
        url: "https://x.test/2",
        type: "xhr",
        headers: [("Referer", "https://frame.test/")],
        initiator: LogEntry.script(library)
      ),
    ])
    #expect(har.entries[4].words == "fetch \(Self.page) - top")
    #expect(har.entries[5].words == "fetch \(Self.page) \(Self.frame) child")
    #expect(har.entries[4].causes == [LoadCause(.initiator, 1), LoadCause(.document, 0)])
  }

  /// WebKit has one `pageref` for all that its inspector saw.
  @Test func documentsUnderOnePagerefAreSeveralPages() throws {
    let next = "https://next.test/n"
    let document = ("Sec-Fetch-Dest", "document")
    let har = try harFile([
      LogEntry(url: Self.page, page: "page_0", headers: [document], mime: "text/html"),
      LogEntry(
        url: "https://cdn.test/1.png",
        page: "page_0",
        headers: [("Referer", "https://page.test/"), ("Sec-Fetch-Dest", "image")]
      ),
      LogEntry(
        url: next,
        page: "page_0",
        headers: [document, ("Referer", "https://page.test/")],
        mime: "text/html",
        method: "POST"
      ),
      LogEntry(
        url: "https://cdn.test/2.png",
        page: "page_0",
        headers: [("Referer", "https://next.test/"), ("Sec-Fetch-Dest", "image")]
      ),
      // A late load of the previous page.
      LogEntry(
        url: "https://cdn.test/3.png",
        page: "page_0",
        headers: [("Referer", Self.page), ("Sec-Fetch-Dest", "image")]
      ),
      LogEntry(
        url: "https://cdn.test/4.png",
        page: "page_0",
        headers: [("Sec-Fetch-Dest", "image")]
      ),
    ])
    #expect(har.entries.map(\.page) == [0, 0, 1, 1, 0, 1])
    #expect(har.entries.map(\.load.requestMethod) == [.get, .get, .post, .post, .get, .post])
    #expect(har.entries[2].words == "top-document \(next) - top")
  }

  @Test func titlesTellPagesWhereNoHeaderDoes() throws {
    let next = "https://next.test/n"
    let har = try harFile(
      [
        LogEntry(url: Self.page, page: "page_0", mime: "text/html"),
        LogEntry(
          url: Self.frame,
          page: "page_0",
          headers: [("Referer", Self.page)],
          mime: "text/html"
        ),
        LogEntry(url: next, page: "page_0", headers: [("Referer", Self.page)], mime: "text/html"),
      ],
      pages: #"[{"id":"page_0","title":"\#(next)"}]"#
    )
    #expect(
      har.entries.map(\.words) == [
        "top-document \(Self.page) - top", "child-document \(Self.page) about:blank child",
        "top-document \(next) - top",
      ]
    )
    // That the second is not a page is a guess, and so is that both are documents.
    #expect(har.entries[1].guesses == [.type, .page, .frame])
    #expect(har.entries[2].guesses == [.type])
  }

  /// Proxies know neither pages nor frames.
  @Test(arguments: [(500, false), (60_000, true)])
  func timeTellsLinksFromFramesInTheLogsOfProxies(_ wait: Int, _ isPage: Bool) throws {
    let accept = ("Accept", "text/html,application/xhtml+xml")
    let har = try harFile([
      LogEntry(url: Self.page, headers: [accept], time: 1_000),
      LogEntry(
        url: "https://cdn.test/1.png",
        headers: [("Referer", Self.page), ("Accept", "image/webp,*/*")],
        time: 1_500
      ),
      LogEntry(url: Self.frame, headers: [accept, ("Referer", Self.page)], time: 1_500 + wait),
    ])
    #expect(har.entries.map(\.page) == [0, 0, isPage ? 1 : 0])
    let type: ResourceType = isPage ? .topDocument : .childDocument
    #expect(har.entries[2].load.resourceType == type)
    #expect(har.entries[2].guesses.contains(.page))
  }

  @Test func requestsDecideTheTypeBeforeAnswersDo() throws {
    let answers: [(accept: String, mime: String, type: ResourceType)] = [
      ("image/avif,image/webp,*/*;q=0.8", "text/html", .image),
      ("text/css,*/*;q=0.1", "text/html", .styleSheet), ("*/*", "image/gif", .image),
      ("text/event-stream", "text/html", .other),
      ("application/font-woff2;q=1.0", "text/html", .font),
    ]
    for answer in answers {
      let har = try harFile([
        LogEntry(url: Self.page, mime: "text/html"),
        LogEntry(
          url: "https://x.test/u",
          headers: [("Accept", answer.accept), ("Referer", Self.page)],
          mime: answer.mime
        ),
      ])
      #expect(har.entries[1].load.resourceType == answer.type)
      #expect(har.entries[1].guesses.contains(.type) == (answer.accept == "*/*"))
    }
    let har = try harFile([
      LogEntry(url: Self.page, type: "document"),
      LogEntry(
        url: "https://x.test/w.js",
        type: "script",
        headers: [("Sec-Fetch-Dest", "worker"), ("Referer", Self.page)]
      ),
    ])
    #expect(har.entries[1].load.resourceType == .other)
  }

  @Test func redirectsGoOnWithTheirLoad() throws {
    let har = try harFile([
      LogEntry(url: "http://page.test/p", type: "document", redirect: Self.page),
      LogEntry(url: Self.page, page: "page_1", type: "document"),
      LogEntry(
        url: "https://t.test/1",
        page: "page_1",
        headers: [("Accept", "image/webp"), ("Referer", Self.page)],
        redirect: "https://t.test/2"
      ),
      LogEntry(url: "https://t.test/2", redirect: "/3"),
      LogEntry(url: "https://t.test/3", mime: "text/html"),
    ])
    #expect(har.entries.map(\.page) == [0, 0, 0, 0, 0])
    #expect(har.entries[0].words == "top-document http://page.test/p - top")
    #expect(har.entries[1].causes == [LoadCause(.redirect, 0)])
    #expect(har.entries[3].words == "image \(Self.page) - top")
    #expect(har.entries[4].words == "image \(Self.page) - top")
    #expect(har.entries[4].causes == [LoadCause(.redirect, 3)])
  }

  @Test func whatIsFetchedAheadIsNoNavigation() throws {
    let har = try harFile([
      LogEntry(url: Self.page, page: "page_1", type: "document"),
      LogEntry(
        url: "https://next.test/n",
        page: "page_1",
        type: "document",
        headers: [("Sec-Purpose", "prefetch"), ("Referer", Self.page)]
      ),
      LogEntry(
        url: "https://next.test/shown",
        type: "document",
        headers: [("Sec-Purpose", "prefetch;prerender"), ("Referer", Self.page)]
      ),
      LogEntry(
        url: "https://x.test/i",
        page: "page_1",
        type: "image",
        headers: [("Referer", Self.page)]
      ),
      LogEntry(
        url: "https://x.test/j",
        type: "image",
        headers: [("Referer", "https://next.test/shown"), ("Sec-Purpose", "prefetch;prerender")]
      ),
    ])
    #expect(
      har.entries.map(\.words) == [
        "top-document \(Self.page) - top", "top-document \(Self.page) - top",
        "top-document https://next.test/shown - top", "image \(Self.page) - top",
        "image https://next.test/shown - top",
      ]
    )
  }

  @Test func blockedScriptsAndFramesPreventWhatTheyAsk() throws {
    let har = try harFile([
      LogEntry(url: Self.page, page: "p", type: "document"),
      LogEntry(
        url: "https://t.test/t.js",
        page: "p",
        type: "script",
        initiator: LogEntry.parser(Self.page)
      ),
      LogEntry(
        url: "https://t.test/pixel",
        page: "p",
        type: "image",
        initiator: LogEntry.script("https://t.test/t.js", Self.page),
        redirect: "https://u.test/pixel"
      ),
      LogEntry(url: "https://u.test/pixel", page: "p", type: "image"),
      LogEntry(
        url: Self.frame,
        type: "document",
        initiator: LogEntry.script("https://t.test/t.js")
      ),
      LogEntry(url: "https://frame.test/x", type: "image", initiator: LogEntry.parser(Self.frame)),
      LogEntry(
        url: "https://page.test/own",
        page: "p",
        type: "image",
        initiator: LogEntry.parser(Self.page)
      ),
    ])
    var loads = PreventedLoads()
    let prevented = har.entries.enumerated().map { loads.add($1.causes, isBlocked: $0 == 1) }
    #expect(prevented.map { $0?.blockedEntry } == [nil, nil, 1, 1, 1, 1, nil])
    #expect(prevented[3]?.cause == LoadCause(.redirect, 2))
    #expect(prevented[5]?.cause == LoadCause(.document, 4))
  }

  @Test func timesOrderWhatTheArchiveDoesNot() throws {
    let har = try harFile([
      LogEntry(
        url: "https://x.test/i",
        type: "image",
        headers: [("Referer", Self.page)],
        time: 2_000
      ),
      LogEntry(url: Self.page, type: "document", time: 1_000),
    ])
    #expect(har.entries.map(\.place) == [1, 0])
    #expect(har.entries[1].words == "image \(Self.page) - top")
    #expect(har.entries[1].guesses.isEmpty)
  }

  @Test func aLoadThatTellsNoPageIsOfTheLastAndAGuess() throws {
    let har = try harFile([
      LogEntry(url: Self.page, page: "page_1", type: "document"),
      LogEntry(url: "https://x.test/i", type: "fetch"),
    ])
    #expect(har.entries[1].words == "fetch \(Self.page) - top")
    #expect(har.entries[1].guesses == [.page])
  }
}
