internal import CommandInput
internal import ContentBlocking
internal import ContentRules
internal import FilterConversion
internal import FilterLists
internal import RuleMatching

/// Whom the bytes of a list are from.
public enum ListOrigin: Sendable {
  /// A person, who has written or named it.
  case person
  /// A server, which may have a message in the place of the list.
  case server
}

/// Makes compiled lists of the bytes that servers and files have, whatever their syntax.
///
///     let list = try ListIngestion.ingest(bytes, name: "easylist.txt")
///     list.compiled                    // the file for browsers
///     list.summary.rules               // how many rules it has
///
/// Takes WebKit's JSON and the syntax of other blockers, plain or compressed by gzip. What is none of
/// these, such as the page that a server has in place of a list, is refused with a sentence.
public enum ListIngestion {
  /// Recognises, converts and compiles a list.
  ///
  /// - Parameters:
  ///   - bytes: What was fetched or read.
  ///   - name: The file's name in the account of the lines.
  ///   - origin: Whom they are from.
  ///   - limits: What the list may cost.
  /// - Returns: The compiled list with its text and the account of its lines.
  /// - Throws: ``IngestionError``.
  /// - Complexity: O(*n*) for *n* bytes, apart from patterns, which are bounded each.
  public static func ingest(
    _ bytes: [UInt8],
    name: String,
    from origin: ListOrigin = .person,
    limits: IngestionLimits = IngestionLimits()
  ) throws(IngestionError) -> IngestedList {
    let isCompressed = bytes.starts(with: [0x1F, 0x8B])
    let text = isCompressed ? try unfolded(bytes, limits) : bytes
    guard text.count <= limits.bytes else { throw tooLarge(limits) }
    if let error = ListContents.fault(of: text) { throw error }
    var summary = ListSummary(
      format: .webkit,
      isCompressed: isCompressed,
      header: ListHeader(),
      rules: 0,
      lines: nil,
      reasons: [],
      fileVersion: Int(FileLayout.version)
    )
    guard let dialect = FilterDialect.recognize(text) else {
      let compiled = try compile(text, &summary, limits, refusal: refusal)
      return IngestedList(text: text, compiled: compiled, map: nil, summary: summary)
    }
    if let error = ListContents.faultOfFilters(text, dialect, from: origin) { throw error }
    summary.format = ListSummary.Format(rawValue: dialect.rawValue) ?? .abp
    summary.header = ListHeader(of: text)
    var reader = FilterCollectionReader()
    var none = NoIncludes()
    reader.add(FilterSource(name: name, dialect: dialect, text: text), including: &none)
    let conversion = FilterConverter.convert(reader.collection)
    let account = LineAccount(collection: reader.collection, conversion: conversion)
    summary.lines = account.counts
    summary.reasons = account.reasons
    guard conversion.ruleCount > 0 else {
      throw IngestionError(
        .noRules,
        "no line of it became a rule"
          + (account.reasons.first.map { "; of line \($0.firstLine): \($0.sentence)" } ?? "")
      )
    }
    let compiled = try compile(conversion.json, &summary, limits) { report in
      IngestionError(
        .refused,
        "its rules were refused, which is Tickbird's fault: "
          + (report.webKitError?.message ?? "no reason is known")
      )
    }
    return IngestedList(text: text, compiled: compiled, map: account.map(), summary: summary)
  }

  /// Decompresses what a server sent by gzip.
  ///
  /// - Parameters:
  ///   - bytes: All of it.
  ///   - limits: Of which the bytes count.
  /// - Returns: The bytes in it.
  /// - Throws: ``IngestionError`` with code `.damaged`, also for what is cut off, or `.tooLarge`.
  public static func unfold(
    _ bytes: [UInt8],
    limits: IngestionLimits = IngestionLimits()
  ) throws(IngestionError) -> [UInt8] {
    let text = try unfolded(bytes, limits)
    guard text.count <= limits.bytes else { throw tooLarge(limits) }
    return text
  }

  private static func tooLarge(_ limits: IngestionLimits) -> IngestionError {
    IngestionError(.tooLarge, "it has more than \(limits.bytes >> 20) MiB")
  }

  /// Decompresses bytes; stops behind the limit, which the caller checks.
  private static func unfolded(
    _ bytes: [UInt8],
    _ limits: IngestionLimits
  ) throws(IngestionError) -> [UInt8] {
    var text: [UInt8] = []
    do throws(InputError) {
      let inflater = try Inflater(name: "it")
      try inflater.append(bytes)
      while let piece = try inflater.next() {
        text += piece
        if text.count > limits.bytes { return text }
      }
      try inflater.append([])
    } catch {
      throw IngestionError(.damaged, error.message)
    }
    return text
  }

  /// Compiles a list, and completes its summary.
  private static func compile(
    _ json: [UInt8],
    _ summary: inout ListSummary,
    _ limits: IngestionLimits,
    refusal: (RuleListReport) -> IngestionError
  ) throws(IngestionError) -> [UInt8] {
    guard json.count <= limits.ruleBytes else {
      throw IngestionError(
        .tooLarge,
        "its rules have \(json.count >> 20) MiB, and a list may have \(limits.ruleBytes >> 20)"
      )
    }
    var options = ContentRuleList.readingOptions()
    // Compiling itself finds what is too costly.
    options.limitFault = nil
    options.findsTraps = false
    options.ruleLimit = limits.rules
    do throws(RuleListError) {
      let (file, report) = try ContentRuleList.compile(json, options: options)
      summary.rules = report.ruleCount
      return file
    } catch {
      switch error {
      case .refused(let report):
        throw report.ruleCount > limits.rules
          ? IngestionError(
            .tooLarge,
            "it has \(report.ruleCount) rules, and a list may have \(limits.rules)"
          )
          : refusal(report)
      case .exceedsLimits(let fault):
        throw IngestionError(
          .exceedsLimits,
          "\(fault.rule.map { "rule \($0): " } ?? "")\(fault.message)"
        )
      case .damaged: throw IngestionError(.exceedsLimits, error.message)
      }
    }
  }

  /// Says why WebKit refuses a list, and where.
  private static func refusal(_ report: RuleListReport) -> IngestionError {
    guard let error = report.webKitError else {
      return IngestionError(.refused, "WebKit refuses it")
    }
    let rule = error.location.ruleIndex.map { "rule \($0): " } ?? ""
    return IngestionError(
      error.code == .noRules ? .noRules : .refused,
      "WebKit refuses it: \(rule)\(error.message)",
      at: "\(error.location.line):\(error.location.column)"
    )
  }
}

/// A list that was recognised, converted and compiled.
public struct IngestedList: Sendable {
  /// Its text, decompressed.
  public var text: [UInt8]
  /// The compiled file.
  public var compiled: [UInt8]
  /// The account of every line, as `tickbird convert --map` writes it; `nil` for WebKit's JSON.
  public var map: [UInt8]?
  /// What is known of it.
  public var summary: ListSummary
}
