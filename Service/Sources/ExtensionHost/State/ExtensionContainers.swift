internal import Foundation

/// The folders that extensions may write to: one for each, and one for each application group.
///
/// Whoever can write to a container may have put links in it, so that none is followed here.
struct ExtensionContainers: Sendable {
  /// What a process gets.
  struct Prepared: Sendable {
    /// The variables that lead Foundation to the container.
    var environment: [String: String]
    /// The container.
    var home: URL
    /// Groups' folders, by name.
    var groups: [String: URL]
  }

  private let containers: Folder
  private let groups: Folder

  init(data: URL) throws(HostError) {
    containers = try Folder(making: data.appending(path: "Containers").path)
    groups = try Folder(making: data.appending(path: "Groups").path)
  }

  /// The folders that hold those that extensions may write to.
  var roots: [URL] {
    [containers, groups].map { URL(filePath: $0.path, directoryHint: .isDirectory) }
  }

  /// Makes what is missing of an extension's folders.
  ///
  /// - Parameters:
  ///   - identifier: The extension.
  ///   - groupNames: The groups that the bundle is entitled to.
  /// - Returns: Its folders and variables.
  /// - Throws: ``HostError`` with code `.file`.
  func prepare(_ identifier: String, groups groupNames: [String]) throws(HostError) -> Prepared {
    let home = try containers.ensureFolder(identifier)
    for name in ["tmp", "Documents", ".cache"] { _ = try home.ensureFolder(name) }
    let configuration = try home.ensureFolder(".config")
    _ = try home.ensureFolder(".local").ensureFolder("share")
    var prepared = Prepared(
      environment: [
        "HOME": home.path, "CFFIXED_USER_HOME": home.path,
        "TMPDIR": home.path(of: "tmp"), "XDG_CONFIG_HOME": home.path(of: ".config"),
        "XDG_CACHE_HOME": home.path(of: ".cache"),
        "XDG_DATA_HOME": home.path(of: ".local/share"),
      ],
      home: URL(filePath: home.path, directoryHint: .isDirectory),
      groups: [:]
    )
    for name in groupNames {
      let group = try groups.ensureFolder(name)
      // Where Apple's systems keep them, so that the folder's own part stays the developer's.
      let preferences = try group.ensureFolder("Library").ensureFolder("Preferences")
      let file = name + ".plist"
      try configuration.makeLink(file, to: preferences.path(of: file))
      prepared.groups[name] = URL(filePath: group.path, directoryHint: .isDirectory)
    }
    return prepared
  }

  /// Empties an extension's temporary folder, when none of its processes run.
  func emptyTemporaryFolder(_ identifier: String) {
    guard let home = try? containers.folder(identifier) else { return }
    try? home.removeTree("tmp")
  }

  /// Removes an extension's container; groups stay, since others may share them.
  func remove(_ identifier: String) throws(HostError) {
    try containers.removeTree(identifier)
  }
}
