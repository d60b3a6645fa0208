import ExtensionMessages
import Foundation
import Testing

@Suite("Handlers as apps write them")
struct HandlerTests {
  static let group = "group.com.example.blocker"

  private func attachment(_ result: ExtensionRun.Result, _ index: Int = 0) throws -> [UInt8] {
    let attachments = try #require(result.answer?.items?.first?.attachments, "\(result.errors)")
    try #require(attachments.count > index)
    let representation = try #require(attachments[index].representations.first)
    #expect(representation.typeIdentifier == "public.json")
    switch try representation.content.get() {
    case .data(let bytes): return bytes
    case .string(let text): return Array(text.utf8)
    case let other:
      Issue.record("the content is \(other)")
      return []
    }
  }

  /// Defaults as the host lays them out: the group's file is linked into the container.
  private func linkDefaults(
    _ run: ExtensionRun,
    _ group: String,
    _ values: [String: Any]
  ) throws
    -> URL
  {
    let file = run.joinGroup(group).appendingPathComponent("\(group).plist")
    try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
      .write(to: file)
    try FileManager.default.createSymbolicLink(
      at: run.folder.appendingPathComponent("home/.config/\(group).plist"),
      withDestinationURL: file
    )
    return file
  }

  private func values(_ file: URL) throws -> [String: Any] {
    let plist = try unsafe PropertyListSerialization.propertyList(
      from: Data(contentsOf: file),
      format: nil
    )
    return try #require(plist as? [String: Any])
  }

  @Test("a list in the group's folder is handed over, and what the completion block sets is kept")
  func groupFolder() throws {
    let run = try ExtensionRun("AppHandlers", principal: "AppHandlers.GroupFolderBlocker")
    let defaults = try linkDefaults(run, Self.group, [:])
    let lists = run.joinGroup(Self.group).appendingPathComponent("lists")
    try FileManager.default.createDirectory(at: lists, withIntermediateDirectories: true)
    let list = Data("[]".utf8)
    try list.write(to: lists.appendingPathComponent("blockerList.json"))
    let result = try run.run()
    #expect(try attachment(result) == [UInt8](list))
    #expect(result.status == 0)
    #expect(try values(defaults)["delivered"] as? Bool == true)
  }

  @Test("without the group there is no folder, and the handler's error arrives")
  func noGroup() throws {
    let run = try ExtensionRun("AppHandlers", principal: "AppHandlers.GroupFolderBlocker")
    let result = try run.run()
    guard case .cancel(let error) = result.messages.last else {
      Issue.record("\(result)")
      return
    }
    #expect(error.domain == "com.example.blocker")
    #expect(error.code == 7)
    #expect(error.description == "No shared folder")
  }

