internal import DurableFiles
public import Foundation

/// A folder `NAME.safariextension`, as Safari 5 to 12 loaded it, and the bundle that is made of it.
///
/// The bundle has no program: an `Info.plist` of its own, the folder as it is below ``folderName``, and
/// the rule list of its `Content Blocker` where the host of extensions looks for one.
public struct SafariExtensionFolder {
  /// The name of the folder in the bundle.
  public static let folderName = "Extension.safariextension"
  /// The name of the rule list in the bundle.
  public static let listName = "blockerList.json"
  /// The extension of a folder's name.
  public static let pathExtension = "safariextension"

  private static let fileLimit = 10_000
  private static let sizeLimit = 256 << 20
  private static let depthLimit = 32

  /// The folder.
  public let location: URL
  /// The bundle identifier.
  public let identifier: String
  /// The name for display.
  public let name: String
  /// The files that are taken, by their paths in the folder, with their sizes.
  public let files: [String: Int]
  /// What is not taken, as sentences.
  public let findings: [String]
  private let information: InformationPropertyList
  private let list: String?

  /// Reads a folder; nothing of it is run or followed.
  ///
  /// - Throws: ``BundleError`` with code `.file` or `.propertyList`.
  public init(at location: URL) throws {
    self.location = location
    information = try InformationPropertyList(contentsOf: location.appending(path: "Info.plist"))
    let values = information.values
    guard let identifier = information.bundleIdentifier,
      ExtensionNames.isBundleIdentifier(identifier)
    else {
      throw BundleError(
        .propertyList,
        "the CFBundleIdentifier of \(location.path) cannot be used: "
          + ExtensionNames.refusal(ofBundleIdentifier: information.bundleIdentifier ?? "")
      )
    }
    self.identifier = identifier
    let plain = location.deletingPathExtension().lastPathComponent
    name =
      [values["CFBundleDisplayName"] as? String, plain].compactMap { $0 }
      .first { !$0.isEmpty } ?? identifier
    var walk = FolderWalk(root: location.path)
    try walk.run(Self.fileLimit, Self.sizeLimit, Self.depthLimit)
    files = walk.files
    var findings = walk.findings
    list = Self.list(values, files, &findings)
    self.findings = findings
  }

  /// Returns the path of the rule list.
  private static func list(
    _ values: [String: Any],
    _ files: [String: Int],
    _ findings: inout [String]
  ) -> String? {
    guard let content = values["Content"] as? [String: Any],
      let written = content["Content Blocker"]
    else { return nil }
    guard let name = written as? String, !name.isEmpty else {
      findings.append("Info.plist: Content Blocker is not a text; there is no list")
      return nil
    }
    let parts = name.split(separator: "/").filter { $0 != "." }
    guard !parts.contains(".."), files[parts.joined(separator: "/")] != nil else {
      findings.append("Info.plist: the Content Blocker \(name) is not there; there is no list")
      return nil
    }
    return parts.joined(separator: "/")
  }

  /// Writes the bundle.
  ///
  /// - Parameters:
  ///   - bundle: The folder `NAME.appex`.
  ///   - isReplacing: Whether a bundle of this kind that is there is replaced.
  /// - Throws: ``BundleError``; then what was there before is unchanged.
  public func write(to bundle: URL, replacing isReplacing: Bool) throws {
    try Self.checkPlace(bundle, isReplacing)
    let manager = FileManager.default
    let new = bundle.deletingLastPathComponent()
      .appending(path: ".\(bundle.lastPathComponent)-\(UUID().uuidString)")
    defer { try? manager.removeItem(at: new) }
    let folder = new.appending(path: Self.folderName, directoryHint: .isDirectory)
    for path in files.keys.sorted() {
      let target = folder.appending(path: path)
      try Files.makeFolder(target.deletingLastPathComponent())
      try copy(path, to: target)
    }
    if let list { try copy(list, to: new.appending(path: Self.listName)) }
    try PropertyListFile.write(ownInformation, to: new.appending(path: "Info.plist"))
    try Files.attempt("\(bundle.path) cannot be written") {
      try DurableFolder.replace(bundle.path, with: new.path)
    }
  }

  private func copy(_ path: String, to target: URL) throws {
    let file = location.appending(path: path)
    try Files.attempt("\(file.path) cannot be copied") {
      // A size that has grown since is no reason to read without bound.
      let bytes = try DurableFile.contents(of: file.path, atMost: Self.sizeLimit)
      try Data(bytes).write(to: target)
    }
  }

  private var ownInformation: [String: Any] {
    func text(_ key: String) -> String? {
      guard let text = information.values[key] as? String, !text.isEmpty else { return nil }
      return text
    }
    let version = text("CFBundleShortVersionString") ?? text("CFBundleVersion") ?? "1.0"
    return [
      "CFBundleIdentifier": identifier, "CFBundleDisplayName": name,
      "CFBundleShortVersionString": version, "CFBundleVersion": text("CFBundleVersion") ?? "1",
      "CFBundlePackageType": "XPC!", "CFBundleInfoDictionaryVersion": "6.0",
      "NSExtension": ["NSExtensionPointIdentifier": ExtensionPoint.webExtension.rawValue],
    ]
  }

  private static func checkPlace(_ bundle: URL, _ isReplacing: Bool) throws {
    guard Files.exists(bundle) else { return }
    let isOurs = Files.exists(bundle.appending(path: folderName))
    guard isReplacing, isOurs else {
      throw BundleError(
        .file,
        isOurs
          ? "\(bundle.path) is there already; --replace replaces it, --output names another place"
          : "\(bundle.path) is in the way, and is no bundle of this kind; --output names another place"
      )
    }
  }
}

/// Finds the files of a stranger's folder.
private struct FolderWalk {
  let root: String
  var files: [String: Int] = [:]
  var findings: [String] = []

  mutating func run(_ fileLimit: Int, _ sizeLimit: Int, _ depthLimit: Int) throws {
    var total = 0
    var folders: [(path: String, depth: Int)] = [("", 0)]
    while let (folder, depth) = folders.popLast() {
      let place = folder.isEmpty ? root : "\(root)/\(folder)"
      let names = try Files.attempt("\(place) cannot be read") {
        try FileManager.default.contentsOfDirectory(atPath: place)
      }
      for name in names.sorted() where !name.hasPrefix(".") {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        let status = try Files.attempt("\(root)/\(path) cannot be looked at") {
          try FileStatus(of: "\(root)/\(path)")
        }
        switch status.kind {
        case .folder:
          guard depth < depthLimit else {
            throw BundleError(.file, "\(root)/\(path) is nested more than \(depthLimit) deep")
          }
          folders.append((path, depth + 1))
        case .file:
          total += status.size
          files[path] = status.size
        default:
          findings.append("\(path) is a link or no file; it is left out")
        }
        guard files.count + folders.count <= fileLimit, total <= sizeLimit else {
          throw BundleError(
            .file,
            "\(root) has more than \(fileLimit) files, or more than \(sizeLimit >> 20) MiB"
          )
        }
      }
    }
  }
}
