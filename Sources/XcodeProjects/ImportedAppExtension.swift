import ExtensionBundles
import Foundation

extension ImportPlanBuilder {
  /// Checks what the `Info.plist` of a Safari app extension names: files that are not among the
  /// resources, and views, which do not exist here.
  mutating func checkAppExtension(_ information: InformationMerge.Information) {
    let values = information.nsExtension ?? [:]
    let place = "target \(target.name)"
    let files = [("SFSafariContentScript", "Script"), ("SFSafariStyleSheet", "Style Sheet")]
    for (key, part) in files {
      for entry in values[key] as? [[String: Any]] ?? [] {
        guard let name = entry[part] as? String, !hasResource(name) else { continue }
        findings.append(
          .notTaken(
            "resource",
            place,
            "its Info.plist names \(name), which is not among its resources"
          )
        )
      }
    }
    if let item = values["SFSafariToolbarItem"] as? [String: Any] {
      if let image = item["Image"] as? String, !hasResource(image) {
        findings.append(
          .note("resource", place, "its toolbar image \(image) is not among its resources")
        )
      }
      if item["Action"] as? String == "Popover" {
        findings.append(
          .note("popover", place, "the popover of its toolbar item is a view, which is not drawn")
        )
      }
    }
    if let nib = values["NSExtensionMainNibFile"] as? String {
      findings.append(.note("popover", place, "the nib \(nib) of its popover is not read"))
    }
  }

  private func hasResource(_ name: String) -> Bool {
    taken.contains("resources/\(name.lowercased())")
  }
}
