public import Foundation

/// The protocol of an extension's principal class.
///
///     final class RequestHandler: NSObject, NSExtensionRequestHandling {
///       func beginRequest(with context: NSExtensionContext) {
///         context.completeRequest(returningItems: [NSExtensionItem()])
///       }
///     }
public protocol NSExtensionRequestHandling: NSObjectProtocol {
  /// Begins to answer a request.
  ///
  /// Called once, on a background thread; the main run loop and queue run meanwhile. Returning does
  /// not answer the request: call
  /// ``NSExtensionContext/completeRequest(returningItems:completionHandler:)`` or
  /// ``NSExtensionContext/cancelRequest(withError:)``, then or later, from any thread.
  func beginRequest(with context: NSExtensionContext)
}
