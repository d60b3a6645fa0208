import Foundation
import SafariServices

/// Traps while it makes its list.
class CrashingHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        print("about to crash")
        let lists: [String] = []
        let item = NSExtensionItem()
        item.attachments = [NSItemProvider(item: lists[1] as NSSecureCoding, typeIdentifier: "public.json")]
        context.completeRequest(returningItems: [item], completionHandler: nil)
    }
}

/// Returns early and never answers.
class SilentHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        print("nothing to say")
    }
}

/// Stops itself, so that it neither answers nor ends when it is told to.
class StubbornHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        kill(getpid(), SIGSTOP)
    }
}

/// Ends the process itself.
class LeavingHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        exit(0)
    }
}

/// Answers with nil.
class NilHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        context.completeRequest(returningItems: nil, completionHandler: nil)
    }
}

/// Answers with an item that has nothing attached.
class BareHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        context.completeRequest(returningItems: [NSExtensionItem()], completionHandler: nil)
    }
}

/// Attaches a file that is gone when it is read.
class LostFileBlocker: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("list.json")
        try? "[]".write(to: url, atomically: true, encoding: .utf8)
        let item = NSExtensionItem()
        item.attachments = [NSItemProvider(contentsOf: url)].compactMap { $0 }
        try? FileManager.default.removeItem(at: url)
        context.completeRequest(returningItems: [item], completionHandler: nil)
    }
}

/// Cancels with an error of its own, as an app does that wants to know whether it is on.
class CancellingBlocker: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        context.cancelRequest(withError: NSError(domain: "com.example.blocker", code: 42, userInfo: [NSLocalizedDescriptionKey: "Only asking"]))
    }
}

/// Writes to every descriptor it finds.
class BabblingHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        let bytes = [UInt8]("\u{8}\0\0\0rubbish!".utf8)
        for descriptor in Int32(3)..<64 { _ = write(descriptor, bytes, bytes.count) }
        Thread.sleep(forTimeInterval: 600)
    }
}

/// Answers with more than a host takes.
class HugeBlocker: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        let item = NSExtensionItem()
        item.attachments = [NSItemProvider(item: Data(count: 40 << 20) as NSSecureCoding, typeIdentifier: "public.json")]
        context.completeRequest(returningItems: [item], completionHandler: nil)
    }
}

/// Prints without end.
class ChattyHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        for number in 0..<20_000 { print("line \(number) \u{1B}[31m of what nobody wants to read") }
        let item = NSExtensionItem()
        item.userInfo = [SFExtensionMessageKey: "done"]
        context.completeRequest(returningItems: [item], completionHandler: nil)
    }
}

/// Takes memory until there is none.
class GreedyHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        var kept: [Data] = []
        while true { kept.append(Data(repeating: 1, count: 64 << 20)) }
    }
}

/// Works on after its answer, for ever.
class LingeringHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        let item = NSExtensionItem()
        item.userInfo = [SFExtensionMessageKey: "answered"]
        context.completeRequest(returningItems: [item]) { expired in
            if expired {
                print("told to end")
            } else {
                Thread.sleep(forTimeInterval: 600)
            }
        }
    }
}

/// Calls what extensions may not call.
class MeddlingHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        SFSafariApplication.showPreferencesForExtension(withIdentifier: "com.example.none") { error in
            let item = NSExtensionItem()
            item.userInfo = [SFExtensionMessageKey: ["domain": (error as NSError?)?.domain as Any, "code": (error as NSError?)?.code as Any]]
            context.completeRequest(returningItems: [item], completionHandler: nil)
        }
    }
}

/// Says when and where it was started, and by which process.
class WitnessHandler: NSObject, NSExtensionRequestHandling {
    func beginRequest(with context: NSExtensionContext) {
        let item = NSExtensionItem()
        item.userInfo = [SFExtensionMessageKey: [
            "process": Int(getpid()), "home": NSHomeDirectory(),
            "environment": ProcessInfo.processInfo.environment,
            "items": context.inputItems.count,
            "status": (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? "",
        ] as [String: Any]]
        context.completeRequest(returningItems: [item], completionHandler: nil)
    }
}
