import os.log
import SafariServices

/// Answers the background script, which passes on what content scripts and the pop-up ask.
class SafariWebExtensionHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        let item = context.inputItems.first as? NSExtensionItem
        let message = item?.userInfo?[SFExtensionMessageKey] as? [String: Any] ?? [:]
        let request = message["request"] as? String ?? ""
        let subject = message["url"] as? String ?? message["id"] as? String ?? ""
        os_log(.default, "request %{public}@ for %{public}@", request, subject)

        let response = NSExtensionItem()
        response.userInfo = [SFExtensionMessageKey: answer(to: request, message)]
        context.completeRequest(returningItems: [response], completionHandler: nil)
    }

    private func answer(to request: String, _ message: [String: Any]) -> [String: Any] {
        guard let store = NoteStore() else {
            return ["type": "error", "message": "the application group has no folder"]
        }
        let id = message["id"] as? String ?? ""
        switch request {
        case "check":
            guard let site = site(of: message), let note = store.note(for: site) else {
                return ["type": "ignore"]
            }
            return [
                "type": "message", "id": note.id, "displayText": note.text, "text": note.text,
                "emoji": note.emoji, "isSnoozed": note.isSnoozed,
            ]
        case "add":
            guard let site = site(of: message) else { return ["type": "ignore"] }
            store.add(
                Note(
                    id: UUID().uuidString,
                    site: site,
                    text: message["text"] as? String ?? "",
                    emoji: message["emoji"] as? String ?? "📝"
                )
            )
        case "update":
            store.change(id) { note in
                note.text = message["text"] as? String ?? note.text
                note.emoji = message["emoji"] as? String ?? note.emoji
            }
        case "snooze":
            let minutes = message["minutes"] as? Double ?? 15
            store.change(id) { $0.snoozedUntil = Date(timeIntervalSinceNow: minutes * 60) }
        case "delete": store.delete(id)
        default: return ["type": "ignore"]
        }
        return ["type": "reload"]
    }

    private func site(of message: [String: Any]) -> String? {
        (message["url"] as? String).flatMap { URL(string: $0)?.host }
    }
}
