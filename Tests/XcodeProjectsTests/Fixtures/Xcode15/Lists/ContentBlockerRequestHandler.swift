// swift-format-ignore-file
import Foundation
import ListKit

class ContentBlockerRequestHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        let item = ListProvider.shared.item(for: ListName.standard)
        context.completeRequest(returningItems: [item], completionHandler: nil)
    }
}
