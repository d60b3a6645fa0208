/// A call to the host as a type, whose members are the arguments with their names in messages.
///
///     let isOn = try await host.call(StateOfExtension(identifier: "com.example.blocker"))
///
/// Every call may fail with these ``ErrorReport``s, besides those that its type documents:
/// - `SFErrorDomain` 1: no extension with the identifier is installed.
/// - `TickbirdHostErrorDomain`: the host itself failed; an argument is missing or has the wrong type
///   (`bad-argument`), or the host does not know the call (`refused`).
/// - `NSCocoaErrorDomain` 4097, or the runtime's `noHost`: no host is running, or it closed the connection.
public protocol HostFunction: Codable, Equatable, Sendable {
  /// The host's reply.
  associatedtype Reply: Codable & Sendable

  /// The function's name in messages.
  static var function: HostCall.Function { get }
}

/// The reply of a call that has no result, which is null in messages.
public struct Done: MessageValueConvertible, Equatable, Sendable {
  /// Creates the reply.
  public init() {}

  /// Null.
  public var messageValue: MessageValue { .null }

  /// Accepts any value, so that a later host may reply with a result.
  public init(messageValue: MessageValue) {}
}

/// A point in time in a message.
public struct MessageDate: MessageValueConvertible, Equatable, Sendable {
  /// Seconds since 1970-01-01 00:00:00 UTC.
  public var seconds: Double

  /// Creates a date from seconds since 1970-01-01 00:00:00 UTC.
  public init(seconds: Double) { self.seconds = seconds }

  /// The encoded value.
  public var messageValue: MessageValue { .date(seconds) }

  /// Reads the value.
  ///
  /// - Throws: ``ExtensionMessageError`` with code `.notAMessage` if the value is not a date.
  public init(messageValue: MessageValue) throws(ExtensionMessageError) {
    guard case .date(let seconds) = messageValue else {
      throw ExtensionMessageError(.notAMessage, "\(messageValue) is no date")
    }
    self.seconds = seconds
  }
}

extension ExtensionItem: MessageValueConvertible {
  /// The encoded value.
  public var messageValue: MessageValue { value }

  /// Reads the value.
  ///
  /// - Throws: ``ExtensionMessageError`` with code `.notAMessage`.
  public init(messageValue: MessageValue) throws(ExtensionMessageError) {
    try self.init(messageValue)
  }
}

extension HostCall {
  /// Encodes a call.
  ///
  /// - Throws: ``ErrorReport`` of the runtime's domain with code ``RuntimeFault/badRequest`` for arguments
  ///   that cannot be encoded.
  public init(id: Int64, _ call: some HostFunction) throws(ErrorReport) {
    do throws(ExtensionMessageError) {
      // A call without arguments encodes as null.
      let arguments = try MessageValue(encoding: call).dictionary ?? [:]
      self.init(id: id, function: type(of: call).function, arguments: arguments)
    } catch {
      throw ErrorReport(.badRequest, "\(type(of: call).function.name): \(error.message)")
    }
  }
}

extension HostFunction {
  /// Reads the arguments of a call.
  ///
  /// - Throws: ``ExtensionMessageError`` with code `.notAMessage`, whose message names the function
  ///   and the argument that is missing or has the wrong type.
  public init(_ call: HostCall) throws(ExtensionMessageError) {
    do throws(ExtensionMessageError) {
      self = try MessageValue.dictionary(call.arguments).decoded()
    } catch {
      throw ExtensionMessageError(error.code, "\(call.function.name) \(error.message)")
    }
  }

  /// Reads a reply.
  ///
  /// - Throws: ``ErrorReport`` of the runtime's domain with code ``RuntimeFault/badReply`` if the
  ///   value is not such a reply, as from another version of the host.
  public static func reply(_ value: MessageValue) throws(ErrorReport) -> Reply {
    do throws(ExtensionMessageError) {
      return try value.decoded()
    } catch {
      throw ErrorReport(
        .badReply,
        "the reply to \(function.name) \(error.message); bring the host and the program to the "
          + "same version of Tickbird"
      )
    }
  }
}
