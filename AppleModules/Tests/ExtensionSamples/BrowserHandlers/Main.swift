import SafariServices

/// A handler that uses what handlers of real extensions use, and prints what it gets.
class BrowserHandler: SFSafariExtensionHandler {
  private var count = 0

  override func messageReceived(
    withName messageName: String, from page: SFSafariPage, userInfo: [String: Any]? = nil
  ) {
    count += 1
    switch messageName {
    case "echo":
      page.dispatchMessageToScript(withName: "echoed", userInfo: userInfo)
    case "types":
      let types: [String: Any] = [
        "int": userInfo?["number"] as? Int ?? -1, "double": userInfo?["fraction"] as? Double ?? -1,
        "bool": userInfo?["flag"] as? Bool ?? false,
        "texts": userInfo?["texts"] as? [String] ?? [],
        "table": (userInfo?["table"] as? [[String: Any]])?.count ?? -1,
        "absent": userInfo?["absent"] == nil,
      ]
      page.dispatchMessageToScript(withName: "types", userInfo: types)
    case "count":
      Counters.all[page, default: 0] += 1
      page.dispatchMessageToScript(
        withName: "count",
        userInfo: ["object": count, "page": Counters.all[page] ?? 0, "process": Counters.process]
      )
    case "forward":
      moveForward(from: page)
    case "properties":
      page.getPropertiesWithCompletionHandler { properties in
        page.dispatchMessageToScript(
          withName: "properties",
          userInfo: [
            "url": properties?.url?.absoluteString ?? "none", "title": properties?.title ?? "none",
            "private": properties?.usesPrivateBrowsing ?? false,
          ]
        )
      }
    case "wait":
      // Blocks the main thread until the browser has answered.
      let done = DispatchSemaphore(value: 0)
      SFSafariApplication.getActiveWindow { _ in done.signal() }
      done.wait()
      page.dispatchMessageToScript(withName: "waited")
    case "open":
      let url = URL(string: userInfo?["url"] as? String ?? "") ?? URL(fileURLWithPath: "/")
      SFSafariApplication.getActiveWindow { window in
        window?.openTab(with: url, makeActiveIfPossible: true) { tab in
          page.dispatchMessageToScript(withName: "opened", userInfo: ["isThere": tab != nil])
        }
      }
    case "workspace":
      let isOpened = NSWorkspace.shared.open(URL(string: userInfo?["url"] as? String ?? "x:")!)
      page.dispatchMessageToScript(withName: "workspace", userInfo: ["isOpened": isOpened])
    case "async":
      Task {
        let tab = await SFSafariApplication.activeWindow()?.activeTab()
        let pages = await tab?.pages()
        page.dispatchMessageToScript(
          withName: "async", userInfo: ["isSame": pages?.first == page, "pages": pages?.count ?? -1])
      }
    case "large":
      page.dispatchMessageToScript(
        withName: "large", userInfo: ["text": String(repeating: "x", count: 3_000_000)])
    case "flood":
      for number in 0..<5000 {
        page.dispatchMessageToScript(withName: "flood", userInfo: ["number": number])
      }
    case "windows":
      for _ in 0..<100 { SFSafariApplication.openWindow(with: URL(string: "https://a.example/")!) }
      page.dispatchMessageToScript(withName: "windows")
    case "crash": fatalError("as asked")
    case "leave": exit(0)
    default: print("message \(messageName)")
    }
  }

  private func moveForward(from page: SFSafariPage) {
    page.getContainingTab { current in
      current.getContainingWindow { window in
        window?.getAllTabs { tabs in
          guard let index = tabs.firstIndex(of: current) else { return }
          tabs[(index + 1) % tabs.count].activate {
            page.dispatchMessageToScript(withName: "forward", userInfo: ["from": index])
          }
        }
      }
    }
  }

  override func messageReceivedFromContainingApp(
    withName messageName: String, userInfo: [String: Any]? = nil
  ) {
    print("app says \(messageName)")
    SFSafariApplication.setToolbarItemsNeedUpdate()
  }

  override func toolbarItemClicked(in window: SFSafariWindow) {
    window.getToolbarItem { item in
      item?.setBadgeText("7")
      item?.setEnabled(false)
      item?.setLabel("Seven")
      item?.setImage(nil)
    }
  }

  override func validateToolbarItem(
    in window: SFSafariWindow, validationHandler: @escaping (Bool, String) -> Void
  ) {
    window.getActiveTab { $0?.getActivePage { $0?.getPropertiesWithCompletionHandler {
      validationHandler($0?.url?.scheme == "https", $0?.title ?? "")
    }}}
  }

  override func contextMenuItemSelected(
    withCommand command: String, in page: SFSafariPage, userInfo: [String: Any]? = nil
  ) {
    page.dispatchMessageToScript(withName: command, userInfo: userInfo)
  }

  override func validateContextMenuItem(
    withCommand command: String, in page: SFSafariPage, userInfo: [String: Any]? = nil,
    validationHandler: @escaping (Bool, String?) -> Void
  ) {
    validationHandler(userInfo?["link"] == nil, "Open " + command)
    validationHandler(true, "twice")
  }

  override func popoverViewController() -> SFSafariExtensionViewController {
    return PopoverController.shared
  }

  override func additionalRequestHeaders(
    for url: URL, completionHandler: @escaping ([String: String]?) -> Void
  ) {
    completionHandler(["X-Host": url.host ?? ""])
  }

  override func contentBlocker(
    withIdentifier contentBlockerIdentifier: String, blockedResourcesWith urls: [URL],
    on page: SFSafariPage
  ) {
    page.dispatchMessageToScript(
      withName: contentBlockerIdentifier, userInfo: ["urls": urls.map(\.absoluteString)])
  }

  override func page(_ page: SFSafariPage, willNavigateTo url: URL?) {
    page.getContainingTab { tab in
      url.map { tab.navigate(to: $0) }
      tab.close()
    }
    page.reload()
  }
}

/// A popover's controller as Xcode's template has it.
class PopoverController: SFSafariExtensionViewController {
  static let shared: PopoverController = {
    let shared = PopoverController()
    shared.preferredContentSize = NSSize(width: 320, height: 240)
    return shared
  }()
}

/// What lasts longer than an event.
class Counters {
  static var all: [SFSafariPage: Int] = [:]
  /// Differs in each process, which numbers in a sandbox do not.
  static let process = UUID().uuidString
}

/// A handler that asks where it runs.
class MainHandler: SFSafariExtensionHandler {
  override func messageReceived(
    withName messageName: String, from page: SFSafariPage, userInfo: [String: Any]?
  ) {
    page.dispatchMessageToScript(withName: "main", userInfo: ["isMain": Thread.isMainThread])
  }
}

@main
enum Main {
  static func main() {
    let information = Bundle.main.infoDictionary?["NSExtension"] as? [String: Any]
    let name = information?["NSExtensionPrincipalClass"] as? String
    ExtensionProcess.run { name == "BrowserHandlers.MainHandler" ? MainHandler() : BrowserHandler() }
  }
}
