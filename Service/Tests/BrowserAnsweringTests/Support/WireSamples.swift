import ExtensionMessages
import Foundation
import NativeMessaging

@testable import BrowserAnswering
@testable import ListSubscriptions
@testable import PageNotes
@testable import SharedLinks

/// An answer of each kind, with one element wherever there may be some.
enum WireSamples {
  private static let now = Date(timeIntervalSince1970: 1_000_000)

  static func answers() throws -> [Answer] {
    let source = BrowserLinkAnswers.Source(source())
    let answers: [Answer] = [
      .hello(Answer.Hello()),
      .lists(
        BrowserLists.Offers(
          lists: [
            BrowserLists.Offer(
              identifier: "a",
              name: "A",
              digest: "d",
              size: 2,
              deciding: BrowserLists.DecidingPart(digest: "e", size: 1)
            )
          ]
        )
      ),
      .declarative(
        BrowserRules.Offer(
          OfferedRules(Data("{}".utf8), key: [], isWhole: false, in: URL(filePath: "/dev/null")),
          missing: [OfferedRules.Missing(identifier: "a", name: "A", fault: "it is damaged")]
        )
      ),
      .setContentBlocker,
      .sendMessage(Answer.SentMessage(message: ["any": .null])),
      .nextMessage(Answer.Dispatched(ScriptMessage(name: "n", userInfo: .null))),
      .links(
        BrowserLinkAnswers.Links(items: [BrowserLinkAnswers.Link(item())], count: 1, unread: 1)
      ),
      .linkIcons(
        BrowserLinkAnswers.Icons(
          icons: [BrowserLinkAnswers.Icon(digest: "d", mediaType: "m", bytes: "b")],
          hasMore: false
        )
      ),
      .linkSources(BrowserLinkAnswers.Sources(sources: [source], subscribed: [:])),
      .marked,
      .subscribed(BrowserLinkAnswers.Subscribed(source: source)),
      .feeds(
        BrowserLinkAnswers.Choice(
          feeds: [BrowserLinkAnswers.Choice.Feed(address: "a", title: "t", mediaType: "m")]
        )
      ),
      .unsubscribed(BrowserLinkAnswers.Unsubscribed(links: 1)),
      .refreshed(
        BrowserLinkAnswers.Refreshed([RefreshReport(self.source(), .failed("it is not there"))])
      ),
      .subscriptions(BrowserSubscriptions.Lists(lists: [try list()])),
      .subscription(BrowserSubscriptions.Single(list: try list(), notes: [])),
      .listRemoved,
      .listUpdates(BrowserSubscriptions.Updates(updates: [try update()])),
      .ownRules(BrowserSubscriptions.Own(text: "t", rules: 1, notes: [])),
      .catalogue(BrowserSubscriptions.Catalogue()),
      .localApp(BrowserLocalApp.Address(address: "a")),
      .exception(
        ExceptionQuestion.Advice(
          rule: "r",
          lists: ["l"],
          tried: 1,
          isHarmless: false,
          reason: "r",
          changes: [0]
        )
      ),
      .gallery(BrowserGallery.sample), .galleryOffer(BrowserGallery.Offer.sample),
      .installed(BrowserGallery.Installed(identifier: "i", name: "n", isWaiting: true)),
      .error(WireError("reported", "m", reported: WireError.Reported(domain: "d", number: 1))),
      .changed, .linksChanged, .notesChanged,
    ]
    return answers + [Part(of: Data([1]), at: 0)].compactMap { $0.map(Answer.part) }
  }

  static func noteAnswers() throws -> [NoteAnswer] {
    let target = try NoteTarget(.site, address: "https://example.com/")
    let note = Note(
      id: "n",
      target: target,
      text: "t",
      otherTexts: [],
      emoji: "e",
      snoozeMinutes: 5,
      plan: try NotePlan(
        times: [.init(days: [1], from: 0, to: 60)],
        limit: .visits(1),
        delay: .init(seconds: 1, growth: 1)
      ),
      created: now,
      changed: now,
      counts: NoteCounts()
    )
    let standing = NoteStanding(
      isFree: false,
      today: NoteDay(),
      days: [NoteDay()],
      wait: 1,
      focusEnd: now
    )
    return [
      .message(note, standing), .ignore, .reload, .done, .used(NoteDay()),
      .page(notes: [note], choices: [target], now: now),
      .notes([note], total: 1, next: nil, now: now), .counts(id: "n", NoteCounts()),
      .index([note], today: ["n": NoteDay()], focusEnd: now, next: nil, now: now),
      .error(NoteError(.value, "v")),
    ]
  }

  private static func subscription() throws -> ListSubscriptions.Subscription {
    let json = """
      {"id": "a", "source": {"address": "https://a.test/"}, "mirrors": [], "isOn": true,
       "added": 0, "failures": 0, "shortAnswers": 0, "summary": {"format": "abp",
       "isCompressed": false, "header": {}, "rules": 1, "reasons": [], "fileVersion": 1,
       "lines": {"converted": 1, "approximated": 0, "impossible": 0, "comments": 0}}}
      """
    return try JSONDecoder().decode(Subscription.self, from: Data(json.utf8))
  }

  private static func list() throws -> BrowserSubscriptions.List {
    BrowserSubscriptions.List(try subscription(), isOwn: false)
  }

  private static func update() throws -> BrowserSubscriptions.Update {
    BrowserSubscriptions.Update(
      ListUpdateReport(subscription: try subscription(), outcome: .unchanged)
    )
  }

  private static func item() -> LinkItem {
    LinkItem(
      id: 1,
      sourceID: 1,
      sourceTitle: "s",
      tag: "t",
      address: "a",
      date: now,
      isDated: true,
      fullTitle: "f",
      fullText: "f",
      isRead: false,
      firstSeen: now,
      changed: now
    )
  }

  private static func source() -> LinkSource {
    LinkSource(
      id: 1,
      kind: .feed,
      key: "k",
      ownTitle: "o",
      folder: [],
      identityRule: .automatic,
      appliesRules: true,
      added: now,
      state: FetchState()
    )
  }
}

extension BrowserGallery {
  static var sample: Gallery {
    Gallery(name: "n", address: "a", key: "k", root: "r", extensions: 1, isAdded: false)
  }
}

extension BrowserGallery.Offer {
  static var sample: Self {
    Self(
      offer: "o",
      identifier: "i",
      name: "n",
      version: "1",
      kind: "k",
      signer: "s",
      trust: "rotated",
      formerSigner: "f",
      requests: ["a"],
      additional: ["b"],
      replaces: "0",
      replacesUnsigned: false
    )
  }
}
