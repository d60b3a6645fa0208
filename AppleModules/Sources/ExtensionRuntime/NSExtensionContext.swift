// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores
// The names are Apple's.
public import Foundation
import Synchronization

/// A request and the way to answer it.
///
/// Only the first completion or cancellation counts; later ones are ignored.
///
/// > Note: It may be used from any thread. Apple does not mark it `Sendable`; here it is, because its
/// > state is behind a lock and its items are not changed by the runtime after they were handed out.
open class NSExtensionContext: NSObject, @unchecked Sendable {
  /// What a handler did with its request.
  package enum Outcome {
    case completed(items: [Any]?, handler: (@Sendable (Bool) -> Void)?)
    case cancelled(any Error)
  }

  /// The items of the request: one `NSExtensionItem`, also when the caller sent nothing.
  open var inputItems: [Any] { items }

  private let items: [Any]
  private let finish: Mutex<(@Sendable (Outcome) -> Void)?>

  /// Makes the context of a request that is answered by calling `finish`, at most once.
  package init(inputItems: [Any], finish: @escaping @Sendable (Outcome) -> Void) {
    items = inputItems
    self.finish = Mutex(finish)
  }

  /// Makes a context that nobody waits for, as `NSExtensionContext()` does on Apple systems.
  public override init() {
    items = []
    finish = Mutex(nil)
  }

  /// Answers the request.
  ///
  /// Attachments are loaded after this has returned and before the answer is sent.
  ///
  /// - Parameters:
  ///   - items: `NSExtensionItem` objects; nil answers with nothing.
  ///   - completionHandler: Called at background priority after the answer has been sent, with
  ///     false; the process exits when it
  ///     returns. Called again with true if the process is told to end before that.
  open func completeRequest(
    returningItems items: [Any]?,
    completionHandler: (@Sendable (Bool) -> Void)? = nil
  ) {
    end(.completed(items: items, handler: completionHandler))
  }

  /// Answers the request, and waits until the answer is sent.
  ///
  /// - Returns: Whether the process is being ended early.
  @discardableResult
  open func completeRequest(returningItems items: [Any]?) async -> Bool {
    let once = Once()
    return await withCheckedContinuation { continuation in
      end(
        .completed(items: items) { expired in
          // The handler may be called twice, but a continuation must be resumed once.
          if once.first() { continuation.resume(returning: expired) }
        }
      )
    }
  }

  /// Answers the request with an error.
  open func cancelRequest(withError error: any Error) {
    end(.cancelled(error))
  }

  /// Asks for a URL to be opened, which none of the supported extension points may do.
  open func open(_ URL: URL, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
    completionHandler?(false)
  }

  /// Asks for a URL to be opened, which none of the supported extension points may do.
  ///
  /// - Returns: false.
  open func open(_ URL: URL) async -> Bool { false }

  private func end(_ outcome: Outcome) {
    let finish = finish.withLock { finish in
      defer { finish = nil }
      return finish
    }
    finish?(outcome)
  }
}

/// Lets the first of several calls through.
package final class Once: Sendable {
  private let isDone = Mutex(false)

  package init() {}

  /// Whether this is the first call.
  package func first() -> Bool {
    isDone.withLock { isDone in
      defer { isDone = true }
      return !isDone
    }
  }
}
