// swift-format-ignore-file
import Foundation

class RequestHandler: NSObject, NSExtensionRequestHandling {

    func beginRequest(with context: NSExtensionContext) {
        let extensionItem = NSExtensionItem()
        extensionItem.userInfo = [
            AnyHashable("uniqueIdentifier"): Feed.address,
            AnyHashable("urlString"): Feed.address,
            AnyHashable("date"): NSDate()
        ]
        #if RELEASED
        extensionItem.attributedTitle = NSAttributedString(string: "A released title")
        #else
        extensionItem.attributedTitle = NSAttributedString(string: "A title in the making")
        #endif
        context.completeRequest(returningItems: [extensionItem], completionHandler: nil)
    }

}
