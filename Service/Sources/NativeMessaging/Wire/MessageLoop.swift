public import Foundation

/// Serves a browser's requests in the order in which they come, until the port is closed.
public struct MessageLoop: Sendable {
  /// How a loop ended.
  public enum End: Equatable, Sendable {
    /// The browser closed the port: it ended, or the extension was stopped or reloaded.
    case closed
    /// The stream cannot be understood or used any more, for a reason.
    case failed(MessageError)
  }

  /// An answer to a request.
  public struct Answer: Sendable {
    /// JSON in UTF-8.
    public var message: Data
    /// Whether the extension joins parts, so that a long answer may be cut.
    public var splitting: Bool

    /// Takes an answer.
    public init(_ message: Data, splitting: Bool = false) {
      self.message = message
      self.splitting = splitting
    }
  }

  private let port: MessagePort

  /// Takes the port to be served.
  public init(_ port: MessagePort) { self.port = port }

  /// Serves requests on the calling thread.
  ///
  /// A request that is too long is answered with an error object
  /// (`{"type":"error","code":"tooLarge",…}`), and the loop goes on.
  ///
  /// - Parameter answer: Answers a request, the bytes of which nobody has looked at; `nil` sends
  ///   nothing.
  /// - Returns: Why the loop ended.
  public func run(_ answer: (Data) -> Answer?) -> End {
    do {
      while let event = try port.receive() {
        switch event {
        case .message(let request):
          guard let answer = answer(request) else { continue }
          try port.send(answer.message, splitting: answer.splitting)
        case .tooLarge(let size): try port.send(Self.tooLarge(size))
        }
      }
      return .closed
    } catch let error as MessageError {
      return error.code == .closed ? .closed : .failed(error)
    } catch {
      return .failed(MessageError(.system, "\(error)"))
    }
  }

  private static func tooLarge(_ size: Int) -> Data {
    Data(
      """
      {"code":"tooLarge","message":"The request has \(size) bytes; at most \
      \(MessageLimits.incoming) are taken.","size":\(size),"type":"error"}
      """.utf8
    )
  }
}
