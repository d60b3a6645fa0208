// swift-format-ignore-file
import UIKit
import MobileCoreServices
import BlockKit // the app's
#if os(macOS)
import AppKit
#endif
#if canImport(CoreData)
import CoreData
#endif
import Security

class ContentBlockerRequestHandler: NSObject, NSExtensionRequestHandling {

    func beginRequest(with context: NSExtensionContext) {
        let attachment = NSItemProvider(contentsOf: Bundle.main.url(forResource: "blockerList", withExtension: "json"))!
        let item = NSExtensionItem()
        item.attachments = [attachment]
        context.completeRequest(returningItems: [item], completionHandler: nil)
    }

    /* import Nothing */
    let text = "import Nothing"
    @objc func old() { _ = #selector(old) }
}
