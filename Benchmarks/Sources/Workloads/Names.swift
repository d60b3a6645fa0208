/// The hosts, words and paths that generated lists and requests are made of.
///
/// A list's hosts are numbered, so that requests can use a host of the list without having the
/// list.
struct Names: Sendable {
  let seed: UInt64

  /// Words of paths and parameters that lists look for.
  static let advertisingWords = [
    "ads", "adserver", "banner", "beacon", "track", "pixel", "sponsor", "popunder", "analytics",
    "prebid", "telemetry", "metrics", "adframe", "clickid", "doubleclick", "impression", "collect",
    "affiliate", "promo", "adtag",
  ]
  /// Words of paths that lists do not look for.
  static let plainWords = [
    "assets", "static", "images", "js", "css", "media", "news", "article", "video", "user", "api",
    "search", "product", "category", "content", "upload", "gallery", "fonts", "lib", "app", "main",
    "theme", "page", "index", "home", "list", "thumb", "icon", "common", "vendor", "bundle",
    "jquery", "player", "comment", "item", "shop", "cart", "profile", "local", "dist",
  ]
  private static let syllables = [
    "ad", "ba", "ce", "di", "er", "fo", "ga", "he", "in", "jo", "ka", "li", "mo", "ne", "or", "pa",
    "qu", "re", "sa", "ti", "un", "ve", "wi", "xa", "yo", "za", "ster", "link", "trk", "med", "net",
    "pro", "clk", "data", "serv", "tag",
  ]
  private static let topLevels: [(weight: Double, value: String)] = [
    (56, "com"), (8, "net"), (5, "org"), (4, "ru"), (4, "de"), (3, "co.uk"), (3, "io"), (3, "xyz"),
    (2, "space"), (2, "site"), (2, "fr"), (2, "jp"), (2, "com.br"), (1, "online"), (1, "top"),
    (1, "info"), (1, "se"),
  ]

  /// The registrable domain with a number.
  func domain(_ number: Int) -> String {
    var random = SeededGenerator(seed: seed ^ UInt64(bitPattern: Int64(number)) &* 0x2545_F491)
    var label = ""
    for _ in 0..<2 + random.below(3) { label += random.pick(Self.syllables) }
    // The number keeps the names apart, as digits do in many real ones.
    label += String(number, radix: 36)
    return label + "." + random.pick(weighted: Self.topLevels)
  }

  /// Returns the host with a number: a domain or, for a third of them, a subdomain.
  func host(_ number: Int) -> String {
    var random = SeededGenerator(seed: seed &+ UInt64(bitPattern: Int64(number)) &* 0x9E37_79B9)
    let domain = domain(number)
    switch random.below(100) {
    case 0..<26: return random.pick(Self.advertisingWords) + "." + domain
    case 26..<33:
      return random.pick(Self.plainWords) + "." + random.pick(Self.advertisingWords) + "." + domain
    default: return domain
    }
  }

  /// Returns the number of a site that is not a host of a list.
  static func site(_ number: Int) -> Int { 50_000_000 + number }

  /// A path's word with digits or without.
  static func word(_ random: inout SeededGenerator) -> String {
    let word = random.pick(plainWords)
    return random.below(4) == 0 ? word + String(random.below(1000)) : word
  }
}
