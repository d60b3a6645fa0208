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
      case "AppHandlers.LateHandler": LateHandler()
      case "AppHandlers.NestedHandler": NestedHandler()
      case "AppHandlers.ReloadingHandler": ReloadingHandler()
      case "AppHandlers.FeedHandler": FeedHandler()
      default: fatalError("no principal class \(name ?? "at all")")
      }
    }
  }
}