  @Test("defaults shared through the group are read and written, run after run")
  func sharedDefaults() throws {
    let run = try ExtensionRun("AppHandlers", principal: "AppHandlers.SettingsBlocker")
    let file = try linkDefaults(run, Self.group, ["domains": ["a.example"], "runs": 4])
    for runs in [5, 6] {
      let result = try run.run()
      let text = String(decoding: try attachment(result), as: UTF8.self)
      #expect(
        text == #"[{"action":{"type":"block"},"trigger":{"if-domain":["*a.example"],"#
          + #""url-filter":".*"}}]"#
      )
      #expect(try values(file)["runs"] as? Int == runs)
    }
  }

  @Test("files in the temporary and the caches folder are read before the process ends")
  func temporaryFiles() throws {
    let run = try ExtensionRun("AppHandlers", principal: "AppHandlers.TemporaryFileBlocker")
    let result = try run.run()
    let list = Array(#"[{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}]"#.utf8)
    #expect(try attachment(result, 0) == list)
    #expect(try attachment(result, 1) == list)
    #expect(result.answer?.items?.first?.attachments.last?.suggestedName == "list.json")
  }

  @Test("a string is a list too; printing stays apart; only the first answer counts")
  func string() throws {
    let run = try ExtensionRun("AppHandlers", principal: "AppHandlers.StringBlocker")
    let result = try run.run()
    #expect(result.messages.count == 1)
    #expect(
      String(decoding: try attachment(result), as: UTF8.self)
        == #"[{"trigger": {"url-filter": "ü"}, "action": {"type": "block"}}]"#
    )
    #expect(result.output == "making the list\n")
  }

  @Test("a handler that answers late, over the main queue and a task, is waited for")
  func late() throws {
    let run = try ExtensionRun("AppHandlers", principal: "AppHandlers.LateHandler")
    let message: MessageValue = [
      "request": .string("check"), "url": .string("https://example.com/"),
    ]
    let result = try run.run(ExtensionItem(userInfo: ["message": message]))
    #expect(
      result.answer?.items?.first?.userInfo == [
        "message": [
          "type": .string("ignore"), "request": .string("check"),
          "url": .string("https://example.com/"),
        ]
      ]
    )
  }

  @Test("a handler that never answers lives until the host goes away, and ends then")
  func never() throws {
    let run = try ExtensionRun("AppHandlers", principal: "AppHandlers.LateHandler")
    let result = try run.run(
      ExtensionItem(userInfo: ["message": .string("nonsense")]),
      closeAfter: 1500
    )
    #expect(result.messages.isEmpty)
    // It noticed the end by itself: it was neither killed nor gone before.
    #expect(result.status == 1)
    #expect(result.errors.contains("[com.example.notes:native] error: bad message"))
  }

  @Test("optionals inside optionals arrive as values or null")
  func nested() throws {
    let run = try ExtensionRun("AppHandlers", principal: "AppHandlers.NestedHandler")
    let result = try run.run(
      ExtensionItem(userInfo: [
        "message": [
          "number": .integer(42), "flag": .bool(true), "nothing": .null,
          "list": .array([.integer(1), .integer(2)]),
        ],
        "profile": .uuid(high: 0, low: 1),
      ])
    )
    #expect(
      result.answer?.items?.first?.userInfo["message"] == [
        "missing": .null, "doubled": .integer(42), "flag": .bool(true), "isNull": .bool(true),
        "count": .integer(2), "ratio": .double(0.5),
        "list": .array([.integer(1), .null, .string("two")]),
        "profile": .string("00000000-0000-0000-0000-000000000001"),
      ]
    )
    #expect(result.answer?.notes == [])
  }

  @Test("a handler that has its blocker reloaded gets the host's answer")
  func reload() throws {
    let run = try ExtensionRun("AppHandlers", principal: "AppHandlers.ReloadingHandler")
    var calls: [HostCall] = []
    let good = try run.run(ExtensionItem()) { call in
      calls.append(call)
      return .success(.null)
    }
    #expect(calls.map(\.function) == [.reloadContentBlocker])
    #expect(calls.first?.arguments == ["identifier": .string("com.example.blocker")])
    let reply = good.answer?.items?.first?.userInfo["message"]
    #expect(reply == ["reloaded": .bool(true), "code": .null])

    let bad = try run.run(ExtensionItem()) { _ in
      .failure(ErrorReport(domain: "SFErrorDomain", code: 1, description: "no such extension"))
    }
    let refusal = bad.answer?.items?.first?.userInfo["message"]
    #expect(refusal == ["reloaded": .bool(false), "code": .integer(1)])
  }

  @Test("links are fetched with URLSession, each with its icon")
  func links() throws {
    let feed = #"""
      [{"url":"https://example.com/1","date":"2015-06-12T10:00:00Z","title":"One"},
       {"url":"https://example.com/2","date":"2015-06-13T10:00:00Z","title":"Two"}]
      """#
    let icon = Data([0x89, 0x50, 0x4E, 0x47])
    let server = try OneAnswerServer(json: feed)
    let run = try ExtensionRun(
      "AppHandlers",
      principal: "AppHandlers.FeedHandler",
      resources: ["icon.png": icon]
    )
    let group = "group.com.example.links"
    _ = try linkDefaults(run, group, ["feed": "http://127.0.0.1:\(server.port)/feed.json"])
    let result = try run.run()
    let items = try #require(result.answer?.items, "\(result)")
    #expect(items.map(\.title) == ["One", "Two"])
    #expect(
      items.first?.userInfo == [
        "uniqueIdentifier": .string("https://example.com/1"),
        "urlString": .string("https://example.com/1"), "date": .date(1_434_103_200),
      ]
    )
    #expect(
      items.last?.attachments == [
        ExtensionAttachment(
          suggestedName: "icon.png",
          representations: [
            .init(typeIdentifier: "public.png", content: .success(.data([UInt8](icon))))
          ]
        )
      ]
    )
  }

  @Test("a feed that cannot be reached arrives as URLSession's error")
  func noServer() throws {
    let run = try ExtensionRun("AppHandlers", principal: "AppHandlers.FeedHandler")
    guard case .cancel(let error) = try run.run().messages.last else {
      Issue.record("no error")
      return
    }
    #expect(error.domain == NSURLErrorDomain)
    #expect(error.code == Int64(NSURLErrorCannotConnectToHost))
  }

  @Test(
    "a request that is no message is answered with an error, never a crash",
    arguments: [
      [], [1, 0, 0, 0, 9], [2, 0, 0, 0, 1, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF],
      [2, 0, 0, 0, 1, 0], [7, 0, 0, 0, 1, 0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0],
    ] as [[UInt8]]
  )
  func badRequests(bytes: [UInt8]) throws {
    let run = try ExtensionRun("AppHandlers", principal: "AppHandlers.LateHandler")
    // A host that sends no whole frame closes its side or waits; the end of a test is the close.
    let isWhole = bytes.count >= 5
    let result = try run.run(bytes: bytes, closeAfter: isWhole ? nil : 300)
    if isWhole {
      guard case .cancel(let error) = result.messages.last else {
        Issue.record("\(result)")
        return
      }
      #expect(error.domain == ErrorReport.runtimeDomain)
      #expect(error.code == RuntimeFault.badRequest.rawValue)
    }
    #expect(result.status >= 0)
  }

  @Test("by hand: a request on standard input, the answer on standard output and nothing else")
  func standardStreams() throws {
    let run = try ExtensionRun("AppHandlers", principal: "AppHandlers.StringBlocker")
    let body = try MessageToExtension.request(ExtensionRequest()).value.encoded()
    let output = try run.runByHand(ExtensionFrames.frame(body))
    var frames = ExtensionFrames()
    frames.append(output)
    let answer = try #require(try frames.next())
    guard case .answer = try MessageFromExtension(MessageValue(encoded: answer)) else {
      Issue.record("no answer")
      return
    }
    #expect(frames.isEmpty)
  }
}
