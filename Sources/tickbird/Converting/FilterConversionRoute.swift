internal import CommandInput
internal import CommandOutput
internal import ContentRules
internal import FilterConversion
internal import FilterLists
internal import TextOutput

/// Filter lists and hosts files as rule lists of WebKit.
enum FilterConversionRoute {
  /// Reads the lists with what they include, and converts them to one.
  ///
  /// - Parameters:
  ///   - request: The lists, and the engine that the rules are for.
  ///   - defaultTarget: The engine if the request names none; `nil` for the newest.
  /// - Returns: The rules with an account of every line.
  /// - Throws: `InputError` or `ExitStatus` if a list cannot be read.
  static func convert(
    _ request: ConversionRequest,
    defaultTarget: EngineRelease? = Self.defaultTarget
  ) throws -> any ConvertedList {
    var reader = FilterCollectionReader()
    var listSyntaxes: [ListSyntax] = []
    var status = ExitStatus.fine
    var progress = Progress()
    for path in request.paths {
      progress.show("reading \(path) …")
      do throws(InputError) {
        let source: FilterSource
        if var folder = FilterFolder(ofList: path) {
          source = try self.source(path, request.syntax, including: &folder)
          reader.add(source, including: &folder)
        } else {
          var none = NoIncludes()
          source = try self.source(path, request.syntax, including: &none)
          reader.add(source, including: &none)
        }
        listSyntaxes.append(
          ListSyntax(
            name: source.name,
            syntax: source.dialect.rawValue,
            syntaxName: source.dialect.name,
            isRecognized: request.syntax == nil
          )
        )
        if reader.collection.isCut {
          throw InputError(
            "with \(path) there are more than \(Shown.grouped(FilterCollectionReader.mostLines)) "
              + "lines; convert fewer lists at once"
          )
        }
      } catch {
        progress.end()
        ConsoleMessage.error(error.message)
        status = status | .wrongUse
      }
    }
    progress.end()
    try status.finish()
    progress.show("converting …")
    defer { progress.end() }
    let conversion = FilterConverter.convert(
      reader.collection,
      options: FilterConversionOptions(target: request.target ?? defaultTarget)
    )
    return ConvertedFilters(
      collection: reader.collection,
      conversion: conversion,
      listSyntaxes: listSyntaxes,
      target: request.target == nil ? defaultTarget : nil
    )
  }

  /// The engine that rules are for if none is named: every Safari of the last years takes them.
  static let defaultTarget = EngineRelease(safari: SafariVersion(16, 4))

  /// The most bytes of a list.
  private static let sizeLimit = 256 << 20

  private static func source(
    _ path: String,
    _ syntax: ConvertedSyntax?,
    including files: inout some FilterIncluding
  ) throws(InputError) -> FilterSource {
    let input = try ByteInput(path: path)
    let text = try input.readAll(limit: sizeLimit)
    if let format = OtherFormat.recognizeNoList(text.span) {
      throw InputError("\(input.name) \(format.refusal)")
    }
    if let syntax, let dialect = FilterDialect(rawValue: syntax.rawValue) {
      return FilterSource(name: input.name, dialect: dialect, text: text)
    }
    guard let dialect = FilterDialect.recognize(text, name: input.name, including: &files)
    else {
      throw InputError(
        "\(input.name) is JSON, and no filter list; Chromium's declarative rules are read by "
          + "--from dnr, and WebKit's rules by --from webkit with --to dnr"
      )
    }
    return FilterSource(name: input.name, dialect: dialect, text: text)
  }
}

/// A conversion of filters as the command reports it.
struct ConvertedFilters: ConvertedList {
  let collection: FilterCollection
  let conversion: FilterConversion
  let listSyntaxes: [ListSyntax]
  /// The engine that was assumed because none was named; `nil` if one was.
  let target: EngineRelease?

  var bytes: [UInt8] { conversion.json }
  var ruleCount: Int { conversion.ruleCount }
  var ruleLimit: Int { conversion.ruleLimit }
  var sources: [String] { collection.sources.map(\.name) }
  var syntaxes: [String] { collection.sources.map(\.dialect.rawValue) }
  var sourceDigests: [String] {
    collection.sources.map { source in
      // Without the lines that were joined.
      ByteDigest(
        source.text.count == source.fileSize
          ? source.text : Array(source.text.prefix(source.fileSize))
      ).text
    }
  }
  var lineCount: Int { collection.lines.count }
  var notes: [AccountedReason] {
    let notes = conversion.differences.map {
      AccountedReason(code: $0.rawValue, sentence: $0.sentence)
    }
    return notes + [wildcardNote, targetNote].compactMap(\.self)
  }

  /// Says that a list is for resolvers, and that its lines are read as filters all the same.
  private var wildcardNote: AccountedReason? {
    let numbers = collection.wildcardSources
    guard let first = numbers.first else { return nil }
    let others = numbers.count > 1 ? " and \(Shown.count(numbers.count - 1, "other list"))" : ""
    return AccountedReason(
      code: "wildcard-domains",
      sentence: """
        *.NAME, as nearly all lines of \(collection.sources[first].name)\(others) are, is a pattern of addresses \
        with .NAME anywhere, and not for NAME itself; take the list in Adblock syntax (||NAME^) or as a hosts file, \
        as most are published, too
        """
    )
  }

  /// What a newer target would give, if the target was assumed.
  private var targetNote: AccountedReason? {
    guard let target else { return nil }
    var gains: [String] = []
    if conversion.differences.contains(.genericHidingLater) {
      gains.append("hiding begins with the page itself")
    }
    let codes: Set<ConversionReason.Code> = [
      .targetLacks, .genericHidingToo, .genericHidingAlone, .importantToo, .rawTypes,
      .documentsOfAllFrames,
    ]
    // A line that has another reason as well stays an approximation for that.
    let lines = conversion.reasons.values.count {
      !$0.isEmpty && $0.allSatisfy { codes.contains($0.code) }
    }
    if lines > 0 { gains.append("\(Shown.count(lines, "more line")) can be converted exactly") }
    let gain = gains.isEmpty ? "nothing changes" : gains.joined(separator: ", and ")
    return AccountedReason(
      code: "default-target",
      sentence: "for \(target) and later, as no --target is named; with safari26.2 \(gain)"
    )
  }

  func outcome(ofLine line: Int) -> AccountedOutcome {
    switch conversion.outcomes[line] {
    case .converted: .converted
    case .approximated: .approximated
    case .impossible: .impossible
    case .comment: .comment
    }
  }

  func account(ofLine line: Int) -> AccountedLine {
    let place = collection.lines[line]
    let reasons = conversion.reasons[line] ?? []
    return AccountedLine(
      source: Int(place.source),
      line: Int(place.number),
      outcome: outcome(ofLine: line),
      rules: conversion.rules(ofLine: line).map { Int($0) },
      reasons: reasons.map { AccountedReason(code: $0.code.rawValue, sentence: $0.sentence) },
      text: FilterText.string(collection.text(of: place), place.range)
    )
  }
}
