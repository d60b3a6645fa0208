import Foundation
import ServiceFolders
import Testing

@Suite("Where the service keeps its things")
struct ServiceFoldersTests {
  private let home = URL(filePath: "/home/mia", directoryHint: .isDirectory)

  @Test("Without variables everything is in the home folder")
  func defaults() {
    let folders = ServiceFolders(environment: [:], home: home)
    #expect(folders.data.path == "/home/mia/.local/share/tickbird")
    #expect(folders.cache.path == "/home/mia/.cache/tickbird")
    #expect(folders.hostSocket.path == "/home/mia/.local/share/tickbird/run/host.sock")
  }

  @Test("HOME, where it is set, is the home folder")
  func otherHome() {
    let folders = ServiceFolders(environment: ["HOME": "/home/ida"], home: home)
    #expect(folders.data.path == "/home/ida/.local/share/tickbird")
    #expect(folders.cache.path == "/home/ida/.cache/tickbird")
  }

  @Test("The variables of the XDG specification are followed unless they are relative")
  func variables() {
    let folders = ServiceFolders(
      environment: [
        "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "relative", "XDG_RUNTIME_DIR": "/run/user/1000",
      ],
      home: home
    )
    #expect(folders.data.path == "/d/tickbird")
    #expect(folders.cache.path == "/home/mia/.cache/tickbird")
    #expect(folders.hostSocket.path == "/run/user/1000/tickbird/host.sock")
  }

  @Test("A home of its own holds all of it")
  func ownHome() {
    let folders = ServiceFolders(
      environment: ["TICKBIRD_HOME": "/tmp/t", "XDG_DATA_HOME": "/d"],
      home: home
    )
    #expect(folders.data.path == "/tmp/t/data")
    #expect(folders.cache.path == "/tmp/t/cache")
    #expect(folders.runtime.path == "/tmp/t/run")
  }

  @Test(
    "A folder whose name is not in UTF-8 is refused, with a way out",
    arguments: ["HOME", "TICKBIRD_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"]
  )
  func unusableNames(variable: String) throws {
    // What Foundation makes of a Latin-1 “ö”.
    let path = "/home/J\u{FFFD}rg"
    let failure = #expect(throws: ServiceFolders.UnusableFolder.self) {
      try ServiceFolders.check(environment: [variable: path], home: home)
    }
    let words = try #require(failure).description
    #expect(words.contains(variable) && words.contains("UTF-8") && words.contains("link"))
    try ServiceFolders.check(environment: [variable: "/home/Jörg"], home: home)
    #expect(throws: ServiceFolders.UnusableFolder.self) {
      try ServiceFolders.check(environment: [:], home: URL(filePath: path))
    }
    try ServiceFolders.check(environment: ["HOME": "/home/mia"], home: URL(filePath: path))
  }

  @Test("A relative TICKBIRD_HOME is refused, since whoever sets it does not mean the usual folder")
  func relativeHome() throws {
    let failure = #expect(throws: ServiceFolders.UnusableFolder.self) {
      try ServiceFolders.check(environment: ["TICKBIRD_HOME": "try/it"], home: home)
    }
    let whole = FileManager.default.currentDirectoryPath + "/try/it"
    #expect(try #require(failure).description.hasSuffix("TICKBIRD_HOME=\(whole)"))
    for fine in ["", "/tmp/t"] {
      try ServiceFolders.check(environment: ["TICKBIRD_HOME": fine], home: home)
    }
  }

  @Test("Folders that another user has made are refused; root may use another's data")
  func foreignFolders() throws {
    let own = FileManager.default.temporaryDirectory.appending(path: "folders-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: own) }
    let folders = ServiceFolders(environment: ["TICKBIRD_HOME": own.path], home: home)
    try ServiceFolders.makePrivate(folders.data)
    let user = geteuid()
    let other = user + 1
    func check(as user: UInt32) throws {
      try ServiceFolders.check(environment: ["TICKBIRD_HOME": own.path], home: home, user: user)
    }
    try check(as: user)
    try check(as: 0)
    try folders.makeRuntime()
    let failure = #expect(throws: ServiceFolders.UnusableFolder.self) {
      try folders.makeRuntime(user: other)
    }
    #expect(try #require(failure).description.contains("\(folders.runtime.path) belongs to"))
    // What root has made nobody replaces.
    if user == 0 {
      try check(as: other)
    } else {
      #expect(throws: ServiceFolders.UnusableFolder.self) { try check(as: other) }
    }
  }
}
