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

  private static let inPages = [
    PackageResources.safari_events_js, PackageResources.safari_patterns_js,
    PackageResources.safari_values_js, PackageResources.safari_content_js,
  ]

  private static let browser = [
    PackageResources.safari_tabs_js, PackageResources.safari_toolbar_js,
    PackageResources.safari_sheets_js,
  ]

  /// `safari` for scripts in pages.
  static let content = LegacyScript(parts: inPages, start: "makeScriptSafari")

  /// `safari` for the pages of an app extension.
  static let appPage = LegacyScript(
    parts: inPages
      + [PackageResources.safari_handlers_js, PackageResources.safari_app_page_js],
    start: "makeAppPageSafari"
  )

  /// The background of an app extension.
  static let handler = LegacyScript(
    parts: [PackageResources.safari_events_js, PackageResources.safari_patterns_js] + browser
      + [PackageResources.safari_handler_js],
    start: "runSafariHandler"
  )

  private static let browserSide = browser + [PackageResources.safari_browser_js]

  /// `safari` for the pages of an older folder.
  static let folderPage = LegacyScript(
    parts: inPages + [
      PackageResources.safari_handlers_js, PackageResources.safari_windows_js,
      PackageResources.safari_settings_js, PackageResources.safari_menus_js,
      PackageResources.safari_added_js, PackageResources.safari_global_js,
      PackageResources.safari_folder_page_js,
    ],
    start: "makeFolderPageSafari"
  )

  /// The page around the global page.
  static let home = LegacyScript(parts: [PackageResources.safari_home_js], start: "runSafariHome")

  /// The page around the global page, with the browser's side in it.
  static let homeWithBrowser = LegacyScript(
    parts: [PackageResources.safari_events_js, PackageResources.safari_patterns_js] + browserSide
      + [PackageResources.safari_home_js],
    start: "runSafariHome"
  )

  /// Chromium's worker.
  static let worker = LegacyScript(
    parts: [PackageResources.safari_events_js, PackageResources.safari_patterns_js] + browserSide,
    start: "runSafariWorker"
  )

  /// The page that waits for the global page.
  static let waiting = LegacyScript(
    parts: [PackageResources.safari_waiting_js],
    start: "waitForHome"
  )

  /// The page of the settings.
  static let options = LegacyScript(
    parts: [PackageResources.safari_options_js],
    start: "showSafariOptions"
  )
}
