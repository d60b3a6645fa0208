import ExtensionMessages
import Foundation
import Testing

@Suite("Xcode's templates, unchanged")
struct TemplateTests {
  static let list = Data(
    #"[{"trigger":{"url-filter":"webkit.svg"},"action":{"type":"block"}}]"#.utf8
  )

  @Test(
    "a content blocker hands over its bundle's list",
    arguments: ["ContentBlockerTemplate", "ContentBlockerMacTemplate"]
  )
  func contentBlocker(target: String) throws {
    let run = try ExtensionRun(target, resources: ["blockerList.json": Self.list])
    let result = try run.run()
    #expect(result.status == 0, "\(result.errors)")
    let item = ExtensionItem(
      attachments: [
        ExtensionAttachment(
          suggestedName: "blockerList.json",
          representations: [
            .init(typeIdentifier: "public.json", content: .success(.data([UInt8](Self.list))))
          ]
        )
      ]
    )
    #expect(result.messages == [.answer(ExtensionAnswer(items: [item]))])
  }

  @Test("a content blocker without its list ends without an answer, as on Apple systems")
  func contentBlockerWithoutList() throws {
    let result = try ExtensionRun("ContentBlockerTemplate").run()
    #expect(result.messages.isEmpty)
    #expect(result.status != 0)
  }

  @Test("Shared Links: user info, title and text arrive")
  func sharedLinks() throws {
    let before = Date().timeIntervalSince1970
    let result = try ExtensionRun("SharedLinksTemplate").run()
    let item = try #require(result.answer?.items?.first)
    #expect(result.answer?.items?.count == 1)
    #expect(item.title == "Sample title")
    #expect(item.contentText == "Sample description text")
    #expect(item.userInfo["uniqueIdentifier"] == .string("uniqueIdentifierForSampleItem"))
    #expect(item.userInfo["urlString"] == .string("https://www.example.com/"))
    guard case .date(let date) = item.userInfo["date"] else {
      Issue.record("date is \(String(describing: item.userInfo["date"]))")
      return
    }
    #expect(date >= before && date <= Date().timeIntervalSince1970)
  }

  static let messages: [MessageValue] = [
    .null, .bool(true), .bool(false), .integer(3), .double(1.5), .string("Hällo"), .array([]),
    ["a": .array([.integer(1), .null]), "b": ["c": .string("d")]],
  ]

  @Test("a web extension echoes every kind of message", arguments: messages)
  func webExtension(message: MessageValue) throws {
    let run = try ExtensionRun("WebExtensionTemplate")
    let result = try run.run(
      ExtensionItem(userInfo: ["message": message, "profile": .uuid(high: 1, low: 2)])
    )
    #expect(result.answer?.items?.first?.userInfo == ["message": ["echo": message]])
    #expect(result.errors.contains("00000000-0000-0001-0000-000000000002"), "the log goes aside")
  }

  @Test("the older web extension logs and echoes every kind of message", arguments: messages)
  func olderWebExtension(message: MessageValue) throws {
    let run = try ExtensionRun("OldWebExtensionTemplate")
    let result = try run.run(ExtensionItem(userInfo: ["message": message]))
    #expect(result.answer?.items?.first?.userInfo == ["message": ["Response to": message]])
    #expect(result.errors.contains("Received message"))
  }

  @Test("a web extension without message or profile still answers")
  func emptyRequest() throws {
    let result = try ExtensionRun("WebExtensionTemplate").run()
    #expect(result.answer?.items?.first?.userInfo == ["message": ["echo": .null]])
  }
}
