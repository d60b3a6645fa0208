import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One element of the array that the server sends.
struct ServerLink: Decodable {
    let url: URL
    let title: String
    let text: String?
    let date: Date
}

class RequestHandler: NSObject, NSExtensionRequestHandling {

    /// The server's address: LINKS_ADDRESS in the environment, else LinksAddress in Info.plist.
    private var address: URL? {
        let text = ProcessInfo.processInfo.environment["LINKS_ADDRESS"]
            ?? Bundle.main.object(forInfoDictionaryKey: "LinksAddress") as? String
        return text.flatMap { URL(string: $0) }
    }

    func beginRequest(with context: NSExtensionContext) {
        guard let address else {
            return context.cancelRequest(withError: URLError(.badURL))
        }
        let task = URLSession.shared.dataTask(with: address) { data, _, error in
            do {
                if let error { throw error }
                let decoder = JSONDecoder()
                decoder.dateDecodingStrategy = .iso8601
                let links = try decoder.decode([ServerLink].self, from: data ?? Data())
                context.completeRequest(returningItems: links.map(self.item), completionHandler: nil)
            } catch {
                NSLog("The links could not be fetched from \(address): \(error)")
                context.cancelRequest(withError: error)
            }
        }
        task.resume()
    }

    private func item(for link: ServerLink) -> NSExtensionItem {
        let item = NSExtensionItem()

        // First of all, since title and text are kept in it.
        item.userInfo = [
            "uniqueIdentifier": link.url.absoluteString,
            "urlString": link.url.absoluteString,
            "date": link.date
        ]
        item.attributedTitle = NSAttributedString(string: link.title)
        if let text = link.text {
            item.attributedContentText = NSAttributedString(string: text)
        }
        return item
    }

}
