import Foundation
import NativeMessaging
import Testing

@testable import BrowserSetup

@Suite("Who could change what root uses")
struct TrustTests {
  /// A folder of this user's own.
  private final class Place {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "trust-\(UUID().uuidString)")

    init() throws { try makeFolder("") }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func makeFolder(_ name: String, mode: Int = 0o755) throws {
      let files = FileManager.default
      try files.createDirectory(atPath: path(name), withIntermediateDirectories: true)
      try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    func write(_ name: String, mode: Int = 0o644) throws {
      try Data().write(to: folder.appending(path: name))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: path(name),
        withDestinationPath: target
      )
    }
  }

  @Test("a chain of links is as weak as its last folder, also where they lead upwards")
  func chains() throws {
    let place = try Place()
    for folder in ["bin", "lib", "safe"] { try place.makeFolder(folder) }
    try place.makeFolder("open", mode: 0o777)
    for folder in ["safe", "open"] {
      try place.write("\(folder)/program")
      try place.link("lib/\(folder)", to: place.path("\(folder)/program"))
      try place.link("bin/\(folder)", to: "../lib/\(folder)")
    }
    #expect(Trust().weakness(of: place.path("bin/safe")) == nil)
    let weakness = Trust().weakness(of: place.path("bin/open"))
    #expect(weakness == "everybody can write to \(place.path("open"))")
  }

  @Test("what is above a link's target counts, and not what is above the link")
  func aboveLinks() throws {
    let place = try Place()
    try place.makeFolder("open/inner", mode: 0o755)
    try place.makeFolder("open", mode: 0o777)
    try place.makeFolder("safe")
    try place.link("safe/link", to: place.path("open/inner"))
    #expect(Trust().weakness(of: place.path("safe")) == nil)
    #expect(Trust().weakness(of: place.path("safe") + "/link/../file") != nil)
  }

  @Test("more links than the system follows are no way to anything")
  func manyLinks() throws {
    let place = try Place()
    try place.write("program")
    try place.link("link-0", to: "program")
    for number in 1..<100 { try place.link("link-\(number)", to: "link-\(number - 1)") }
    #expect(Trust().weakness(of: place.path("link-20")) == nil)
    #expect(Trust().weakness(of: place.path("link-99"))?.contains("too many links") == true)
    try place.link("round", to: "round")
    #expect(Trust().weakness(of: place.path("round"))?.contains("too many links") == true)
  }

  @Test("a folder counts however far above it is")
  func deepPaths() throws {
    let place = try Place()
    let inner = Array(repeating: "x", count: 250).joined(separator: "/")
    try place.makeFolder("safe/\(inner)")
    try place.makeFolder("open/\(inner)")
    try place.makeFolder("open", mode: 0o777)
    #expect(Trust().weakness(of: place.path("safe/\(inner)")) == nil)
    #expect(
      Trust().weakness(of: place.path("open/\(inner)"))
        == "everybody can write to \(place.path("open"))"
    )
  }

  @Test("in a folder such as /tmp, what is there already is safe, and what is not there yet is not")
  func sharedFolders() throws {
    let place = try Place()
    try place.makeFolder("shared", mode: 0o1777)
    try place.makeFolder("shared/own")
    #expect(Trust().weakness(of: place.path("shared/own/new/file")) == nil)
    #expect(
      Trust().weakness(of: place.path("shared/new/file"))
        == "everybody can write to \(place.path("shared"))"
    )
  }

  @Test("a folder is as weak as each file in it")
  func contents() throws {
    let place = try Place()
    try place.makeFolder("extension/scripts")
    try place.write("extension/manifest.json")
    try place.write("extension/scripts/background.js")
    let folder = place.path("extension")
    #expect(Trust().weakness(ofAllIn: folder) == nil)
    try place.write("extension/scripts/background.js", mode: 0o666)
    #expect(Trust().weakness(of: folder) == nil)
    #expect(
      Trust().weakness(ofAllIn: folder)
        == "everybody can write to \(folder)/scripts/background.js"
    )
  }

  @Test("nothing is registered with a browser whose folder others can change")
  func registering() throws {
    let place = try Place()
    try place.makeFolder("home", mode: 0o777)
    let home = place.folder.appending(path: "home")
    let places = BrowserPlaces(
      home: home,
      configuration: home.appending(path: ".config"),
      programs: []
    )
    let changes = try SetupChanges(
      recordFile: place.folder.appending(path: "data/setup.json"),
      trust: Trust(),
      isForAll: false,
      isTrial: false
    )
    let program = URL(filePath: "/bin/sh")
    for browser in [Browser.chromium, .firefox] {
      #expect(throws: SetupError.self) {
        try changes.register(
          browser,
          HostInstallation(places: places, program: program),
          at: places.manifest(browser, host: BrowserIdentity.hostName),
          extensions: [BrowserIdentity.chromiumID, BrowserIdentity.geckoID]
        )
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
  }
}
