/// A script that stands in for Safari: parts of the resources in their order, and what is run of them.
struct LegacyScript {
  private let parts: [[UInt8]]
  private let start: String

  /// Returns the script with its settings.
  func source(_ settings: ManifestValue) -> [UInt8] {
    Array("// Made by Tickbird.\n(function () {\n\"use strict\";\n".utf8)
      + parts.joined(separator: [0x0A]) + "\n\(start)(".utf8 + settings.json.dropLast()
      + ");\n})();\n".utf8
  }

  private static let content1 = [
    PackageResources.safari_events_js, PackageResources.safari_patterns_js,
    PackageResources.safari_values_js, PackageResources.safari_content_js,
  ]

  private static let browser = [
    PackageResources.safari_tabs_js, PackageResources.safari_toolbar_js,
    PackageResources.safari_sheets_js,
  ]

  /// `safari` for scripts in pages.
  static let content = LegacyScript(parts: content1, start: "makeContentSafari")

  /// `safari` for the pages of an app extension.
  static let appPage = LegacyScript(
    parts: content1
      + [PackageResources.safari_handlers_js, PackageResources.safari_app_page_js],
    start: "makeAppPageSafari"
  )

  /// The background of an app extension.
  static let handler = LegacyScript(
    parts: [PackageResources.safari_events_js, PackageResources.safari_patterns_js] + browser
      + [PackageResources.safari_handler_js],
    start: "runSafariHandler"
  )
}
