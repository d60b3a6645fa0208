internal import LoadDeciding
package import ResourceLoads
internal import WebURL

// Hot: read for every line of a log and every row of a batch. Allocates nothing, except for a document
// whose URL or page has to be parsed.

/// A word of a load's description, of at most 16 bytes, compared as two integers.
package struct LoadWord: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Reads a word; `nil` for none, and for one that is longer than any known.
  package init?(_ text: Span<UInt8>) {
    guard text.count <= 16, !text.isEmpty else { return nil }
    for place in text.indices { append(text[place]) }
  }

  /// Reads a word in which the case of letters does not matter, as its small ones.
  package init?(ignoringCase text: Span<UInt8>) {
    guard text.count <= 16, !text.isEmpty else { return nil }
    for place in text.indices {
      let byte = text[place]
      append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
    }
  }

  /// Creates a word of at most 16 bytes.
  package init(_ text: String) {
    for byte in text.utf8.prefix(16) { append(byte) }
  }

  private mutating func append(_ byte: UInt8) {
    high = high &<< 8 | low &>> 56
    low = low &<< 8 | UInt64(byte)
  }

  /// Returns the type that the word means; `nil` if it means none.
  ///
  /// - Parameters:
  ///   - context: The frame that starts the load, if it is given.
  ///   - url: The URL, which with the page decides what `document` means. It does not matter if one
  ///     of them is invalid.
  ///   - page: The page; empty if there is none.
  /// - Returns: The type.
  package func resourceType(
    _ context: LoadContext?,
    url: Span<UInt8>,
    page: Span<UInt8>
  ) -> ResourceType? {
    for known in Self.types where known.word == self { return known.type }
    return self == Self.document ? Self.documentType(context, url: url, page: page) : nil
  }

  private static func documentType(
    _ context: LoadContext?,
    url: Span<UInt8>,
    page: Span<UInt8>
  ) -> ResourceType {
    if let context { return context == .childFrame ? .childDocument : .topDocument }
    guard !page.isEmpty else { return .topDocument }
    if let parts = WebURL.parts(ofPlainlySerialized: url),
      let pageParts = WebURL.parts(ofPlainlySerialized: page)
    {
      let end = LoadDefaults.matchedCount(
        of: url,
        .topDocument,
        fragmentStart: parts.fragmentStart
      )
      let pageEnd = LoadDefaults.matchedCount(
        of: page,
        .topDocument,
        fragmentStart: pageParts.fragmentStart
      )
      let isPage = url.extracting(0..<end).hasSameBytes(as: page.extracting(0..<pageEnd))
      return isPage ? .topDocument : .childDocument
    }
    guard let url = WebURL(utf8: url) else { return .topDocument }
    return LoadWords.documentType(nil, url: url, page: WebURL(utf8: page))
  }

  /// Returns how many bytes of a URL rules see for a load of the word's type: all, but for a text
  /// track not the fragment.
  package func matchedCount(of url: Span<UInt8>) -> Int {
    guard self == Self.textTrack else { return url.count }
    for place in url.indices where url[place] == UInt8(ascii: "#") {
      return Self.isHTTP(url.extracting(0..<place)) ? place : url.count
    }
    return url.count
  }

  /// Whether a text begins as an `http` or `https` URL does, which may be parsed yet.
  private static func isHTTP(_ text: Span<UInt8>) -> Bool {
    var scheme = LoadWord("")
    for place in text.indices {
      let byte = text[place]
      if byte <= 0x20, scheme == LoadWord("") { continue }
      if byte == UInt8(ascii: ":") { return scheme == http || scheme == https }
      // Beyond 16 letters it is none of them, and the first ones are lost.
      guard scheme.high >> 56 == 0 else { return false }
      scheme.append(byte | 0x20)
    }
    return false
  }

  private static let http = LoadWord("http")
  private static let https = LoadWord("https")
  /// The load context that the word means.
  package var loadContext: LoadContext? {
    self == Self.topFrame ? .topFrame : self == Self.childFrame ? .childFrame : nil
  }

  /// The load type that the word means.
  package var loadType: LoadType? {
    self == Self.firstParty ? .firstParty : self == Self.thirdParty ? .thirdParty : nil
  }

  /// The method that the word, in small letters, means; `nil` for one that rules cannot name.
  package var requestMethod: RequestMethod? {
    for known in Self.methods where known.word == self { return known.method }
    return nil
  }

  private static let topFrame = LoadWord("top-frame")
  private static let childFrame = LoadWord("child-frame")
  private static let firstParty = LoadWord("first-party")
  private static let thirdParty = LoadWord("third-party")
  private static let methods = RequestMethod.allCases.map { (word: LoadWord($0.word), method: $0) }
  private static let document = LoadWord("document")
  private static let textTrack = LoadWord("texttrack")

  /// The engine's words, frequent ones first, then those of Chromium's developer tools.
  private static let types: [(word: LoadWord, type: ResourceType)] = {
    let often: ResourceType = [.image, .script, .fetch, .styleSheet, .font, .other, .media]
    var types: [(word: LoadWord, type: ResourceType)] = []
    for isOften in [true, false] {
      for known in ResourceType.words where often.contains(known.type) == isOften {
        types.append((LoadWord("\(known.word)"), known.type))
      }
    }
    for other in LoadWords.chromiumTypes { types.append((LoadWord(other.word), other.type)) }
    return types
  }()
}
