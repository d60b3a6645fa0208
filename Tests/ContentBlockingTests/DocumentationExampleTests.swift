import ContentBlocking
import Foundation
import ResourceLoads
import RuleMatching
import Testing
import WebURL

/// The examples of the documentation, line by line as they stand there.
@Suite("Examples of the documentation")
struct DocumentationExampleTests {
  private let json = plainList(("ads", "block"))

  private func addresses() throws -> (page: WebURL, image: WebURL) {
    (try webURL("https://page.test/"), try webURL("https://x.test/ads.png"))
  }

  @Test func contentRuleListExample() throws {
    let (page, image) = try addresses()
    let load = ResourceLoad(url: image, topURL: page, resourceType: .image)
    let list = try ContentRuleList(identifier: "ads", encodedContentRuleList: json)
    var blocker = ContentBlocker(lists: [list])
    #expect(blocker.decision(for: load).isBlocked)
  }

  @Test func contentBlockerExample() throws {
    let (page, image) = try addresses()
    let loads = [image, page].map { ResourceLoad(url: $0, topURL: page, resourceType: .image) }
    let ads = try ContentRuleList(identifier: "ads", encodedContentRuleList: json)
    let cookies = try ContentRuleList(
      identifier: "cookies",
      encodedContentRuleList: plainList((".*", "block-cookies"))
    )
    var blocked: [WebURL] = []
    var blocker = ContentBlocker(lists: [ads, cookies])
    for load in loads {
      let decision = blocker.decision(for: load)
      if decision.isBlocked { blocked.append(load.url) }
      #expect(decision.blocksCookies)
    }
    #expect(blocked == [image])
  }

  @Test func ruleListStoreExample() throws {
    try withFolder { folder in
      let store = try RuleListStore(directory: folder)
      try store.compileContentRuleList(forIdentifier: "ads", encodedContentRuleList: json)
      let list = try store.lookUpContentRuleList(forIdentifier: "ads")
      #expect(list.source == json)
    }
  }

  @Test func compiledRuleListExample() throws {
    let bytes = try ContentRuleList.compile(json).file
    let (page, image) = try addresses()
    let top = page.utf8
    let url = image.utf8
    let properties = LoadProperties(resourceType: .image, loadType: .thirdParty)
    let list = try CompiledRuleList(validating: bytes)
    var scratch = MatchScratch()
    scratch.prepare(for: list)
    var state = PageState()
    list.update(&state, topURL: top.span, frameURL: top.span, &scratch)
    scratch.assign(url.span)
    #expect(list.decide(properties, state, &scratch).isBlocked)
  }

  @Test func errorsHaveAMessage() throws {
    #expect(
      throws: RuleListError.self,
      performing: { try contentRuleList(Array("[]".utf8)) }
    )
    do throws(RuleListError) {
      _ = try ContentRuleList(identifier: "list", encodedContentRuleList: Array("[]".utf8))
    } catch {
      #expect(error.message == "Rule list compilation failed: Empty extension.")
    }
    do throws(RuleListError) {
      _ = try ContentRuleList(identifier: "list", compiledFile: Array("[]".utf8))
    } catch {
      #expect(error.message.hasPrefix("The compiled list cannot be used: "))
      #expect(error.message.hasSuffix("; compile the list again"))
    }
  }
}
