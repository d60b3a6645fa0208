import ResourceLoads
import Testing
import WebURL
import Workloads

@Suite("Generated requests")
struct GeneratedRequestsTests {
  private let requests = GeneratedRequests.make(5_000, for: GeneratedList(ruleCount: 1_000))

  @Test("are serialised URLs of pages that are serialised URLs")
  func areSerialized() {
    for request in requests {
      #expect(WebURL(utf8: request.url)?.utf8 == request.url)
      #expect(WebURL(utf8: request.source)?.utf8 == request.source)
    }
  }

  @Test("are the same for a seed, and on every machine")
  func areRecorded() {
    #expect(requests == GeneratedRequests.make(5_000, for: GeneratedList(ruleCount: 1_000)))
    #expect(
      fingerprint(requests.lazy.flatMap { $0.url + [0] + $0.source }) == 17_975_693_056_797_816_379
    )
  }

  @Test("say of their party what the URLs say")
  func haveTheirParty() throws {
    for request in requests {
      let isFirst = PartyTest.isFirstParty(loadURL: request.url.span, topURL: request.source.span)
      #expect(isFirst == (request.properties.loadType == .firstParty))
    }
  }

  @Test("have the lengths and the runs of recorded ones")
  func haveRealShapes() {
    let lengths = requests.map(\.url.count).sorted()
    #expect((65..<95).contains(lengths[lengths.count / 2]))
    #expect((240..<420).contains(lengths[lengths.count * 9 / 10]))
    let repeats = zip(requests, requests.dropFirst()).count { $0.source == $1.source }
    #expect((0.78..<0.88).contains(Double(repeats) / Double(requests.count)))
  }
}
