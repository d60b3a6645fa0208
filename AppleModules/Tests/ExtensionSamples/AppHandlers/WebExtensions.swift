import Foundation
import os
import os.log
import SafariServices

/// Answers later, from a task, after the main queue had its turn.
final class LateHandler: NSObject, NSExtensionRequestHandling {
    private let logger = Logger(subsystem: "com.example.notes", category: "native")

    func beginRequest(with context: NSExtensionContext) {
        let item = context.inputItems.first as? NSExtensionItem
        guard let message = item?.userInfo?[SFExtensionMessageKey] as? [String: Any],
              let request = message["request"] as? String else {
            logger.error("bad message \(String(describing: item?.userInfo), privacy: .public)")
            return
        }
        let url = message["url"] as? String
        DispatchQueue.main.async {
            Task {
                try? await Task.sleep(nanoseconds: 20_000_000)
                let response = NSExtensionItem()
                response.userInfo = [SFExtensionMessageKey: ["type": "ignore", "request": request, "url": url as Any]]
                context.completeRequest(returningItems: [response], completionHandler: nil)
            }
        }
    }
}

/// Answers with optionals at several depths, and with every kind of value.
class NestedHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        let item = context.inputItems[0] as! NSExtensionItem
        let message = item.userInfo?[SFExtensionMessageKey] as? [String: Any]
        let missing: String? = nil
        let doubled: Any?? = message?["number"]
        let response = NSExtensionItem()
        response.userInfo = [
            SFExtensionMessageKey: [
                "missing": missing as Any,
                "doubled": doubled as Any,
                "flag": message?["flag"] as? Bool as Any,
                "isNull": message?["nothing"] is NSNull,
                "count": (message?["list"] as? NSArray)?.count as Any,
                "ratio": 0.5,
                "list": [1, nil, "two"] as [Any?],
                "profile": (item.userInfo?[SFExtensionProfileKey] as? UUID)?.uuidString as Any,
            ] as [String: Any?]
        ]
        context.completeRequest(returningItems: [response], completionHandler: nil)
    }
}

/// Asks for a reload of the blocker before it answers.
class ReloadingHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        SFContentBlockerManager.reloadContentBlocker(withIdentifier: "com.example.blocker") { error in
            let response = NSExtensionItem()
            response.userInfo = ["message": ["reloaded": error == nil, "code": (error as NSError?)?.code as Any]]
            context.completeRequest(returningItems: [response], completionHandler: nil)
        }
    }
}

/// Counts its requests in iCloud's store, writes a file in turns, and names itself by a bundle's key.
class KeepingHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        os_log("Context: %@", context as! CVarArg)
        let store = NSUbiquitousKeyValueStore.default
        let count = store.longLong(forKey: "count") + 1
        store.set(count, forKey: "count")
        store.set(Data([1, 2]), forKey: "data")
        let configuration = URLSessionConfiguration.default
        configuration.waitsForConnectivity = true
        configuration.sharedContainerIdentifier = "group.com.example"
        configuration.allowsExpensiveNetworkAccess = false
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("counted")
        var error: NSError?
        var written = ""
        NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: file, options: .forReplacing, error: &error) { url in
            guard url.startAccessingSecurityScopedResource() else { return }
            defer { url.stopAccessingSecurityScopedResource() }
            try? Data("\(count)".utf8).write(to: url)
        }
        NSFileCoordinator().coordinate(readingItemAt: file, error: &error) { url in
            written = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        }
        let image: UIImage = #imageLiteral(resourceName: "not in the bundle")
        let response = NSExtensionItem()
        response.userInfo = [
            SFExtensionMessageKey: [
                "count": written,
                "image": Double(image.size.width),
                "data": store.data(forKey: "data")?.count ?? 0,
                "timeout": configuration.timeoutIntervalForRequest,
                "identifier": Bundle.main.infoDictionary?[kCFBundleIdentifierKey as String] as? String ?? ""
            ]
        ]
        context.completeRequest(returningItems: [response], completionHandler: nil)
    }
}
