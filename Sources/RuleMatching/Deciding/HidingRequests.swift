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
  /// ignore rule acts on that request, which other requests may not meet.
  ///
  /// - Returns: The requests. URLs with a user name are not thought of: one could look like a host.
  /// - Complexity: O(*n*) for *n* bytes of the file without its source.
  public func hidingRequests() -> HidingRequests {
    guard actionKinds >> UInt32(ActionKind.cssDisplayNone.rawValue) & 1 != 0 else { return .none }
    // The request for a document is judged by the document that its frame had before, and scripts change the path of a
    // page.
    guard !hasFrameURLConditions, topURLConditionsAreDomains else { return .any }
    for number in 0..<universal.count {
      let entryClass = classes[universal.entry(number).entryClass]
      if !entryClass.hidesWhateverTheLoad, entryClass.mayHideBesideDocuments { return .any }
    }
    let walk = IndexWalk(image: image, view: urlIndex)
    func mayHide(_ postings: PostingList) -> Bool {
      var mayHide = false
      postings.each { if classes[$0.number].mayHideBesideDocuments { mayHide = true } }
      return mayHide
    }
    var isAny = false
    walk.eachOtherFilter { if !isAny, mayHide($0) { isAny = true } }
    if isAny { return .any }
    var hosts: [[UInt8]] = []
    walk.eachKeyFilter { filter in
      guard !isAny, mayHide(filter.postings) else { return }
      let host = image.bytes(filter.key)
      // A domain's pattern may begin at any "://" of a URL, as in a query.
      let isAtStart = HostAnchor.atStart >> UInt32(filter.head.anchorNumber) & 1 != 0
      guard filter.kind == .word, isAtStart, host.isHost, hosts.count < Self.mostHidingHosts else {
        isAny = true
        return
      }
      if !hosts.contains(host) { hosts.append(host) }
    }
    return isAny ? .any : hosts.isEmpty ? .none : .toHosts(hosts)
  }

  /// Whether all conditions on the top URL are domains.
  private var topURLConditionsAreDomains: Bool {
    guard topURLFilters.isEmpty, topURLIndex.gramStride == 0 else { return false }
    var areDomains = true
    IndexWalk(image: image, view: topURLIndex).eachKeyFilter { filter in
      let isAnywhere = HostAnchor.anywhere >> UInt32(filter.head.anchorNumber) & 1 != 0
      let isWhole = filter.program.map { runner.isOneCharacter(Int($0)) } ?? true
      if !isAnywhere || filter.kind != .word || !isWhole { areDomains = false }
    }
    return areDomains
  }
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
  /// Whether it can be the end of a host as URLs have it: letters, digits, hyphens, and dots in between.
  ///
  /// A word of the index may have other characters, too, of which no host that is asked for is made.
  fileprivate var isHost: Bool {
    guard let first, let last, first != UInt8(ascii: "."), last != UInt8(ascii: ".") else {
      return false
    }
    return allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
  }
}
