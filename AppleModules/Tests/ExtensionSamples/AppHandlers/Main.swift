// One executable for all of them, to spare linking; each runs in a bundle of its own, whose
// Info.plist names the principal class.
@_exported import ExtensionRuntime

@main
enum Main {
  static func main() {
    let information = Bundle.main.infoDictionary?["NSExtension"] as? [String: Any]
    let name = information?["NSExtensionPrincipalClass"] as? String
    ExtensionProcess.run {
      switch name {
      case "AppHandlers.GroupFolderBlocker": GroupFolderBlocker()
      case "AppHandlers.SettingsBlocker": SettingsBlocker()
      case "AppHandlers.TemporaryFileBlocker": TemporaryFileBlocker()
      case "AppHandlers.StringBlocker": StringBlocker()
      case "AppHandlers.KeepingHandler": KeepingHandler()
      case "AppHandlers.LateHandler": LateHandler()
      case "AppHandlers.NestedHandler": NestedHandler()
      case "AppHandlers.ReloadingHandler": ReloadingHandler()
      case "AppHandlers.FeedHandler": FeedHandler()
      case "AppHandlers.CrashingHandler": CrashingHandler()
      case "AppHandlers.SilentHandler": SilentHandler()
      case "AppHandlers.StubbornHandler": StubbornHandler()
      case "AppHandlers.LeavingHandler": LeavingHandler()
      case "AppHandlers.NilHandler": NilHandler()
      case "AppHandlers.BareHandler": BareHandler()
      case "AppHandlers.LostFileBlocker": LostFileBlocker()
      case "AppHandlers.CancellingBlocker": CancellingBlocker()
      case "AppHandlers.BabblingHandler": BabblingHandler()
      case "AppHandlers.HugeBlocker": HugeBlocker()
      case "AppHandlers.ChattyHandler": ChattyHandler()
      case "AppHandlers.GreedyHandler": GreedyHandler()
      case "AppHandlers.LingeringHandler": LingeringHandler()
      case "AppHandlers.MeddlingHandler": MeddlingHandler()
      case "AppHandlers.WitnessHandler": WitnessHandler()
      default: UnknownHandler(name)
      }
    }
  }
}

/// Stands in where the bundle names no class that is here.
class UnknownHandler: NSObject, NSExtensionRequestHandling {
  private let name: String?

  init(_ name: String?) { self.name = name }

  func beginRequest(with context: NSExtensionContext) {
    let description = "no principal class \(name ?? "at all")"
    context.cancelRequest(
      withError: NSError(
        domain: "AppHandlers",
        code: 1,
        userInfo: [NSLocalizedDescriptionKey: description]
      )
    )
  }
}
