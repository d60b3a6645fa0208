/// The texts of the templates: `Templates`, which are part of the program.
///
/// The handlers have the form and layout of Xcode's templates, so that a project can be compared
/// with one that Xcode made.
enum TemplateSources {
  static func handler(_ point: ExtensionPoint) -> String {
    switch point {
    case .contentBlocker: text(PackageResources.ContentBlockerRequestHandler_swift_txt)
    case .sharedLinks: text(PackageResources.RequestHandler_swift_txt)
    case .webExtension: text(PackageResources.SafariWebExtensionHandler_swift_txt)
    case .appExtension: text(PackageResources.SafariExtensionHandler_swift_txt)
    }
  }

  static func entryPoint(principalClass: String) -> String {
    text(PackageResources.ExtensionEntryPoint_swift_txt, ["principalClass": principalClass])
  }

  /// The resources by their paths in the bundle.
  static func resources(_ point: ExtensionPoint, name: String) -> [(path: String, text: String)] {
    switch point {
    case .contentBlocker: return [("blockerList.json", text(PackageResources.blockerList_json))]
    case .sharedLinks: return []
    case .appExtension:
      return [
        ("script.js", text(PackageResources.script_js)),
        ("ToolbarItemIcon.pdf", text(PackageResources.ToolbarItemIcon_pdf)),
      ]
    case .webExtension:
      let escaped = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return [
        ("manifest.json", text(PackageResources.manifest_json)),
        ("background.js", text(PackageResources.background_js)),
        ("content.js", text(PackageResources.content_js)),
        ("_locales/en/messages.json", text(PackageResources.messages_json, ["name": escaped])),
      ]
    }
  }

  /// A template's text, in which values stand for their names in double braces.
  private static func text(_ bytes: [UInt8], _ values: [String: String] = [:]) -> String {
    values.reduce(String(decoding: bytes, as: UTF8.self)) { text, value in
      text.replacing("{{\(value.key)}}", with: value.value)
    }
  }
}
