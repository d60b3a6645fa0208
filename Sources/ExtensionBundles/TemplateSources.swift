// The handlers have the form and layout of Xcode's templates, so that a project can be compared
// with one that Xcode made.

/// The texts of the templates.
enum TemplateSources {
  static func handler(_ point: ExtensionPoint) -> String {
    switch point {
    case .contentBlocker: contentBlocker
    case .sharedLinks: sharedLinks
    case .webExtension: webExtension
    }
  }

  /// The resources by their paths in the bundle.
  static func resources(_ point: ExtensionPoint, name: String) -> [(path: String, text: String)] {
    switch point {
    case .contentBlocker: [("blockerList.json", list)]
    case .sharedLinks: []
    case .webExtension:
      [
        ("manifest.json", manifest), ("background.js", background), ("content.js", content),
        ("_locales/en/messages.json", messages(name: name)),
      ]
    }
  }

  private static let contentBlocker = #"""
    import UIKit
    import MobileCoreServices

    class ContentBlockerRequestHandler: NSObject, NSExtensionRequestHandling {

        func beginRequest(with context: NSExtensionContext) {
            let attachment = NSItemProvider(contentsOf: Bundle.main.url(forResource: "blockerList", withExtension: "json"))!

            let item = NSExtensionItem()
            item.attachments = [attachment]

            context.completeRequest(returningItems: [item], completionHandler: nil)
        }

    }

    """#

  private static let sharedLinks = #"""
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

    """#

  private static let webExtension = #"""
    import SafariServices
    import os.log

    class SafariWebExtensionHandler: NSObject, NSExtensionRequestHandling {

        func beginRequest(with context: NSExtensionContext) {
            let request = context.inputItems.first as? NSExtensionItem

            let profile: UUID?
            if #available(iOS 17.0, macOS 14.0, *) {
                profile = request?.userInfo?[SFExtensionProfileKey] as? UUID
            } else {
                profile = request?.userInfo?["profile"] as? UUID
            }

            let message: Any?
            if #available(iOS 15.0, macOS 11.0, *) {
                message = request?.userInfo?[SFExtensionMessageKey]
            } else {
                message = request?.userInfo?["message"]
            }

            os_log(.default, "Received message from browser.runtime.sendNativeMessage: %@ (profile: %@)", String(describing: message), profile?.uuidString ?? "none")

            let response = NSExtensionItem()
            if #available(iOS 15.0, macOS 11.0, *) {
                response.userInfo = [ SFExtensionMessageKey: [ "echo": message ] ]
            } else {
                response.userInfo = [ "message": [ "echo": message ] ]
            }

            context.completeRequest(returningItems: [ response ], completionHandler: nil)
        }

    }

    """#

  private static let list = #"""
    [
        {
            "action": {
                "type": "block"
            },
            "trigger": {
                "url-filter": "webkit.svg"
            }
        }
    ]

    """#

  private static let manifest = #"""
    {
        "manifest_version": 3,
        "default_locale": "en",

        "name": "__MSG_extension_name__",
        "description": "__MSG_extension_description__",
        "version": "1.0",

        "background": {
            "scripts": [ "background.js" ],
            "service_worker": "background.js"
        },

        "content_scripts": [{
            "js": [ "content.js" ],
            "matches": [ "*://example.com/*" ]
        }],

        "permissions": [ "nativeMessaging" ]
    }

    """#

  private static let background = #"""
    // Passes messages of pages on to the native handler, and its answers back.
    const api = globalThis.browser ?? globalThis.chrome;

    api.runtime.onMessage.addListener((request, sender, sendResponse) => {
        api.runtime.sendNativeMessage("application.id", request).then(
            (response) => sendResponse(response),
            (error) => sendResponse({ error: String(error) })
        );
        // Keeps the channel open: the answer comes later.
        return true;
    });

    """#

  private static let content = #"""
    (globalThis.browser ?? globalThis.chrome).runtime
        .sendMessage({ greeting: "hello" })
        .then((response) => console.log("Received response:", response));

    """#

  private static func messages(name: String) -> String {
    let escaped = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return #"""
      {
          "extension_name": {
              "message": "\#(escaped)",
              "description": "The display name for the extension."
          },
          "extension_description": {
              "message": "This is \#(escaped).",
              "description": "Description of what the extension does."
          }
      }

      """#
  }
}
