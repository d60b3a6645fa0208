import CommandInput
import ContentBlocking
import Foundation
import ListTesting
import ResourceLoads
import TestSupport
import Testing
import WebURL

@Suite("Recorded tests")
struct ListTestWriterTests {
  private static let rules = [
    rule("cat", "block"), rule("/i", "block-cookies"), rule("^http:", "make-https"),
  ]

  private func recorded(
    _ loads: [ResourceLoad]
  ) throws -> (text: String, writer: ListTestWriter) {
    var blocker = ContentBlocker(lists: [try list(Self.rules)])
    var writer = ListTestWriter()
    for load in loads { writer.add(load, blocker.decision(for: load)) }
    return (writer.text(lists: ["a.json"], comment: ["a comment"]), writer)
  }

  @Test(
    "a network log comes back as the same loads, and all expectations hold",
    arguments: [
      "Tests/Fixtures/HAR/webkit-inspector.har", "Tests/Fixtures/HAR/charles.har",
      "Examples/1.3-cute-puppies/requests.har",
    ]
  )
  func logs(path: String) throws {
    let bytes = try SharedData.bytes(of: SharedData.packageRoot.appending(path: path))
    let loads = try HARFile(bytes, name: path).entries.map(\.load)
    let (text, writer) = try recorded(loads)
    let file = try tests(text)
    #expect(file.lists.map(\.value) == ["a.json"])
    #expect(Set(file.expectations.map(\.load)) == Set(loads))
    #expect(writer.leftOutCount == 0)
    #expect(file.expectations.count == Set(loads).count)
    #expect(writer.duplicateCount == loads.count - Set(loads).count)
    let judge = ListTestJudge([try list(Self.rules)])
    for expectation in file.expectations {
      #expect(judge.verdict(on: expectation).holds, "\(expectation.title)")
    }
  }

  @Test("the order of a page's loads does not matter, and duplicates are joined")
  func order() throws {
    let page = try #require(WebURL("https://p.test/"))
    let loads = try ["https://a.test/3", "https://a.test/1", "https://a.test/cat"].map {
      ResourceLoad(url: try #require(WebURL($0)), topURL: page, resourceType: .image)
    }
    let document = ResourceLoad(url: page, resourceType: .topDocument)
    let text = try recorded([document] + loads).text
    #expect(try recorded(loads.reversed() + [document] + loads).text == text)
    #expect(
      text == """
        # a comment
        list: a.json

        [page https://p.test/]
        page => load
        https://a.test/1 image => load
        https://a.test/3 image => load
        https://a.test/cat image => block

        """
    )
  }

  @Test("every property of a load survives")
  func properties() throws {
    let page = try #require(WebURL("https://p.test/#top"))
    let frame = try #require(WebURL("https://f.test/"))
    let url = try #require(WebURL("http://a.test/i?q=%20#f"))
    var loads: [ResourceLoad] = []
    for (_, type) in ResourceType.words {
      for context in [nil, LoadContext.topFrame, .childFrame] {
        for method in [nil, RequestMethod.get, .post] {
          for frame in [nil, frame] {
            for party in [nil, LoadType.firstParty] {
              loads.append(
                ResourceLoad(
                  url: url,
                  topURL: page,
                  frameURL: frame,
                  resourceType: type,
                  loadContext: context,
                  requestMethod: method,
                  loadType: party
                )
              )
            }
          }
        }
      }
    }
    let (text, writer) = try recorded(loads)
    #expect(writer.leftOutCount == 0)
    #expect(Set(try tests(text).expectations.map(\.load)) == Set(loads))
  }
}
