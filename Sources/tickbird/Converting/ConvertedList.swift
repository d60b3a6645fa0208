internal import ContentRules

/// The syntaxes that lists are converted from.
enum ConvertedSyntax: String, CaseIterable {
  case abp, adguard, ubo, hosts, dnr, webkit
}

/// What lists are converted to.
enum ConversionProduct: String, CaseIterable {
  case webkit, dnr
}

/// What a conversion was asked for.
struct ConversionRequest {
  /// The lists' paths; `-` is standard input.
  var paths: [String]
  /// Their syntax; `nil` to recognise it.
  var syntax: ConvertedSyntax?
  /// The engine that the result is for; `nil` for the newest.
  var target: EngineRelease?
}

/// The result of a conversion, whatever it is from and to: a text, and an account of each source
/// line.
protocol ConvertedList {
  /// The text to write.
  var bytes: [UInt8] { get }
  /// How many rules it has.
  var ruleCount: Int { get }
  /// The most rules that its reader takes.
  var ruleLimit: Int { get }
  /// The files that were read, those included behind those that include them.
  var sources: [String] { get }
  /// The digest of each file's text, by which a map's reader knows it again; empty if none is known.
  var sourceDigests: [String] { get }
  /// How each of the files in ``sources`` is read; empty if that is no question.
  var syntaxes: [String] { get }
  /// The lists that were given, and how they are read; empty if that is no question.
  var listSyntaxes: [ListSyntax] { get }
  /// What the account is of: lines of filters, or rules.
  var unit: String { get }
  /// How many source lines there are, or other units.
  var lineCount: Int { get }
  /// What holds for all rules, with a code each, and is not said of every line.
  var notes: [AccountedReason] { get }
  /// The outcome of a line.
  func outcome(ofLine line: Int) -> AccountedOutcome
  /// The account of a line.
  func account(ofLine line: Int) -> AccountedLine
}

extension ConvertedList {
  var sourceDigests: [String] { [] }
  var syntaxes: [String] { [] }
  var listSyntaxes: [ListSyntax] { [] }
  var unit: String { "line" }
}

/// How a list is read.
struct ListSyntax {
  /// The file's name.
  var name: String
  /// The word for its syntax, as `--from` takes it.
  var syntax: String
  /// Whose syntax it is, for people.
  var syntaxName: String
  /// Whether the syntax was recognised, and not named.
  var isRecognized: Bool
}

/// What became of a source line.
enum AccountedOutcome: String, CaseIterable {
  case converted, approximated, impossible, comment
}

/// A reason in the account: a stable code, and a sentence without a full stop.
struct AccountedReason: Hashable {
  var code: String
  var sentence: String
}

/// The account of a source line.
struct AccountedLine {
  /// The number of its file in ``ConvertedList/sources``.
  var source: Int
  /// Its number in the file, from 1.
  var line: Int
  var outcome: AccountedOutcome
  /// The rules that it became, ascending, from 0.
  var rules: [Int]
  /// Why it was not converted as it stands; empty if it was.
  var reasons: [AccountedReason]
  /// Its text, for reports.
  var text: String
}
