import BrowserDriving
import Foundation

/// How the product's command installs the extension for good.
extension Service {
  /// What a browser finds where it looks for what the system installs.
  struct Installation {
    var identifier: String
    /// Folders for the places of the system's.
    var systemFolders: [String: URL]
  }

  /// The folders of the system's that a test replaces.
  static func systemPlaces(_ kind: BrowserKind) -> [String] {
    switch kind {
    case .chromium: ["/etc/chromium"]
    case .firefox: ["/usr/share/mozilla/extensions"]
    }
  }

  /// Packs the extension, and runs the commands that are printed in copies of the system's folders.
  func installPermanently(_ built: URL, in browser: BrowserKind) throws -> Installation {
    let packages = home.appending(path: "packages")
    let words = try run(
      "browser",
      "package",
      browser.rawValue,
      "--extension",
      built.path,
      "--output",
      packages.path,
      "--place",
      home.appending(path: "placed").path
    )
    var folders: [String: URL] = [:]
    for (number, place) in Self.systemPlaces(browser).enumerated() {
      let copy = home.appending(path: "system-\(number)")
      try FileManager.default.copyItem(at: URL(filePath: place), to: copy)
      folders[place] = copy
    }
    let commands = words.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("install -D") }
    for command in commands {
      var command = command
      for (place, copy) in folders {
        command = command.replacing(" '\(place)/", with: " '\(copy.path)/")
      }
      // A policy for Firefox would be one way too many.
      guard !command.contains(" '/etc/firefox/") else { continue }
      try Tool.run(["/bin/sh", "-ec", command])
    }
    guard browser == .chromium else {
      return Installation(
        identifier: Session.identifiers[browser] ?? "",
        systemFolders: folders
      )
    }
    // So that the tests may ask what is going on in it.
    let policies = home.appending(path: "system-0/policies/managed")
    try Data(#"{"DeveloperToolsAvailability": 1}"#.utf8)
      .write(to: policies.appending(path: "tests.json"))
    let line = words.split(separator: "\n").first { $0.contains("  id ") }
    guard let identifier = line?.split(separator: " ").last else {
      throw DrivingError("browser package names no id: \(words)")
    }
    return Installation(identifier: String(identifier), systemFolders: folders)
  }

  /// Removes all lists but some.
  func removeLists(but kept: [String]) throws {
    let identifiers = Set(kept.map { "list.\($0.lowercased())" })
    let list = try run("extensions", "list")
    for match in list.matches(of: /list\.[a-z0-9-]+/)
    where !identifiers.contains(String(match.output)) {
      try run("extensions", "remove", String(match.output))
    }
  }
}
