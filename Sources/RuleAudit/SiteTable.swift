internal import WebURL

/// The sites of pages, numbered in the order of appearance.
///
/// A site is the registrable domain of a page's host, or the host itself if it has none, such as an
/// IP address.
struct SiteTable {
  private struct Site {
    var name: [UInt8]
    var outcomes = Outcomes()
    var record = Record()
    var touch = ChunkTouch()
  }

  private var numbers: [ByteKey: Int] = [:]
  private var sites: [Site] = []
  private var touched: [Int] = []

  mutating func number(of site: PageSite) -> Int {
    let name = site.domain
    if let number = numbers[ByteKey(name)] { return number }
    numbers[ByteKey(name)] = sites.count
    sites.append(Site(name: name))
    return sites.count - 1
  }

  @inline(__always)
  mutating func count(
    _ number: Int,
    _ flags: Flags,
    _ firstParty: FirstPartyKind,
    _ tally: Tally,
    _ row: Int32,
    _ chunk: Int32
  ) {
    sites[number].outcomes.add(flags, firstParty)
    guard tally.matched > 0 else { return }
    sites[number].record.tally += tally
    if sites[number].touch.chunk != chunk { touched.append(number) }
    sites[number].touch.note(row, chunk)
  }

  mutating func takeExamples(_ rows: ChunkRows, _ chunk: Int32) {
    for number in touched {
      let record = sites[number].record
      (sites[number].record.first, sites[number].record.last) = rows.examples(
        sites[number].touch,
        record.first,
        record.last
      )
    }
    touched.removeAll(keepingCapacity: true)
  }

  /// The names, by number.
  var names: [[UInt8]] { sites.map(\.name) }

  /// All findings, by name.
  var found: [[UInt8]: AuditedSite] {
    var found: [[UInt8]: AuditedSite] = [:]
    for site in sites where site.outcomes.requests > 0 {
      found[site.name, default: AuditedSite()].outcomes = site.outcomes
      found[site.name, default: AuditedSite()].record = site.record
    }
    return found
  }
}
