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
    var hiding = HidingConverter(collection.sources)
    network.importantPages = ImportantPages(collection)
    network.importantGenericExceptions = ImportantGenericExceptions(collection, disabled)
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
        } else {
          let source = collection.sources[index]
          switch disabled.extent(of: filter, source) {
          case .everything:
            list.account(number, .converted, ConversionReason(.disabledByBadfilter))
          case .nothing: network.convert(filter, source, line: number, &list)
          case .undecided:
            list.account(number, .impossible, ConversionReason(.tooManyExclusions))
          case .pages(let pages):
            network.convert(filter, source, disabledOn: pages, line: number, &list)
          }
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
