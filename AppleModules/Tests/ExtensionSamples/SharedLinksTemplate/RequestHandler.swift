import Foundation

class RequestHandler: NSObject, NSExtensionRequestHandling {

    func beginRequest(with context: NSExtensionContext) {
        let extensionItem = NSExtensionItem()

        // The keys of the user info dictionary are strings that Safari knows.
        extensionItem.userInfo = [
            AnyHashable("uniqueIdentifier"): "uniqueIdentifierForSampleItem",
            AnyHashable("urlString"): "https://www.example.com/",
            AnyHashable("date"): NSDate()
        ]

        extensionItem.attributedTitle = NSAttributedString(string: "Sample title")
        extensionItem.attributedContentText = NSAttributedString(string: "Sample description text")

        // An image can be attached.
        // extensionItem.attachments = [NSItemProvider(contentsOf: Bundle.main.url(forResource: "customIcon", withExtension: "png"))!]

        context.completeRequest(returningItems: [extensionItem], completionHandler: nil)
    }

}
