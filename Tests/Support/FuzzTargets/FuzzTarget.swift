/// What is done with one kind of untrusted input, and what must hold whatever its bytes are.
public protocol FuzzBody: SendableMetatype {
  /// The name of the target, which is also that of its folder of kept cases.
  static var name: String { get }

  /// Checks every property on one input.
  ///
  /// - Throws: ``FuzzFinding`` for the first property that does not hold.
  static func check(_ input: [UInt8]) throws(FuzzFinding)

  /// Inputs to begin with, which reach most of the code; ten at least.
  static var seeds: [[UInt8]] { get }
}

/// A kind of untrusted input.
///
/// The same body is called by the fuzzers of the `Fuzz` package and by the tests that replay found
/// cases, so that a case that was found once is checked on every run.
public struct FuzzTarget: Sendable, CustomStringConvertible {
  private let body: any FuzzBody.Type

  /// Makes a target of a body.
  public init(_ body: any FuzzBody.Type) { self.body = body }

  /// The target's name.
  public var name: String { body.name }

  /// Inputs to begin with.
  public var seeds: [[UInt8]] { body.seeds }

  /// The name.
  public var description: String { name }

  /// Checks every property on one input.
  ///
  /// - Throws: ``FuzzFinding`` for the first property that does not hold.
  public func check(_ input: [UInt8]) throws(FuzzFinding) { try body.check(input) }
}

/// A property that does not hold.
public struct FuzzFinding: Error, CustomStringConvertible {
  /// What was expected, and what is the case instead.
  public var description: String

  /// Takes a sentence.
  public init(_ description: String) { self.description = description }
}

/// Throws a finding unless the condition holds.
public func require(
  _ condition: @autoclosure () throws(FuzzFinding) -> Bool,
  _ message: @autoclosure () -> String
) throws(FuzzFinding) {
  if try !condition() { throw FuzzFinding(message()) }
}

/// What a reader makes of an input: its value, or its error in words.
public enum FuzzOutcome<Value: Equatable>: Equatable {
  case value(Value)
  case refused(String)

  /// Calls a reader; a refusal without words is a finding.
  public init(_ read: () throws -> Value) throws(FuzzFinding) {
    do {
      self = .value(try read())
    } catch {
      let text = String(describing: error)
      // An error message is shown; what a stranger wrote may make up a part of it alone.
      try require(!text.isEmpty, "an error has no words")
      try require(text.utf8.count <= 16_384, "an error message has \(text.utf8.count) bytes")
      self = .refused(text)
    }
  }

  /// The value, if there is one.
  public var value: Value? { if case .value(let value) = self { value } else { nil } }
}
