import Foundation
import HostTestSupport
import ListIngestion
import Testing

@testable import ListSubscriptions

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite("Files of lists that are damaged or elsewhere")
struct DamageTests {
  /// How a file may be damaged.
  enum Harm: String, CaseIterable, CustomTestStringConvertible {
    case emptied, halved, zeros, changed, missing

    var testDescription: String { rawValue }

    func harm(_ file: URL) throws {
      var bytes = try Data(contentsOf: file)
      switch self {
      case .emptied: bytes = Data()
      case .halved: bytes = bytes.prefix(bytes.count / 2)
      case .zeros: bytes = Data(count: bytes.count)
      case .changed: bytes[bytes.count / 2] ^= 1
      case .missing: return try FileManager.default.removeItem(at: file)
      }
      try bytes.write(to: file)
    }
  }

  private func prepared() async throws -> (ListHome, ListServer, Subscription, Data) {
    let home = try ListHome()
    let server = try ListServer { _ in .text(filters(3)) }
    let added = try await home.updater.add(.init(.address(server.address + "/ads.txt")))
    let acting = try #require(try home.acting("ads"))
    return (home, server, added.subscription, acting)
  }

  @Test("A damaged compiled list is told, and made again by what is due", arguments: Harm.allCases)
  func compiled(_ harm: Harm) async throws {
    let (home, server, list, before) = try await prepared()
    #expect(home.store.damage(of: list) == nil)
    let updater = home.updater
    #expect(try await updater.update(.due).isEmpty)
    let file = try #require(home.store.files(of: list)?.compiled)
    try harm.harm(file)
    let damage = home.store.damage(of: list)
    #expect(damage?.contains(file.path) == true, "\(damage ?? "none")")
    // Browsers get nothing that is cut off.
    if harm != .zeros, harm != .changed { #expect(try home.acting("ads") == nil) }
    // Of what is kept, without the server.
    let asked = server.requests.count
    let report = try #require(try await updater.update(.due).first)
    #expect(report.outcome == .unchanged && report.notes.count == 1, "\(report)")
    #expect(server.requests.count == asked)
    #expect(try home.acting("ads") == before)
    #expect(home.store.damage(of: report.subscription) == nil)
    #expect(try await updater.update(.due).isEmpty)
  }

  @Test("Turning a damaged list on makes it again")
  func turnedOn() async throws {
    let (home, _, list, before) = try await prepared()
    try Harm.emptied.harm(try #require(home.store.files(of: list)?.compiled))
    try await home.updater.turn("ads", on: false)
    let on = try await home.updater.turn("ads", on: true)
    #expect(on.isOn && home.store.damage(of: on) == nil)
    #expect(try home.acting("ads") == before)
  }

  @Test("Of a text that is damaged too no list is made: it is fetched, not asked whether it is new")
  func text() async throws {
    let (home, server, list, before) = try await prepared()
    _ = try home.store.change("ads") {
      $0.validators = .init(address: server.address + "/ads.txt", entityTag: "\"a\"")
    }
    let files = try #require(home.store.files(of: list))
    try Harm.halved.harm(files.compiled)
    try Harm.halved.harm(files.source)
    server.answer { request in
      request.field("if-none-match") == nil ? .text(filters(3)) : .status(304)
    }
    _ = try await home.updater.update(.due)
    #expect(try home.acting("ads") == before)
    #expect(try home.store.subscription("ads").summary?.rules == list.summary?.rules)
  }

  @Test("Commands tell of a damaged list, and make it again")
  func commands() async throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    let text = folder.url.appending(path: "mine.txt")
    try Data(filters(3).utf8).write(to: text)
    #expect(try await command.run("lists", "add", text.path).status == 0)
    let store = SubscriptionStore(data: folder.url.appending(path: "data"))
    for way in [["update"], ["on", "mine"]] {
      let list = try store.subscription("mine")
      try Harm.emptied.harm(try #require(store.files(of: list)?.compiled))
      let shown = try await command.run("lists")
      #expect(shown.output.contains("has 0 bytes"), "\(shown)")
      #expect(shown.output.contains("tickbird lists update mine"))
      #expect(try await command.run("lists", "--format", "json").output.contains(#""damage""#))
      let made = try await command.run(["lists"] + way)
      #expect(made.status == 0, "\(made)")
      #expect(try await !command.run("lists").output.contains("damaged"))
    }
  }

  @Test("A state whose link leads to nothing is no first start", arguments: [false, true])
  func elsewhere(isFolder: Bool) async throws {
    let (home, _, _, before) = try await prepared()
    let state = home.store.folder.appending(path: "State.json")
    let place = isFolder ? home.store.folder : state
    let elsewhere = home.folder.url.appending(path: "elsewhere")
    let away = home.folder.url.appending(path: "away")
    try FileManager.default.moveItem(at: place, to: elsewhere)
    try FileManager.default.createSymbolicLink(
      atPath: place.path.hasSuffix("/") ? String(place.path.dropLast()) : place.path,
      withDestinationPath: elsewhere.path
    )
    #expect(try home.acting("ads") == before)
    try FileManager.default.moveItem(at: elsewhere, to: away)
    for attempt in 0..<3 {
      let error = await #expect(throws: SubscriptionError.self) {
        switch attempt {
        case 0: _ = try home.store.subscriptions()
        case 1: try await OwnRules(home.updater).set("||own.example^\n")
        default: _ = try await home.update("ads")
        }
      }
      let message = error?.message ?? ""
      #expect(message.contains("it is a link, and what it leads to is not there"), "\(message)")
      #expect(message.contains(home.store.folder.path), "\(message)")
    }
    // Not "none": a browser would give up what it has.
    #expect(throws: SubscriptionError.self) {
      try SubscribedLists(data: home.folder.url.appending(path: "data")).files()
    }
    try FileManager.default.moveItem(at: away, to: elsewhere)
    #expect(try home.acting("ads") == before)
  }

