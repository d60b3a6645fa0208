import ExtensionBundles
import Foundation
import WebExtensions

extension ImportPlanBuilder {
  private static let folder = "Resources/"

  /// Checks the browser's half of a web extension, which is among the resources.
  ///
  /// Programs are left out; what is wrong with the manifest, and what Chromium and Firefox lack, is
  /// reported.
  mutating func checkWebExtension() {
    leaveOutPrograms()
    var resources: [String: ImportPlan.File] = [:]
    for file in files where file.path.hasPrefix(Self.folder) {
      resources[String(file.path.dropFirst(Self.folder.count))] = file
    }
    let manifest = WebExtensionSource.manifestName
    guard resources[manifest] != nil else {
      let other = resources.keys.sorted().first { $0.hasSuffix("/" + manifest) }
      findings.append(
        .notTaken(
          "manifest",
          resources[other ?? ""]?.origin ?? "target \(target.name)",
          "there is no \(manifest) at the top of the resources, where browsers look for it",
          "put the folder's contents there"
        )
      )
      return
    }
    let origins = resources.compactMapValues(\.origin)
    for browser in TargetBrowser.allCases {
      do throws(WebExtensionError) {
        let source = try webExtensionSource(resources)
        let translation = try ExtensionTranslation(source, for: browser, as: Self.noIdentity)
        for note in translation.notes where note.severity == .missing {
          let line = note.line.map { ":\($0)" } ?? ""
          findings.append(
            .note(note.code, (origins[note.file] ?? note.file) + line, note.message)
          )
        }
      } catch {
        findings.append(.notTaken("manifest", origins[manifest] ?? manifest, error.message))
        return
      }
    }
  }

  /// Who the extension is, is said when it is added to a browser.
  private static let noIdentity = ExtensionTranslation.Identity(
    chromiumKey: "",
    geckoID: "",
    hostName: ""
  )

  private func webExtensionSource(
    _ resources: [String: ImportPlan.File]
  ) throws(WebExtensionError) -> WebExtensionSource {
    var sizes: [String: Int] = [:]
    for (name, file) in resources {
      guard case .copied(let path) = file.contents, case .file(let size) = project.files.entry(path)
      else { continue }
      sizes[name] = size
    }
    return try WebExtensionSource(sizes: sizes) { name, count throws(WebExtensionError) in
      guard case .copied(let path)? = resources[name]?.contents,
        let bytes = project.files.head(path, count)
      else { throw WebExtensionError(.file, "\(name) cannot be read") }
      return bytes
    }
  }

  private mutating func leaveOutPrograms() {
    var kept: [ImportPlan.File] = []
    for file in files {
      guard file.path.hasPrefix(Self.folder), case .copied(let path) = file.contents,
        let head = project.files.head(path, 4), ProgramFormat(head) != nil
      else {
        kept.append(file)
        continue
      }
      findings.append(
        .notTaken(
          "program",
          file.origin ?? file.path,
          "it is a program, which a web extension's resources cannot have"
        )
      )
    }
    files = kept
  }
}
