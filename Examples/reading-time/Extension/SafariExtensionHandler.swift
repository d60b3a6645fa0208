import SafariServices

/// Shows the minutes that the article takes as the badge, and looks selected words up.
class SafariExtensionHandler: SFSafariExtensionHandler {

    override func messageReceived(withName messageName: String, from page: SFSafariPage, userInfo: [String : Any]? = nil) {
        guard messageName == "words", let words = userInfo?["count"] as? Int else { return }
        NSLog("\(words) words")
        Articles.shared.words[page] = words
        SFSafariApplication.setToolbarItemsNeedUpdate()
    }

    override func toolbarItemClicked(in window: SFSafariWindow) {
        activePage(in: window) { page in
            let minutes = Articles.shared.minutes(of: page)
            NSLog("clicked: \(minutes) min")
            page.dispatchMessageToScript(withName: "show", userInfo: ["minutes": minutes])
        }
    }

    override func validateToolbarItem(in window: SFSafariWindow, validationHandler: @escaping (Bool, String) -> Void) {
        window.getActiveTab { tab in
            guard let tab = tab else { return validationHandler(false, "") }
            tab.getActivePage { page in
                let minutes = page.map { Articles.shared.minutes(of: $0) } ?? 0
                validationHandler(minutes > 0, minutes > 0 ? "\(minutes)" : "")
            }
        }
    }

    override func validateContextMenuItem(withCommand command: String, in page: SFSafariPage, userInfo: [String : Any]? = nil, validationHandler: @escaping (Bool, String?) -> Void) {
        guard let selection = userInfo?["selection"] as? String else { return validationHandler(true, nil) }
        validationHandler(false, "Look Up “\(selection)”")
    }

    override func contextMenuItemSelected(withCommand command: String, in page: SFSafariPage, userInfo: [String : Any]? = nil) {
        guard let selection = userInfo?["selection"] as? String, let url = Dictionary.address(of: selection) else { return }
        NSLog("looks up \(selection)")
        page.getContainingTab { tab in
            tab.getContainingWindow { window in
                window?.openTab(with: url, makeActiveIfPossible: true)
            }
        }
    }

    private func activePage(in window: SFSafariWindow, _ body: @escaping (SFSafariPage) -> Void) {
        window.getActiveTab { tab in
            tab?.getActivePage { page in
                if let page = page { body(page) }
            }
        }
    }

    private enum Dictionary {
        static func address(of word: String) -> URL? {
            var components = URLComponents(string: "https://en.wiktionary.org/wiki/Special:Search")
            components?.queryItems = [URLQueryItem(name: "search", value: word)]
            return components?.url
        }
    }

}