  @Test("A pipe in the place of a file is called what it is, and nobody waits for it")
  func pipe() async throws {
    let (home, _, _, _) = try await prepared()
    let own = OwnRules(home.updater)
    try await own.set("||own.example^\n")
    let state = home.store.folder.appending(path: "State.json")
    for (file, read) in [
      (home.store.ownFile, { _ = try own.text() }),
      (state, { _ = try home.store.subscriptions() }),
    ] as [(URL, () throws -> Void)] {
      try FileManager.default.removeItem(at: file)
      #expect(unsafe mkfifo(file.path, 0o600) == 0)
      let error = #expect(throws: SubscriptionError.self) { try read() }
      #expect(error?.message.contains("it is a pipe") == true, "\(error?.message ?? "")")
    }
  }

  @Test("Drafts of killed processes go, and nothing that is called alike")
  func drafts() async throws {
    let (home, _, _, _) = try await prepared()
    try await OwnRules(home.updater).set("||own.example^\n")
    let data = home.folder.url.appending(path: "data")
    let folders = [data, home.store.folder, home.store.ownFile.deletingLastPathComponent()]
    for folder in folders {
      for name in [
        ".draft-0123456789abcdef", ".draft-essay", ".draft-", ".draft-it is mine",
      ] {
        let file = folder.appending(path: name)
        try Data("x".utf8).write(to: file)
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
          ofItemAtPath: file.path
        )
      }
      try Data("x".utf8).write(to: folder.appending(path: ".draft-fedcba9876543210"))
    }
    _ = try await home.updater.update(.all)
    for folder in folders {
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasPrefix(".draft-") }
      // One that is young may be written at the moment.
      #expect(
        Set(left) == [".draft-", ".draft-essay", ".draft-fedcba9876543210", ".draft-it is mine"]
      )
    }
  }
}
