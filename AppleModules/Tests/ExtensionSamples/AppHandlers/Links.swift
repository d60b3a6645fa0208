import Foundation

/// Fetches an array over HTTP and makes an item of each element, as the session's example does.
class FeedHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        let address = UserDefaults(suiteName: "group.com.example.links")?.string(forKey: "feed") ?? "http://127.0.0.1:1/"
        let request = URLRequest(url: URL(string: address)!, timeoutInterval: 20)
        let task = URLSession.shared.dataTask(with: request) { data, response, error in
            if let error = error {
                NSLog("cannot fetch: %@", error.localizedDescription)
                context.cancelRequest(withError: error)
                return
            }
            let objects = (try? JSONSerialization.jsonObject(with: data ?? Data())) as? [[String: Any]] ?? []
            let formatter = ISO8601DateFormatter()
            let items: [NSExtensionItem] = objects.map { object in
                let item = NSExtensionItem()
                item.userInfo = [
                    "uniqueIdentifier": object["url"] as? String ?? "",
                    "urlString": object["url"] as? String ?? "",
                    "date": formatter.date(from: object["date"] as? String ?? "") ?? Date.distantPast,
                ]
                item.attributedTitle = NSAttributedString(string: object["title"] as? String ?? "")
                if let icon = Bundle.main.url(forResource: "icon", withExtension: "png") {
                    item.attachments = [NSItemProvider(contentsOf: icon)!]
                }
                return item
            }
            context.completeRequest(returningItems: items, completionHandler: nil)
        }
        task.resume()
    }
}
