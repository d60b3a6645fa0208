public import Foundation

/// What the principal class of an extension conforms to.
///
///     final class RequestHandler: NSObject, NSExtensionRequestHandling {
///       func beginRequest(with context: NSExtensionContext) {
///         context.completeRequest(returningItems: [NSExtensionItem()])
///       }
///     }
public protocol NSExtensionRequestHandling: NSObjectProtocol {
  /// Begins to answer a request.
  ///
  /// Is called once, on a thread that is not the main one; the main run loop and queue run meanwhile.
  /// Returning answers nothing: that is done by ``NSExtensionContext/completeRequest(returningItems:completionHandler:)``
  /// or ``NSExtensionContext/cancelRequest(withError:)``, then or later, from any thread.
  func beginRequest(with context: NSExtensionContext)
}
