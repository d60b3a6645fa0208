internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ResourceLoads
internal import WebURL

/// A filter for the loads to show.
struct LoadFilter {
  var onlyBlocked = false
  var onlyLoaded = false
  var onlyMatched = false
  /// Empty for all types.
  var types: ResourceType = []
  /// Hosts of loads, their subdomains included; empty for all.
  var hosts: [String] = []

  /// Parses types and hosts from the command line.
  ///
  /// - Throws: ``InputError`` that names an invalid type or host.
  init(types words: [String], hosts names: [String]) throws {
    for word in words {
      if word == "document" {
        types.formUnion([.topDocument, .childDocument])
        continue
      }
      guard let type = LoadWords.resourceType(word) else {
        throw InputError(
          "--type: " + LoadWords.unknown("type", word, among: LoadWords.resourceTypeWords)
        )
      }
      types.insert(type)
    }
    for name in names {
      guard let host = WebURL("https://\(name)/")?.host, WebURL("https://\(name)/")?.port == nil,
        !name.contains("/")
      else {
        throw InputError("--host: \(name) is not a host; write it without scheme and path")
      }
      hosts.append(host)
    }
  }

  /// Whether it excludes anything.
  var isActive: Bool {
    onlyBlocked || onlyLoaded || onlyMatched || !types.isEmpty || !hosts.isEmpty
  }

  func admits(_ load: ResourceLoad, _ verdict: LoadVerdict) -> Bool {
    if onlyBlocked, !verdict.fate.isBlocked { return false }
    if onlyLoaded, verdict.fate.isBlocked { return false }
    if onlyMatched, !verdict.isMatched { return false }
    if !types.isEmpty, !types.contains(load.resourceType) { return false }
    guard !hosts.isEmpty else { return true }
    let host = load.url.host ?? ""
    return hosts.contains { host == $0 || host.hasSuffix(".\($0)") }
  }

  /// Returns how many loads there are of the kind, such as `2 loads are blocked`.
  func sentence(_ count: Int) -> String {
    var kinds: [String] = []
    if !types.isEmpty {
      let names = ResourceType.words.filter { types.contains($0.type) }.map { "\($0.word)" }
      kinds.append("of type " + names.joined(separator: " or "))
    }
    if !hosts.isEmpty { kinds.append("to " + hosts.map(Shown.line).joined(separator: " or ")) }
    var states: [String] = []
    if onlyBlocked { states.append("blocked") }
    if onlyLoaded { states.append("not blocked") }
    if onlyMatched { states.append("matched by a rule") }
    let verb = count > 1 ? "are" : "is"
    let loads = count == 0 ? "No load" : Shown.count(count, "load")
    return states.isEmpty
      ? "\(loads) \(verb) \(kinds.joined(separator: " and "))."
      : "\(([loads] + kinds).joined(separator: " ")) \(verb) \(states.joined(separator: " and "))."
  }
}
