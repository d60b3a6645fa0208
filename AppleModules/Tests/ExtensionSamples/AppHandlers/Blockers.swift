import Foundation
import SafariServices
import UniformTypeIdentifiers

/// Hands over the list that the app made and left in the shared folder.
final class GroupFolderBlocker: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.blocker") else {
            context.cancelRequest(withError: NSError(domain: "com.example.blocker", code: 7, userInfo: [NSLocalizedDescriptionKey: "No shared folder"]))
            return
        }
        let url = folder.appendingPathComponent("lists/blockerList.json")
        let item = NSExtensionItem()
        item.attachments = [NSItemProvider(contentsOf: url)!]
        context.completeRequest(returningItems: [item]) { expired in
            let defaults = UserDefaults(suiteName: "group.com.example.blocker")
            defaults?.set(!expired, forKey: "delivered")
        }
    }
}

/// Makes its list in memory, from settings shared with the app.
class SettingsBlocker: NSObject, NSExtensionRequestHandling {
    private let defaults = UserDefaults(suiteName: "group.com.example.blocker")!

    func beginRequest(with context: NSExtensionContext) {
        var rules: [[String: Any]] = []
        for domain in defaults.stringArray(forKey: "domains") ?? [] {
            rules.append([
                "trigger": ["url-filter": ".*", "if-domain": ["*" + domain]],
                "action": ["type": "block"],
            ])
        }
        defaults.set(defaults.integer(forKey: "runs") + 1, forKey: "runs")

        let data = try! JSONSerialization.data(withJSONObject: rules, options: [.sortedKeys])
        let attachment = NSItemProvider(item: data as NSSecureCoding?, typeIdentifier: UTType.json.identifier)
        let item = NSExtensionItem()
        item.attachments = [attachment]
        context.completeRequest(returningItems: [item], completionHandler: nil)
    }
}

/// Writes its list to a temporary file in the request itself, or to the caches folder.
class TemporaryFileBlocker: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        let list = #"[{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}]"#
        let temporary = FileManager.default.temporaryDirectory.appendingPathComponent("list-\(UUID().uuidString).json")
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0].appendingPathComponent("list.json")
        do {
            try list.write(to: temporary, atomically: true, encoding: .utf8)
            try list.write(to: caches, atomically: true, encoding: .utf8)
            let item = NSExtensionItem()
            item.attachments = [temporary, caches].compactMap { NSItemProvider(contentsOf: $0) }
            context.completeRequest(returningItems: [item], completionHandler: nil)
        } catch {
            context.cancelRequest(withError: error)
        }
    }
}

/// Hands over a string under the old constant, and prints where it should not.
class StringBlocker: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        print("making the list")
        let text = "[{\"trigger\": {\"url-filter\": \"ü\"}, \"action\": {\"type\": \"block\"}}]"
        let provider = NSItemProvider(item: text as NSSecureCoding, typeIdentifier: kUTTypeJSON as String)
        let item = NSExtensionItem()
        item.attachments = [provider]
        context.completeRequest(returningItems: [item])
        context.cancelRequest(withError: SFError(.loadingInterrupted))
    }
}
