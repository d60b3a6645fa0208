internal import ResourceLoads

/// Generates requests from a seed, with the lengths, types and sequences of pages of recorded ones.
public enum GeneratedRequests {
  private static let types: [(weight: Double, value: ResourceType)] = [
    (46.3, .image), (30, .script), (8.6, .fetch), (5, .styleSheet), (2, .font), (1.5, .media),
    (1.2, .other),
  ]
  /// The lengths of URLs in bytes, by the share of URLs up to that length.
  private static let lengths: [(share: Double, length: Double)] = [
    (0, 22), (0.25, 56), (0.5, 78), (0.75, 135), (0.9, 320), (0.99, 1666), (0.999, 4000),
    (1, 10_600),
  ]

  /// Generates requests of pages that load part of what they need from a list's hosts.
  ///
  /// - Parameters:
  ///   - count: The number of requests.
  ///   - list: The list whose hosts a third of the requests go to.
  ///   - seed: The seed.
  /// - Returns: The requests, page by page.
  public static func make(_ count: Int, for list: GeneratedList, seed: UInt64 = 1) -> [Request] {
    var random = SeededGenerator(seed: seed &* 0x5851_F42D_4C95_7F2D)
    var requests: [Request] = []
    requests.reserveCapacity(count)
    var page = ""
    while requests.count < count {
      // One request in six begins a page.
      if page.isEmpty || random.share() < 0.17 {
        let site = list.names.domain(Names.site(random.below(2_000)))
        page = "https://www.\(site)/"
        if random.below(3) > 0 { page += "\(Names.word(&random))/\(Names.word(&random))" }
        if random.share() < 0.32 {
          requests.append(Request(page, source: page, .topDocument, .firstParty))
          continue
        }
      }
      requests.append(request(of: page, list, &random))
    }
    return requests
  }

  private static func request(
    of page: String,
    _ list: GeneratedList,
    _ random: inout SeededGenerator
  ) -> Request {
    let type = random.pick(weighted: types)
    let kind = random.share()
    var url: String
    var loadType = LoadType.thirdParty
    if kind < 0.32 {
      url = page
      if let end = page.utf8.dropFirst(8).firstIndex(of: UInt8(ascii: "/")) {
        url = String(page[..<end])
      }
      loadType = .firstParty
    } else if kind < 0.66 {
      // The square makes a few hosts frequent, as trackers are.
      let place = random.share() * random.share()
      url = "https://" + list.names.host(Int(place * Double(list.ruleCount)))
    } else {
      let number = Names.site(20_000 + random.below(3_000))
      url = "https://\(Names.word(&random)).\(list.names.domain(number))"
    }
    url += "/"
    for _ in 0..<1 + random.below(3) { url += Names.word(&random) + "/" }
    if random.below(12) == 0 { url += random.pick(Names.advertisingWords) + "/" }
    url += Names.word(&random) + random.pick([".js", ".png", ".gif", ".css", "", ".jpg", ".html"])
    pad(&url, to: length(random.share()), &random)
    return Request(url, source: page, type, loadType)
  }

  private static func length(_ share: Double) -> Int {
    for (low, high) in zip(lengths, lengths.dropFirst()) where share <= high.share {
      let part = (share - low.share) / (high.share - low.share)
      return Int(low.length + (high.length - low.length) * part * part)
    }
    return Int(lengths[lengths.count - 1].length)
  }

  /// Appends parameters until the URL has about the given length.
  private static func pad(_ url: inout String, to length: Int, _ random: inout SeededGenerator) {
    var separator = "?"
    while url.utf8.count + 8 < length {
      url += "\(separator)\(Names.word(&random))="
      switch random.below(4) {
      case 0: url += String(random.next(), radix: 16)
      case 1: url += "https%3A%2F%2Fwww.example.com%2F\(Names.word(&random))"
      case 2: url += "\(random.below(2000))x\(random.below(2000))"
      default: url += Names.word(&random)
      }
      separator = "&"
    }
  }
}
