import Foundation
import SafariServices

/// An app that has extensions: it does one thing and prints what came of it as JSON.
@main
enum ContainingApp {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            print("usage: ContainingApp reload|state|state-of-blocker|preferences IDENTIFIER | dispatch IDENTIFIER NAME | write GROUP FILE TEXT")
            exit(64)
        }
        let identifier = arguments[2]
        do {
            switch arguments[1] {
            case "reload":
                try await SFContentBlockerManager.reloadContentBlocker(withIdentifier: identifier)
                report(["done": true])
            case "reload-with-handler":
                let error: NSError? = await withCheckedContinuation { continuation in
                    SFContentBlockerManager.reloadContentBlocker(withIdentifier: identifier) { error in
                        continuation.resume(returning: error as NSError?)
                    }
                }
                if let error = error { throw error }
                report(["done": true])
            case "state":
                let state = try await SFSafariExtensionManager.stateOfExtension(withIdentifier: identifier)
                report(["isEnabled": state.isEnabled])
            case "state-of-blocker":
                let state = try await SFContentBlockerManager.stateOfContentBlocker(withIdentifier: identifier)
                report(["isEnabled": state.isEnabled])
            case "preferences":
                let error: NSError? = await withCheckedContinuation { continuation in
                    SFSafariApplication.showPreferencesForExtension(withIdentifier: identifier) { error in
                        continuation.resume(returning: error as NSError?)
                    }
                }
                if let error = error { throw error }
                report(["done": true])
            case "dispatch":
                let error: NSError? = await withCheckedContinuation { continuation in
                    SFSafariApplication.dispatchMessage(withName: arguments[3], toExtensionWithIdentifier: identifier, userInfo: ["from": "app", "count": 3]) { error in
                        continuation.resume(returning: error as NSError?)
                    }
                }
                if let error = error { throw error }
                report(["done": true])
            case "write":
                guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier) else {
                    report(["error": "no folder for \(identifier)"])
                    exit(1)
                }
                let file = folder.appendingPathComponent(arguments[3])
                try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try arguments[4].write(to: file, atomically: true, encoding: .utf8)
                report(["done": true])
            case "set-default":
                _ = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
                let defaults = UserDefaults(suiteName: identifier)
                defaults?.set(arguments[4].split(separator: ",").map(String.init), forKey: arguments[3])
                report(["done": defaults?.synchronize() ?? false])
            default:
                report(["error": "unknown \(arguments[1])"])
                exit(64)
            }
        } catch {
            let error = error as NSError
            report(["domain": error.domain, "code": error.code, "description": error.localizedDescription, "anchor": error.userInfo["NSHelpAnchor"] as? String ?? ""])
            exit(1)
        }
    }

    private static func report(_ object: [String: Any]) {
        let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
        print(String(decoding: data ?? Data(), as: UTF8.self))
    }
}
