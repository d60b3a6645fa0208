/// A kind of untrusted input, with the properties that must hold whatever its bytes are.
///
/// The same body is called by the fuzzer of the `Fuzz` package and by the tests that replay found
/// cases, so that a case that was found once is checked on every run.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// The JSON text of a rule list.
  case listText = "list-text"
  /// `url-filter` patterns and the texts they are searched in.
  case pattern
  /// The selector list of a hiding rule.
  case selector
  /// A URL, its base, and what its setters are given.
  case url
  /// A compiled rule list.
  case compiledBytes = "compiled-bytes"

  /// Checks every property on one input.
  ///
  /// - Throws: ``FuzzFinding`` for the first property that does not hold.
  public func check(_ input: [UInt8]) throws(FuzzFinding) {
    switch self {
    case .listText: try ListTextBody.check(input)
    case .pattern: try PatternBody.check(input)
    case .selector: try SelectorBody.check(input)
    case .url: try URLBody.check(input)
    case .compiledBytes: try CompiledBytesBody.check(input)
    }
  }

  /// Inputs to begin with, which reach most of the code.
  public var seeds: [[UInt8]] {
    switch self {
    case .listText: ListTextBody.seeds
    case .pattern: PatternBody.seeds
    case .selector: SelectorBody.seeds
    case .url: URLBody.seeds
    case .compiledBytes: CompiledBytesBody.seeds
    }
  }
}

/// A property that does not hold.
public struct FuzzFinding: Error, CustomStringConvertible {
  /// What was expected, and what is the case instead.
  public var description: String

  init(_ description: String) { self.description = description }
}

/// Throws a finding unless the condition holds.
func require(
  _ condition: @autoclosure () -> Bool,
  _ message: @autoclosure () -> String
) throws(FuzzFinding) {
  if !condition() { throw FuzzFinding(message()) }
}

/// An input read from front to back; zeros when it is used up.
struct InputReader {
  private var rest: ArraySlice<UInt8>

  init(_ input: [UInt8]) { rest = input[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// A number of three bytes, the lowest first.
  mutating func number() -> Int { Int(byte()) | Int(byte()) << 8 | Int(byte()) << 16 }

  /// The bytes up to the next line feed, or all that is left.
  mutating func line() -> [UInt8] {
    let line = rest.prefix { $0 != 0x0A }
    rest = rest.dropFirst(line.count + 1)
    return Array(line)
  }
}

extension [UInt8] {
  /// The bytes as text; those that are not UTF-8 are replaced.
  var text: String { String(decoding: self, as: UTF8.self) }
}
