/// What one visit of a page has shown.
package struct PageVisit: Sendable {
  /// A request of the page.
  package struct Request: Sendable {
    package var url: String
    /// The type's word, such as `image`.
    package var type: String
    /// The document of the frame that asked, if it is not the page's.
    package var frame: String?
    /// What the lists do to it.
    package var verdict: PreviewVerdict
    /// The bytes that came over the network, headers included.
    package var bytes = 0
    /// The status of the answer; `nil` if there was none.
    package var status: Int?
    /// Why there was no answer, in the browser's words.
    package var failure: String?
    /// Whether it was not answered because the saved page does not have it.
    package var isMissing = false
    /// Whether it was not fetched because it is on the local network, and the page is not.
    package var isWithheld = false
    /// Why the request would not have happened, if it is known.
    package var prevention: String?

    /// Creates a request.
    package init(url: String, type: String, frame: String?, verdict: PreviewVerdict) {
      self.url = url
      self.type = type
      self.frame = frame
      self.verdict = verdict
    }
  }

  /// A picture of the page.
  package struct Picture: Sendable {
    /// The JPEG in Base64.
    package var base64: String
    /// The size of what it shows, in the page's pixels.
    package var width: Int
    package var height: Int
    /// The height of the whole page.
    package var pageHeight: Int
  }

  /// A place on the page where an element would be hidden.
  package struct Box: Sendable {
    /// The index of the rule in ``hiding``.
    package var rule: Int
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int
  }

  package var requests: [Request] = []
  package var picture: Picture?
  /// The rules that hide something on the page, each once.
  package var hiding: [HidingRule] = []
  package var boxes: [Box] = []
  /// The number of elements that each rule of ``hiding`` matches, shown or not.
  package var matchCounts: [Int: Int] = [:]
  /// The page's URL after redirections, and its title.
  package var url: String
  package var title = ""
  /// The seconds from the first request until the page was loaded; `nil` if that took too long.
  package var seconds: Double?
  /// What did not go as it should.
  package var notes: [String] = []

  /// The bytes of all requests.
  package var bytes: Int { requests.reduce(0) { $0 + $1.bytes } }

  /// Creates a visit without requests.
  package init(url: String) { self.url = url }
}
