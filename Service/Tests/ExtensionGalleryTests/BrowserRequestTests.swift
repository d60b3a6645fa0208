import ExtensionBundles
import Foundation
import ServiceFolders
import Testing
import WebExtensions

@testable import ExtensionGallery

/// What questions say that an extension may do in browsers, against what browsers get.
@Suite("Requests of browsers")
struct BrowserRequestTests {
  private let scene: GalleryScene

  init() throws { scene = try GalleryScene() }

  /// A bundle that says what it requests in a way of its own.
  struct Bundle: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What the question has to say.
    let words: String
    let make: @Sendable (_ version: String) throws -> SampleBundle
  }

  private static let decoy = #"{"manifest_version": 3, "name": "x", "version": "1"}"#

  private static func app(_ version: String, _ access: [String: Any]) -> SampleBundle {
    var sample = SampleBundle(version: version, executable: "Handler")
    sample.extra["NSExtension"] = [
      "NSExtensionPointIdentifier": "com.apple.Safari.extension", "SFSafariWebsiteAccess": access,
    ]
    return sample
  }

  private static func folder(
    _ version: String,
    _ access: [String: Any],
    outer: [String: Any]? = nil
  ) throws -> SampleBundle {
    var sample = SampleBundle(version: version)
    var keys: [String: Any] = ["NSExtensionPointIdentifier": "com.apple.Safari.web-extension"]
    keys["SFSafariWebsiteAccess"] = outer
    sample.extra["NSExtension"] = keys
    let inner: [String: Any] = [
      "CFBundleIdentifier": sample.identifier, "Permissions": ["Website Access": access],
    ]
    let path = "\(SafariExtensionFolder.folderName)/Info.plist"
    sample.files[path] = try SampleBundle.propertyList(inner)
    return sample
  }

  private static func web(_ version: String, _ members: String = "") -> SampleBundle {
    var sample = SampleBundle(version: version, executable: "Handler")
    sample.extra["NSExtension"] = [
      "NSExtensionPointIdentifier": "com.apple.Safari.web-extension"
    ]
    let text = #"{"manifest_version": 3, "name": "x", "version": "\#(version)"\#(members)}"#
    sample.files["manifest.json"] = Data(text.utf8)
    return sample
  }

  private static let harmless: [String: @Sendable (String) throws -> SampleBundle] = [
    "app": { app($0, ["Level": "None"]) },
    "folder": { try folder($0, ["Level": "None"]) },
    "web": { web($0) },
  ]

  private static let all = "to read and change all pages"
  private static let bundles: [Bundle] = [
    Bundle(testDescription: "app: all", words: all) { app($0, ["Level": "All"]) },
    Bundle(testDescription: "app: in small letters", words: all) { app($0, ["Level": "all"]) },
    Bundle(testDescription: "app: beside a manifest", words: all) { version in
      var sample = app(version, ["Level": "All"])
      sample.files["manifest.json"] = Data(decoy.utf8)
      return sample
    },
    Bundle(testDescription: "app: beside what is no manifest", words: all) { version in
      var sample = app(version, ["Level": "All"])
      sample.files["manifest.json"] = Data("{".utf8)
      return sample
    },
    Bundle(testDescription: "app: some", words: "pages *://*.bank.test/*") {
      app($0, ["Level": "Some", "Allowed Domains": ["*.bank.test"]])
    },
    Bundle(testDescription: "app: beside a number", words: "pages *://*.bank.test/*") {
      app($0, ["Level": "Some", "Allowed Domains": ["*.bank.test", 1]])
    },
    Bundle(testDescription: "app: headers", words: "webRequestBlocking") {
      app($0, ["Level": "None", "Allowed Domains for Header Injection": ["bank.test"]])
    },
    Bundle(testDescription: "folder: all", words: all) {
      try folder($0, ["Level": "All", "Include Secure Pages": true])
    },
    Bundle(testDescription: "folder: in small letters", words: all) {
      try folder($0, ["Level": "all"])
    },
    Bundle(testDescription: "folder: beside a manifest", words: all) { version in
      var sample = try folder(version, ["Level": "All"])
      sample.files["manifest.json"] = Data(decoy.utf8)
      return sample
    },
    Bundle(testDescription: "folder: another list around it", words: all) {
      try folder($0, ["Level": "All"], outer: ["Level": "None"])
    },
    Bundle(testDescription: "web: home page", words: "home page to https://evil.test/") {
      web($0, #", "chrome_settings_overrides": {"homepage": "https://evil.test/"}"#)
    },
    Bundle(testDescription: "web: mail", words: "mailto links at https://evil.test/?%s") {
      let handler = #"{"protocol": "mailto", "name": "x", "uriTemplate": "https://evil.test/?%s"}"#
      return web($0, #", "protocol_handlers": [\#(handler)]"#)
    },
    Bundle(testDescription: "web: all", words: all) {
      web($0, #", "host_permissions": ["<all_urls>"]"#)
    },
  ]

  private func before(_ bundle: Bundle) throws -> SampleBundle {
    let kind = String(bundle.testDescription.prefix { $0 != ":" })
    let make = try #require(Self.harmless[kind])
    return try make("1")
  }

  private func expectConsent(
    _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  )
    async throws
  {
    guard case .needsConsent(_, let requests) = try await scene.update() else {
      Issue.record("nothing was asked", sourceLocation: sourceLocation)
      return
    }
    #expect(requests.joined().contains(words), "\(requests)", sourceLocation: sourceLocation)
  }

  /// Makes the state one of an older Tickbird, which did not keep what it asked.
  private func forgetAnswers() throws {
    let file = scene.folders.data.appending(path: "gallery/State.json")
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    var state = try #require(object as? [String: Any])
    var identities = try #require(state["identities"] as? [String: [String: Any]])
    for name in identities.keys {
      #expect(identities[name]?.removeValue(forKey: "asked") != nil)
    }
    state["identities"] = identities
    try JSONSerialization.data(withJSONObject: state).write(to: file)
  }

  @Test("An installation says what browsers will get", arguments: bundles)
  func offer(_ bundle: Bundle) async throws {
    let package = try bundle.make("1").package(in: scene.folder, key: scene.developer)
    let outcome = try await scene.installer.install(.file(package)) { offer in
      #expect(offer.requests.sentences.joined().contains(bundle.words), "\(offer.requests)")
      return false
    }
    #expect(outcome == .declined)
  }

  @Test("An update that gets more in browsers asks, and once", arguments: bundles)
  func update(_ bundle: Bundle) async throws {
    try scene.publish(before(bundle))
    try await scene.addGallery()
    try await scene.install()
    try scene.publish(bundle.make("2"))
    try await expectConsent(bundle.words)
    #expect(try await scene.version() == "1")
    try await scene.install()
    try scene.publish(bundle.make("3"))
    guard case .updated = try await scene.update() else {
      Issue.record("what was agreed is asked again")
      return
    }
    // Less is nothing new.
    var less = try before(bundle)
    less.version = "4"
    try scene.publish(less)
    guard case .updated = try await scene.update() else {
      Issue.record("less was asked for")
      return
    }
  }

  @Test("What an older Tickbird installed without saying it is asked for", arguments: bundles)
  func older(_ bundle: Bundle) async throws {
    try scene.publish(bundle.make("1"))
    try await scene.addGallery()
    try await scene.install()
    try forgetAnswers()
    try scene.publish(bundle.make("2"))
    guard bundle.testDescription != "web: all" else {
      // These were asked about in full.
      guard case .updated = try await scene.update() else {
        Issue.record("what was agreed is asked again")
        return
      }
      return
    }
    try await expectConsent(bundle.words)
  }

  @Test("What no browser could get is asked for once one can")
  func untranslatable() async throws {
    let pages = #", "host_permissions": ["<all_urls>"]"#
    // Without its manifest there is nothing of it in browsers.
    var first = Self.web("1", pages)
    first.files = [:]
    try scene.publish(first)
    try await scene.addGallery()
    try await scene.install()
    try scene.publish(Self.web("2", pages))
    try await expectConsent(Self.all)
    // As if a later Tickbird could translate what an earlier one could not, and so did not ask about.
    let package = try Self.web("2", pages).package(in: scene.folder, key: scene.developer)
    let installed = try await scene.store.installedExtension("com.example.blocker")
    let bundle = try #require(installed?.bundle)
    try FileManager.default.copyItem(
      at: unpack(package, into: scene.folder).appending(path: "manifest.json"),
      to: bundle.appending(path: "manifest.json")
    )
    try await expectConsent(Self.all)
  }

  @Test("What was given up by a return to the version before is asked for again")
  func goingBack() async throws {
    try scene.publish(Self.web("1"))
    try await scene.addGallery()
    try await scene.install()
    let pages = #", "host_permissions": ["<all_urls>"]"#
    try scene.publish(Self.web("2", pages))
    try await scene.install()
    try await scene.store.goBack("com.example.blocker")
    try scene.publish(Self.web("3", pages))
    try await expectConsent(Self.all)
  }
}
