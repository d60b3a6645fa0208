internal import ResourceLoads

/// The requests of a page that may hide what the requests for its documents do not hide.
public enum HidingRequests: Hashable, Sendable {
  /// None.
  case none
  /// Those whose URL's host is one of these, in ASCII, or below it.
  case toHosts([[UInt8]])
  /// Any.
  case any
}

extension CompiledRuleList {
  /// The most hosts of ``HidingRequests/toHosts(_:)``.
  static let mostHidingHosts = 64

  /// Finds out which requests of a page may hide more than those for its documents.
  ///
  /// Most lists hide by the page's host alone. Then a document's own request tells all that is hidden in it, unless an
  /// ignore rule acts on that request, which other requests may not meet, or the page's URL holds another one, in
  /// which domains are found, too.
  ///
  /// - Returns: The requests. URLs with a user name are not thought of: one could look like a host.
  /// - Complexity: O(*n*) for *n* bytes of the file without its source.
  public func hidingRequests() -> HidingRequests {
    guard actionKinds >> UInt32(ActionKind.cssDisplayNone.rawValue) & 1 != 0 else { return .none }
    var found = HidingEntries(classes: classes, conditionCount: Int(info.conditionCount))
    for number in 0..<universal.count { found.note(universal.entry(number).entryClass) }
    let walk = IndexWalk(image: image, view: urlIndex)
    walk.eachOtherFilter { postings in
      postings.each { if found.note($0.number) { found.isAny = true } }
    }
    var hosts: [[UInt8]] = []
    walk.eachKeyFilter { filter in
      var hides = false
      filter.postings.each { if found.note($0.number) { hides = true } }
      guard hides, !found.isAny else { return }
      let host = image.bytes(filter.key)
      // A domain's pattern may begin at any "://" of a URL, as in a query.
      let isAtStart = HostAnchor.atStart >> UInt32(filter.head.anchorNumber) & 1 != 0
      guard filter.kind == .word, isAtStart, host.isHost, hosts.count < Self.mostHidingHosts else {
        found.isAny = true
        return
      }
      if !hosts.contains(host) { hosts.append(host) }
    }
    // The request for a document is judged by the document that its frame had before, and scripts change the path of
    // a page.
    if found.isAny || has(found, in: frameURLIndex, butDomains: false)
      || has(found, in: topURLIndex, butDomains: true)
    {
      return .any
    }
    return hosts.isEmpty ? .none : .toHosts(hosts)
  }

  /// Whether an index has conditions of entries that hide, domains apart if asked for.
  private func has(_ found: HidingEntries, in index: FilterIndexView, butDomains: Bool) -> Bool {
    let walk = IndexWalk(image: image, view: index)
    var isFound = false
    func note(_ postings: PostingList) {
      postings.each { if found.has(condition: $0.number) { isFound = true } }
    }
    walk.eachOtherFilter(note)
    walk.eachKeyFilter { filter in
      let isAnywhere = HostAnchor.anywhere >> UInt32(filter.head.anchorNumber) & 1 != 0
      let isDomain = isAnywhere && (filter.program.map { runner.endsDomain(Int($0)) } ?? true)
      if !butDomains || !isDomain { note(filter.postings) }
    }
    return isFound
  }
}

/// What is known of the entries of a list that may hide because of a request that is not for a document.
private struct HidingEntries {
  private let classes: EntryClasses
  /// Which conditions they have.
  private var conditions: [Bool]
  /// Whether any request may be one that hides more.
  var isAny = false

  init(classes: EntryClasses, conditionCount: Int) {
    self.classes = classes
    conditions = Array(repeating: false, count: conditionCount)
  }

  /// Notes an entry class, and says whether it hides because of such requests.
  @discardableResult
  mutating func note(_ number: UInt32) -> Bool {
    let entryClass = classes[number]
    guard entryClass.mayHideBesideDocuments else { return false }
    if !entryClass.hidesWhateverTheLoad { isAny = true }
    if let condition = entryClass.conditionNumber { conditions[condition] = true }
    return true
  }

  func has(condition: UInt32) -> Bool { conditions[Int(condition)] }
}

extension EntryClass {
  /// Whether the entry may hide elements because of a request that is not for a document.
  fileprivate var mayHideBesideDocuments: Bool {
    guard kind == .cssDisplayNone else { return false }
    let types = TriggerFlags(packed: flags).resourceTypes
    return types.isEmpty || !types.isSubset(of: [.topDocument, .childDocument])
  }
}

extension [UInt8] {
  /// Whether it can be the end of a host as browsers' patterns for hosts have it.
  ///
  /// Those are letters, digits, hyphens, and dots in between. A host whose last label is a number is an IPv4 address,
  /// or none; of an address, an end is no host.
  fileprivate var isHost: Bool {
    let labels = split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let last = labels.last, labels.allSatisfy({ !$0.isEmpty }) else { return false }
    let isPlain = allSatisfy { FilterIndex.isWordByte($0) && $0 != UInt8(ascii: "_") }
    return isPlain && !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= last[last.startIndex])
  }
}
