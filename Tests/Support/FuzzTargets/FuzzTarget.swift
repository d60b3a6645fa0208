/// A test of one kind of untrusted input, with the properties that must hold for any bytes.
public protocol FuzzBody: SendableMetatype {
  /// The name of the target and of its folder of kept cases.
  static var name: String { get }

  /// Checks every property on one input.
  ///
  /// - Throws: ``FuzzFinding`` for the first property that does not hold.
  static func check(_ input: [UInt8]) throws(FuzzFinding)

  /// Seed inputs, which reach most of the code; at least ten.
  static var seeds: [[UInt8]] { get }
}

/// A kind of untrusted input.
///
/// The fuzzers of the `Fuzz` package and the tests that replay kept cases call the same body, so
/// that every case found is checked on every run.
public struct FuzzTarget: Sendable, CustomStringConvertible {
  private let body: any FuzzBody.Type

  /// Creates a target from a body.
  public init(_ body: any FuzzBody.Type) { self.body = body }

  /// The target's name.
  public var name: String { body.name }

  /// Seed inputs.
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
  /// What was expected, and what happened instead.
  public var description: String

  /// Creates a finding from its message.
  public init(_ description: String) { self.description = description }
}

/// Throws a finding unless the condition holds.
public func require(
  _ condition: @autoclosure () throws(FuzzFinding) -> Bool,
  _ message: @autoclosure () -> String
) throws(FuzzFinding) {
  if try !condition() { throw FuzzFinding(message()) }
}

/// The outcome of a reader: its value, or its error message.
public enum FuzzOutcome<Value: Equatable>: Equatable {
  case value(Value)
  case refused(String)

  /// Calls a reader; an error without a message is a finding.
  public init(_ read: () throws -> Value) throws(FuzzFinding) {
    do {
      self = .value(try read())
    } catch {
      let text = String(describing: error)
      // Error messages are displayed, so they may not consist of foreign text only.
      try require(!text.isEmpty, "an error has no words")
      try require(text.utf8.count <= 16_384, "an error message has \(text.utf8.count) bytes")
      self = .refused(text)
    }
  }

  /// The value, if there is one.
  public var value: Value? { if case .value(let value) = self { value } else { nil } }
}
