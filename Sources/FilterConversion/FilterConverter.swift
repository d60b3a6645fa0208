package import FilterLists

/// Converts filter lists to one rule list for WebKit.
///
///     let conversion = FilterConverter.convert(reader.collection)
///     conversion.json                  // the rule list
///     conversion.outcomes              // what became of each line
///
/// > Source: the documentation of Adblock Plus, AdGuard and uBlock Origin; the rule language for what
/// > the rules mean. `Documentation/Convert.md` has the table of what becomes what.
package enum FilterConverter {
  /// Converts all lines of a collection.
  ///
  /// - Parameters:
  ///   - collection: The lines.
  ///   - options: What the rules are for.
  /// - Returns: The rules, and an account of every line.
  /// - Complexity: O(*n*) for *n* bytes, apart from regular expressions, which are bounded each.
  package static func convert(
    _ collection: FilterCollection,
    options: FilterConversionOptions = FilterConversionOptions()
  ) -> FilterConversion {
    var list = ListBuilder(lineCount: collection.lines.count, target: options.target)
    var disabled = DisabledFilters(collection)
    var network = NetworkConverter()
    var hiding = HidingConverter()
    for (number, line) in collection.lines.enumerated() {
      if let reason = reason(line, number, collection) {
        list.account(
          number,
          line.standing == .refused || line.standing == .tooLong
            ? .impossible : .comment,
          reason
        )
        continue
      }
      guard line.standing == .ordinary else { continue }
      let index = Int(line.source)
      let filter = FilterParser.parse(
        collection.sources[index].text,
        line.range,
        dialect: collection.sources[index].dialect
      )
      if case .comment = filter { continue }
      guard FilterText.isUTF8(collection.sources[index].text, line.range) else {
        list.account(number, .impossible, ConversionReason(.notUTF8))
        continue
      }
      switch filter {
      case .comment: break
      case .localNames: list.account(number, .comment, ConversionReason(.localName))
      case .faulty(let sentence):
        list.account(number, .impossible, ConversionReason(.noFilter, sentence))
      case .hosts(var hosts):
        let text = collection.sources[index].text
        hosts.removeAll { disabled.contains(host: $0, text) }
        guard !hosts.isEmpty else {
          list.account(number, .converted, ConversionReason(.disabledByBadfilter))
          continue
        }
        network.convert(hosts: hosts, collection.sources[index], line: number, &list)
      case .hiding(let filter):
        hiding.add(filter, collection.sources[index], number: index, line: number, &list)
      case .network(let filter):
        if filter.modifiers.contains(where: { $0.kind == .badfilter }) {
          disabled.add(filter, collection.sources[index], line: number)
        } else if disabled.contains(filter, collection.sources[index]) {
          list.account(number, .converted, ConversionReason(.disabledByBadfilter))
        } else {
          network.convert(filter, collection.sources[index], line: number, &list)
        }
      }
    }
    disabled.account(&list)
    hiding.finish(
      collection.sources,
      lifted: LiftedDomains(network.specificHidingExceptions),
      &list
    )
    list.pageExceptions.write(to: &list)
    network.writeSpecificExclusive(&list)
    list.writeBarrier()
    var differences: [ConversionDifference] = [.topPage]
    switch list.barrier {
    case .following: break
    case .previous:
      let lifts: [RulePart] = [.hostPageExceptions, .pageExceptions, .importantPageExceptions]
      let liftsGenericHiding =
        list.shieldsPages || lifts.contains { list.sections[$0.rawValue].count > 0 }
      if liftsGenericHiding, list.sections[RulePart.genericHiding.rawValue].count > 0 {
        differences.append(.genericHidingLater)
      }
    case .none: differences += [.pagesBlocked, .exceptionsLiftHiding]
    }
    return list.finish(differences: differences)
  }

  /// Why a line is not looked at as a filter, if there is more to say than that it is a comment.
  private static func reason(
    _ line: FilterLine,
    _ number: Int,
    _ collection: FilterCollection
  ) -> ConversionReason? {
    switch line.standing {
    case .ordinary, .directive: nil
    case .affinity: ConversionReason(.affinity)
    case .switchedOff: ConversionReason(.switchedOff)
    case .otherPlatform: ConversionReason(.otherPlatform)
    case .refused: ConversionReason(.includeRefused, collection.refusals[number] ?? "")
    case .tooLong: ConversionReason(.lineTooLong)
    }
  }
}

