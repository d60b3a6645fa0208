internal import CommandInput
internal import CommandOutput
internal import ContentRules
internal import DeclarativeImport
internal import FilterConversion
internal import TextOutput

/// Declarative rules of Chromium's as a rule list of WebKit's.
enum DeclarativeImportRoute {
  /// Reads files of rules, or folders of extensions, and converts the rules to one list.
  ///
  /// - Throws: `InputError` or `ExitStatus` if a file cannot be read.
  static func convert(_ request: ConversionRequest) throws -> any ConvertedList {
    if let target = request.target {
      throw InputError("declarative rules become rules for the newest engine; leave out \(target)")
    }
    var files: [RuleResource] = []
    for path in request.paths { files += try RuleResource.files(at: path) }
    guard files.count == 1 || files.count == Set(files.map(\.name)).count else {
      throw InputError("a file is named twice; name each once")
    }
    var elements: [ImportedElement] = []
    var places: [ImportedRules.Place] = []
    for (number, file) in files.enumerated() {
      var lines = LineCounter()
      let read: [ImportedElement]
      do throws(ImportFault) {
        read = try ImportReader.read(file.text)
      } catch {
        let place = lines.advance(to: error.offset, in: file.text.span)
        ConsoleMessage.error(
          "\(file.name):\(place.line):\(place.column): expected \(error.expected); declarative "
            + "rules are a JSON array of objects"
        )
        throw ExitStatus.refused
      }
      for element in read {
        places.append(
          ImportedRules.Place(
            source: number,
            line: lines.advance(to: element.offset, in: file.text.span).line,
            id: element.id
          )
        )
      }
      elements += read
    }
    let expressions = ExpressionPatterns { text in
      do throws(ConversionReason) {
        let made = try ExpressionConverter.patterns(of: text)
        return .patterns(made.patterns, differences: made.reasons.map(\.sentence))
      } catch {
        return .impossible(error.sentence)
      }
    }
    let list = ListImport(elements, expressions: expressions)
    return ImportedRules(sources: files.map(\.name), places: places, list: list)
  }
}

/// A conversion of declarative rules as the command reports it; its “lines” are rules.
struct ImportedRules: ConvertedList {
  /// Where a rule stands.
  struct Place {
    var source: Int
    var line: Int
    var id: Int?
  }

  let sources: [String]
  let places: [Place]
  let list: ListImport

  var bytes: [UInt8] { list.json }
  var ruleCount: Int { list.ruleCount }
  var ruleLimit: Int { RuleListReader.ruleLimit }
  var unit: String { "rule" }
  var lineCount: Int { list.entries.count }
  var notes: [AccountedReason] {
    list.differences.map { AccountedReason(code: $0.rawValue, sentence: $0.sentence) }
  }

  func outcome(ofLine line: Int) -> AccountedOutcome {
    switch list.entries[line].outcome {
    case .converted: .converted
    case .approximated: .approximated
    case .impossible: .impossible
    }
  }

  func account(ofLine line: Int) -> AccountedLine {
    let entry = list.entries[line]
    return AccountedLine(
      source: places[line].source,
      line: places[line].line,
      outcome: outcome(ofLine: line),
      rules: entry.rules,
      reasons: entry.reasons.map {
        AccountedReason(code: $0.code.rawValue, sentence: $0.sentence)
      },
      text: entry.id.map { "rule \($0)" } ?? "a rule without an id"
    )
  }
}
