import ExtensionMessages
import Foundation

@testable import ExtensionHost

/// Bundles that somebody signed, and hosts to put them into.
extension TestHost {
  /// The signer with a key of one repeated digit, and those whose place it took.
  static func key(_ digit: Character, replacing old: [Character] = []) throws -> Signer {
    func fingerprint(_ digit: Character) -> String {
      Array(repeating: String(repeating: digit, count: 4), count: 16).joined(separator: "-")
    }
    return try Signer(fingerprint: fingerprint(digit), replaced: old.map { fingerprint($0) })
  }

  /// Writes a content blocker that is a list alone, or a web extension that does nothing.
  func bundle(
    _ identifier: String,
    version: String = "1",
    groups: [String] = [],
    isWeb: Bool = false,
    list: String = "ads"
  ) throws -> URL {
    let bundle = folder.url.appending(path: "\(UUID().uuidString).appex")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let point = isWeb ? "com.apple.Safari.web-extension" : "com.apple.Safari.content-blocker"
    var information: [String: Any] = [
      "CFBundleIdentifier": identifier, "CFBundleVersion": version,
      "CFBundleShortVersionString": version, "CFBundleName": identifier,
      "NSExtension": ["NSExtensionPointIdentifier": point],
    ]
    if isWeb {
      information["CFBundleExecutable"] = "main"
      try FileManager.default.copyItem(
        at: URL(filePath: "/bin/true").resolvingSymlinksInPath(),
        to: bundle.appending(path: "main")
      )
    } else {
      try Data(rules(list).utf8).write(to: bundle.appending(path: "blockerList.json"))
    }
    try SampleExtensions.write(information, to: bundle.appending(path: "Info.plist"))
    if !groups.isEmpty {
      try SampleExtensions.write(
        ["com.apple.security.application-groups": groups],
        to: bundle.appending(path: "Entitlements.plist")
      )
    }
    return bundle
  }

  /// Installs a bundle that somebody signed.
  @discardableResult
  func add(
    _ identifier: String,
    _ signer: Signer = .unsigned,
    version: String = "1",
    groups: [String] = [],
    isWeb: Bool = false,
    list: String = "ads",
    consent: InstallConsent = InstallConsent()
  ) async throws(ErrorReport) -> InstalledBundle {
    let file: URL
    do {
      file = try bundle(identifier, version: version, groups: groups, isWeb: isWeb, list: list)
    } catch {
      throw .internalError("\(error)")
    }
    return try await host.install(file, signedBy: signer, consent: consent)
  }

  /// Returns the message of a refusal; empty if nothing was refused.
  func refusal(_ body: () async throws -> some Any) async -> String {
    do {
      _ = try await body()
      return ""
    } catch let error as ErrorReport {
      return error.domain == HostError.domain ? error.description : "other error: \(error)"
    } catch {
      return "other error: \(error)"
    }
  }

  /// Returns the folder of a group, as the extension gets it.
  func groupFolder(_ group: String, of bundle: InstalledBundle) async throws -> URL {
    let places = try await host.groups(of: bundle)
    let prepared = try await host.containers.prepare(bundle.identifier, groups: places)
    guard let folder = prepared.groups[group] else { throw HostError(.file, "no \(group)") }
    return folder
  }

  /// Turns the data folder into one of a version that recorded no signers.
  func forgetSigners() throws {
    try? FileManager.default.removeItem(at: data.appending(path: "GroupOwners.json"))
    func strip(_ file: URL, _ keys: [String]) throws {
      var values =
        try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
      for key in keys { values[key] = nil }
      try JSONSerialization.data(withJSONObject: values).write(to: file)
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: data.path + "/Extensions") {
      try strip(
        data.appending(path: "Extensions/\(name)/Versions.json"),
        ["signer", "previousSigner"]
      )
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: data.path + "/States") {
      try strip(data.appending(path: "States/\(name)"), ["owner"])
    }
  }
}