/// Filters that others disable by `$badfilter`.
struct DisabledFilters {
  private var keys: Set<[UInt8]> = []
  /// Those that some filter has.
  private var used: Set<[UInt8]> = []
  private var lines: [(key: [UInt8], line: Int)] = []

  /// Reads all filters with `$badfilter`.
  init(_ collection: FilterCollection) {
    for line in collection.lines where line.standing == .ordinary {
      let source = collection.sources[Int(line.source)]
      guard FilterText.contains(source.text, line.range, "badfilter"),
        case .network(let filter) = FilterParser.parse(
          source.text,
          line.range,
          dialect: source.dialect
        ), filter.modifiers.contains(where: { $0.kind == .badfilter })
      else { continue }
      keys.insert(Self.key(filter, source))
    }
  }

  /// Whether a filter is disabled.
  mutating func contains(_ filter: NetworkFilter, _ source: FilterSource) -> Bool {
    guard !keys.isEmpty else { return false }
    return uses(Self.key(filter, source))
  }

  /// Whether a host of a hosts file's line is disabled, as `||host^`.
  mutating func contains(host: Range<Int>, _ text: [UInt8]) -> Bool {
    guard !keys.isEmpty, let host = AddressFilter.asciiHost(text[host]) else { return false }
    return uses(Self.key(host: host) + [0, 0])
  }

  private mutating func uses(_ key: [UInt8]) -> Bool {
    guard keys.contains(key) else { return false }
    used.insert(key)
    return true
  }

  /// Takes the line of a filter with `$badfilter`.
  mutating func add(_ filter: NetworkFilter, _ source: FilterSource, line: Int) {
    lines.append((Self.key(filter, source), line))
  }

  /// Accounts for the lines, once all filters have been looked at.
  func account(_ list: inout ListBuilder) {
    for (key, line) in lines {
      let code = used.contains(key) ? ConversionReason.Code.disablesFilters : .cancelsNothing
      list.account(line, .converted, ConversionReason(code))
    }
  }

  /// The pattern with the modifiers in one order and one spelling, `badfilter` apart.
  private static func key(_ filter: NetworkFilter, _ source: FilterSource) -> [UInt8] {
    let text = source.text
    var key = Array(text[filter.pattern])
    if source.dialect == .ubo, !filter.isRegex, NetworkConverter.anchorsHosts(filter, text),
      let host = AddressFilter.hostName(text, filter.pattern)
    {
      key = Self.key(host: host)
    }
    key.append(filter.isException ? 1 : 0)
    key.append(filter.isRegex ? 1 : 0)
    let modifiers = filter.modifiers
      .filter { $0.kind != .badfilter && $0.kind != .noop }
      .map { spelling($0, text) }
    for modifier in modifiers.sorted() {
      key.append(0)
      key += Array(modifier.utf8)
    }
    return key
  }

  private static func key(host: [UInt8]) -> [UInt8] {
    Array("||".utf8) + host + [UInt8(ascii: "^")]
  }

  /// Returns one spelling for all that mean the same, such as `3p`, `third-party` and `~1p`.
  private static func spelling(_ modifier: FilterModifier, _ text: [UInt8]) -> String {
    var kind = modifier.kind
    var isNegated = modifier.isNegated
    switch kind {
    case .script, .image, .stylesheet, .font, .media, .object, .subdocument, .xmlhttprequest,
      .websocket, .ping, .other, .webrtc, .document, .popup, .popunder, .all, .inlineScript,
      .inlineFont, .elemhide, .generichide, .specifichide, .genericblock, .urlblock, .thirdParty,
      .strictThirdParty, .domain, .to, .denyallow, .matchCase, .important:
      break
    case .firstParty, .strictFirstParty:
      kind = kind == .firstParty ? .thirdParty : .strictThirdParty
      isNegated.toggle()
    // Of other kinds different names may say different things.
    default: return FilterText.string(text, modifier.text)
    }
    let name = (isNegated ? "~" : "") + String(kind.rawValue)
    guard let value = modifier.value else { return name }
    let domains = FilterText.split(text, value, at: UInt8(ascii: "|"))
      .map { FilterText.string(text, $0).lowercased() }
    return name + "=" + Set(domains).sorted().joined(separator: "|")
  }
}
