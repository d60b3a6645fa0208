internal import ArgumentParser
internal import ContentRules

/// An engine release, as given on the command line.
struct TargetRelease: ExpressibleByArgument {
  let release: EngineRelease

  init?(argument: String) {
    let text = argument.lowercased()
    func version(after word: String) -> Substring? {
      guard text.hasPrefix(word) else { return nil }
      return text.dropFirst(word.utf8.count).drop { $0 == "-" || $0 == " " }
    }
    for (word, isIOS) in [("safari", false), ("ios", true)] {
      guard let number = version(after: word) else { continue }
      guard let version = SafariVersion(number),
        let release = EngineRelease(
          safari: isIOS ? SafariVersion(iOS: version) : version,
          name: isIOS ? "Safari on iOS \(version)" : nil
        )
      else { return nil }
      self.release = release
      return
    }
    let number = version(after: "webkitgtk") ?? text[...]
    if let named = EngineRelease.named.first(where: { $0.name?.hasSuffix(" " + number) == true }) {
      release = named
      return
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let year = parts[0], let month = parts[1],
      (2015...2100).contains(year), (1...12).contains(month)
    else { return nil }
    release = EngineRelease(year: year, month: month)
  }

  static var allValueStrings: [String] {
    ["safariVERSION", "iosVERSION"]
      + EngineRelease.named.compactMap { $0.name?.split(separator: " ").last.map(String.init) }
      + ["YYYY-MM"]
  }
}
