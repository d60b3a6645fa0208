/// A call of the host as a type: its members are the arguments, by the names under which they travel.
///
///     let isOn = try await host.call(StateOfExtension(identifier: "com.example.blocker"))
///
/// Every call may fail with an ``ErrorReport`` of these kinds, besides those that its type names:
/// - `SFErrorDomain` 1: no extension of the identifier is installed.
/// - `TickbirdHostErrorDomain`: the host could not do its own part; an argument is missing or is of
///   another kind (`bad-argument`), or the host does not know the call (`refused`).
/// - `NSCocoaErrorDomain` 4097, or the runtime's `noHost`: there is no host, or it went away.
public protocol HostFunction: Codable, Equatable, Sendable {
  /// What the host replies.
  associatedtype Reply: Codable & Sendable

  /// The name that travels.
  static var function: HostCall.Function { get }
}

/// The reply of a call that is replied null: that it was done.
public struct Done: MessageValueConvertible, Equatable, Sendable {
  /// Says that it was done.
  public init() {}

  /// Null.
  public var messageValue: MessageValue { .null }

  /// Takes any value, so that a later host may reply more.
  public init(messageValue: MessageValue) {}
}

/// A point in time in a message.
public struct MessageDate: MessageValueConvertible, Equatable, Sendable {
  /// Seconds since 1970-01-01 00:00:00 UTC.
  public var seconds: Double

  /// Takes seconds since 1970-01-01 00:00:00 UTC.
  public init(seconds: Double) { self.seconds = seconds }

  /// The value that travels.
  public var messageValue: MessageValue { .date(seconds) }

  /// Reads the value.
  ///
  /// - Throws: ``MessageError`` with code `.notAMessage` for what is no date.
  public init(messageValue: MessageValue) throws(MessageError) {
    guard case .date(let seconds) = messageValue else {
      throw MessageError(.notAMessage, "\(messageValue) is no date")
    }
    self.seconds = seconds
  }
}

extension ExtensionItem: MessageValueConvertible {
  /// The value that travels.
  public var messageValue: MessageValue { value }

  /// Reads the value.
  ///
  /// - Throws: ``MessageError`` with code `.notAMessage`.
  public init(messageValue: MessageValue) throws(MessageError) { try self.init(messageValue) }
}

extension HostCall {
  /// A call as it travels.
  ///
  /// - Throws: ``ErrorReport`` of the runtime's domain with code ``RuntimeFault/badRequest`` for arguments
  ///   that cannot travel.
  public init(id: Int64, _ call: some HostFunction) throws(ErrorReport) {
    do throws(MessageError) {
      // What has no arguments encodes nothing.
      let arguments = try MessageValue(encoding: call).dictionary ?? [:]
      self.init(id: id, function: type(of: call).function, arguments: arguments)
    } catch {
      throw ErrorReport(.badRequest, "\(type(of: call).function.name): \(error.description)")
    }
  }
}

extension HostFunction {
  /// Reads the arguments of a call.
  ///
  /// - Throws: ``MessageError`` with code `.notAMessage`, of which the description names the function
  ///   and the argument that is missing or of another kind.
  public init(_ call: HostCall) throws(MessageError) {
    do throws(MessageError) {
      self = try MessageValue.dictionary(call.arguments).decoded()
    } catch {
      throw MessageError(error.code, "\(call.function.name) \(error.description)")
    }
  }

  /// Reads a reply.
  ///
  /// - Throws: ``ErrorReport`` of the runtime's domain with code ``RuntimeFault/badReply`` for what
  ///   another version of the host replies.
  public static func reply(_ value: MessageValue) throws(ErrorReport) -> Reply {
    do throws(MessageError) {
      return try value.decoded()
    } catch {
      throw ErrorReport(
        .badReply,
        "the reply to \(function.name) \(error.description); bring the host and the program to the "
          + "same version of Tickbird"
      )
    }
  }
}
