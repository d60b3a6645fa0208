public import Foundation

/// Browsers with the same manifests and the same way to start hosts.
public enum BrowserFamily: String, Sendable {
  /// Chromium and browsers based on it.
  case chromium
  /// Firefox.
  case firefox

  /// The manifest's key for extensions that may start the host.
  var callersKey: String {
    switch self {
    case .chromium: "allowed_origins"
    case .firefox: "allowed_extensions"
    }
  }

  /// Returns how a manifest names an extension's id.
  public func caller(_ id: String) -> String {
    switch self {
    case .chromium: "chrome-extension://\(id)/"
    case .firefox: id
    }
  }

  /// Returns whether a text has the form of an extension's id.
  ///
  /// Chromium's ids are 32 letters from a to p; Firefox's look like an e-mail address, or are a
  /// UUID in braces.
  public func isExtensionID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    switch self {
    case .chromium: return bytes.count == 32 && bytes.allSatisfy { (0x61...0x70).contains($0) }
    case .firefox:
      guard bytes.count <= 80 else { return false }
      if bytes.first == 0x7B, bytes.last == 0x7D {
        return bytes.count == 38 && UUID(uuidString: String(text.dropFirst().dropLast())) != nil
      }
      // The part before the sign may be empty, the part after it must not.
      let parts = bytes.split(separator: 0x40, omittingEmptySubsequences: false)
      return parts.count == 2 && !parts[1].isEmpty
        && parts.joined().allSatisfy {
          (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            || "-._".utf8.contains($0)
        }
    }
  }

  /// The id of Tickbird's own extension.
  public var ownExtensionID: String {
    switch self {
    case .chromium: BrowserIdentity.chromiumID
    case .firefox: BrowserIdentity.geckoID
    }
  }
}

/// A browser that can start the host.
public enum Browser: String, CaseIterable, Sendable {
  case chromium, chrome, brave, edge, firefox

  /// The display name.
  public var title: String {
    switch self {
    case .chromium: "Chromium"
    case .chrome: "Google Chrome"
    case .brave: "Brave"
    case .edge: "Microsoft Edge"
    case .firefox: "Firefox"
    }
  }

  /// The family, which decides the manifest.
  public var family: BrowserFamily { self == .firefox ? .firefox : .chromium }

  /// The names of its program.
  public var programNames: [String] {
    switch self {
    case .chromium: ["chromium", "chromium-browser"]
    case .chrome: ["google-chrome", "google-chrome-stable"]
    case .brave: ["brave-browser", "brave-browser-stable", "brave"]
    case .edge: ["microsoft-edge", "microsoft-edge-stable"]
    case .firefox: ["firefox", "firefox-esr"]
    }
  }

  /// Its folder in the configuration folder; nil for Firefox, which has its own place.
  var configurationFolder: String? {
    switch self {
    case .chromium: "chromium"
    case .chrome: "google-chrome"
    case .brave: "BraveSoftware/Brave-Browser"
    case .edge: "microsoft-edge"
    case .firefox: nil
    }
  }

  /// The folder of the administrator's policies.
  public var policyFolder: String {
    switch self {
    case .chromium: "/etc/chromium/policies/managed"
    case .chrome: "/etc/opt/chrome/policies/managed"
    case .brave: "/etc/brave/policies/managed"
    case .edge: "/etc/opt/edge/policies/managed"
    case .firefox: "/etc/firefox/policies"
    }
  }

  /// The folder for extensions of all users, from which Debian's Firefox accepts unsigned ones.
  public static let firefoxExtensions =
    "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}"

  /// The page for loading extensions.
  public var extensionsPage: String {
    switch self {
    case .chromium, .chrome: "chrome://extensions"
    case .brave: "brave://extensions"
    case .edge: "edge://extensions"
    case .firefox: "about:debugging#/runtime/this-firefox"
    }
  }

  /// The names of its Flatpaks.
  public var flatpakNames: [String] {
    confinedFolders.filter { $0.hasPrefix(".var/app/") }
      .map { String($0.dropFirst(".var/app/".count)) }
  }

  /// Folders in the home folder that exist if it is installed as a snap or a Flatpak.
  var confinedFolders: [String] {
    switch self {
    case .chromium: ["snap/chromium", ".var/app/org.chromium.Chromium"]
    case .chrome: [".var/app/com.google.Chrome"]
    case .brave: ["snap/brave", ".var/app/com.brave.Browser"]
    case .edge: [".var/app/com.microsoft.Edge"]
    case .firefox: ["snap/firefox", ".var/app/org.mozilla.firefox"]
    }
  }
}

/// The folders in which a user's browsers are looked for.
public struct BrowserPlaces: Sendable {
  /// The user's home folder.
  public let home: URL
  /// The folder of configurations: `XDG_CONFIG_HOME`, or `.config` in the home folder.
  public let configuration: URL
  /// The folders of programs.
  public let programs: [URL]

  /// Creates a value from its parts.
  public init(home: URL, configuration: URL, programs: [URL]) {
    self.home = home
    self.configuration = configuration
    self.programs = programs
  }

  /// Finds the folders of a user.
  ///
  /// - Parameter environment: `HOME`, `XDG_CONFIG_HOME` and `PATH` are used. Browsers find the
  ///   manifests by the same variables.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let home =
      environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
      ?? FileManager.default.homeDirectoryForCurrentUser
    let configuration = environment["XDG_CONFIG_HOME"].flatMap {
      $0.hasPrefix("/") ? URL(filePath: $0) : nil
    }
    let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    self.init(
      home: home,
      configuration: configuration ?? home.appending(path: ".config"),
      programs: folders.map { URL(filePath: String($0), directoryHint: .isDirectory) }
    )
  }

  /// Returns whether a browser is present: its program, or a profile.
  public func has(_ browser: Browser) -> Bool {
    let isProgramThere = browser.programNames.contains { name in
      programs.contains { isThere($0.appending(path: name)) }
    }
    return isProgramThere || profiles(browser).contains(where: isThere)
  }

  /// Returns whether a browser is present as a snap or a Flatpak, which cannot start a host.
  public func isConfined(_ browser: Browser) -> Bool {
    browser.confinedFolders.contains { isThere(home.appending(path: $0)) }
  }

  /// Returns the file by which a browser finds a host.
  public func manifest(_ browser: Browser, host: String) -> URL {
    let folder =
      browser.configurationFolder.map {
        configuration.appending(path: $0).appending(path: "NativeMessagingHosts")
      } ?? home.appending(path: ".mozilla/native-messaging-hosts")
    return folder.appending(path: host + ".json")
  }

  func profiles(_ browser: Browser) -> [URL] {
    if let folder = browser.configurationFolder { return [configuration.appending(path: folder)] }
    return [
      home.appending(path: ".mozilla/firefox"), configuration.appending(path: "mozilla/firefox"),
    ]
  }

  private func isThere(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
}
