import ExtensionMessages
import Foundation
import ListSubscriptions
import Testing

@testable import ExtensionHost

/// What a browser is told of lists whose files cannot be used: never that they are off.
@Suite("Lists in force that cannot be read")
struct ListsInForceTests {
  private let identifier = "com.good.ext"

  /// An extension that is on, with a list.
  private func prepared() async throws -> TestHost {
    let test = try await TestHost()
    try await test.add(identifier, TestHost.key("a"), version: "5", isWeb: true)
    try await test.host.turnOn(identifier)
    try await test.host.setContentBlocker(.string(rules("mine")), of: identifier)
    return test
  }

  private func files(_ test: TestHost) throws -> [ListsInForce.File] {
    try ListsInForce(data: test.data).files()
  }

  @Test("A list whose file, state or bundle is damaged keeps its place, with the reason")
  func damaged() async throws {
    let test = try await prepared()
    let sound = try #require(try files(test).first)
    #expect(sound.fault == nil && FileManager.default.fileExists(atPath: sound.location.path))
    let state = test.data.appending(path: "States/\(identifier).json")
    let record = test.data.appending(path: "Extensions/\(identifier)/Versions.json")
    for file in [state, record] {
      let before = try Data(contentsOf: file)
      try Data("{".utf8).write(to: file)
      let found = try files(test)
      #expect(found.map(\.identifier) == [identifier], "\(file.path)")
      #expect(found.first?.fault?.contains(file.path) == true, "\(found)")
      try before.write(to: file)
      #expect(try files(test) == [sound])
    }
    try FileManager.default.removeItem(at: sound.location)
    let missing = try #require(try files(test).first)
    #expect(missing.name == sound.name)
    #expect(missing.fault?.contains(sound.location.path) == true, "\(missing)")
  }

  @Test("What never had a list, or is off, is no list, whatever is wrong with it")
  func none() async throws {
    let test = try await prepared()
    try await test.host.setContentBlocker(.null, of: identifier)
    #expect(try files(test).isEmpty)
    try Data("{".utf8).write(to: test.data.appending(path: "States/\(identifier).json"))
    #expect(try files(test).isEmpty)
    #expect(try ListsInForce(data: test.folder.url.appending(path: "nowhere")).files().isEmpty)
  }

  /// Puts a list of a subscription on the disk, as an update makes it.
  private func addSubscription(_ id: String, to test: TestHost) throws {
    let folder = test.data.appending(path: "Subscriptions/Lists/\(id)/1a2b")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: folder.appending(path: "compiled"))
  }

  @Test("Where it is not known which subscriptions are on, what is known of extensions holds")
  func unknownSubscriptions() async throws {
    let test = try await prepared()
    try addSubscription("ads", to: test)
    try addSubscription("more", to: test)
    let state = test.data.appending(path: "Subscriptions/State.json")
    for isThere in [true, false] {
      if isThere { try Data("{".utf8).write(to: state) }
      let found = try files(test)
      #expect(found.map(\.identifier) == [identifier, "list:ads", "list:more"])
      #expect(found.first?.fault == nil)
      #expect(
        found.dropFirst().allSatisfy { $0.isSubscription && $0.fault?.contains(state.path) == true }
      )
      if isThere { try FileManager.default.removeItem(at: state) }
    }
    // Also of one whose compiled list is gone, and of one beside whose list is something else.
    try Data("{".utf8).write(to: state)
    let ads = test.data.appending(path: "Subscriptions/Lists/ads/1a2b")
    try FileManager.default.moveItem(
      at: ads.appending(path: "compiled"),
      to: ads.appending(path: "source.txt")
    )
    let more = test.data.appending(path: "Subscriptions/Lists/more/1a2b")
    try Data().write(to: more.appending(path: ".DS_Store"))
    #expect(try files(test).map(\.identifier) == [identifier, "list:ads", "list:more"])
    // An extension that is removed acts in no browser any more.
    try await test.host.remove(identifier)
    #expect(try files(test).map(\.identifier) == ["list:ads", "list:more"])
    // Where nothing is left that says which lists there were.
    let lists = test.data.appending(path: "Subscriptions/Lists")
    try FileManager.default.removeItem(at: lists)
    #expect(throws: SubscriptionError.self) { try files(test) }
    // A disk that is not there, in place of the folder of the lists.
    try FileManager.default.createSymbolicLink(
      atPath: lists.path,
      withDestinationPath: test.folder.url.appending(path: "unmounted").path
    )
    #expect(throws: SubscriptionError.self) { try files(test) }
  }

  @Test("Where it is not known which extensions there are, each that is on and has a list may be")
  func unknownExtensions() async throws {
    let test = try await prepared()
    try await test.add("com.good.off", TestHost.key("a"), version: "5", isWeb: true)
    // A disk that is not there, in place of the folder of bundles, or of that of lists.
    for name in ["Extensions", "Lists"] {
      let place = test.data.appending(path: name)
      let away = test.data.appending(path: "Away")
      try FileManager.default.moveItem(at: place, to: away)
      try FileManager.default.createSymbolicLink(
        atPath: place.path,
        withDestinationPath: test.folder.url.appending(path: "unmounted").path
      )
      let found = try files(test)
      #expect(found.map(\.identifier) == [identifier], "\(name)")
      #expect(found.first?.fault?.contains(place.path) == true, "\(found)")
      try FileManager.default.removeItem(at: place)
      try FileManager.default.moveItem(at: away, to: place)
      #expect(try files(test).first?.fault == nil)
    }
  }

  @Test("Whichever folders are lost, no list goes without a word")
  func combinations() async throws {
    let test = try await prepared()
    let states = ["there", "missing", "empty"]
    for extensions in states {
      for ofStates in states {
        for lists in states {
          let folders = ["Extensions": extensions, "States": ofStates, "Lists": lists]
          let away = test.folder.url.appending(path: "Away")
          try FileManager.default.createDirectory(at: away, withIntermediateDirectories: false)
          for (name, state) in folders where state != "there" {
            let place = test.data.appending(path: name)
            try FileManager.default.moveItem(at: place, to: away.appending(path: name))
            guard state == "empty" else { continue }
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
          }
          let found = try? files(test)
          // Where nothing is left, it is an error.
          #expect((found == nil) == !folders.values.contains("there"), "\(folders)")
          if let found, folders.values.contains(where: { $0 != "there" }) {
            #expect(found.map(\.identifier) == [identifier], "\(folders)")
            #expect(found.first?.fault != nil, "\(folders)")
          }
          for (name, state) in folders where state != "there" {
            let place = test.data.appending(path: name)
            try? FileManager.default.removeItem(at: place)
            try FileManager.default.moveItem(at: away.appending(path: name), to: place)
          }
          try FileManager.default.removeItem(at: away)
          #expect(try files(test).first?.fault == nil)
        }
      }
    }
  }

  @Test("A bundle that is damaged keeps its list although the compiled lists are lost")
  func damagedWithoutLists() async throws {
    let test = try await prepared()
    let record = test.data.appending(path: "Extensions/\(identifier)/Versions.json")
    try Data("{".utf8).write(to: record)
    try FileManager.default.removeItem(at: test.data.appending(path: "Lists"))
    #expect(try files(test).map(\.identifier) == [identifier])
    try await test.host.turnOff(identifier)
    #expect(try files(test).isEmpty)
  }

  @Test("An extension whose folder is a link is damaged, and goes without what the link leads to")
  func linkedFolder() async throws {
    let test = try await prepared()
    let place = test.data.appending(path: "Extensions/\(identifier)")
    let away = test.folder.url.appending(path: "Away")
    try FileManager.default.moveItem(at: place, to: away)
    try FileManager.default.createSymbolicLink(at: place, withDestinationURL: away)
    let found = try #require(try files(test).first)
    #expect(found.fault?.contains("\(place.path) is a link") == true, "\(found)")
    let listed = try #require(try await test.host.listed().first)
    #expect(throws: ErrorReport.self) { try listed.found.get() }
    // Another bundle does not take its place, and takes away nothing of it.
    let message = await test.refusal {
      let consent = InstallConsent(replacesSigned: true)
      try await test.add(identifier, TestHost.key("b"), version: "9", isWeb: true, consent: consent)
    }
    #expect(message.contains("\(place.path) is a link"), "\(message)")
    #expect(try files(test) == [found])
    try await test.host.turnOff(identifier)
    #expect(try files(test).isEmpty)
    try await test.host.remove(identifier)
    #expect((try? FileManager.default.attributesOfItem(atPath: place.path)) == nil)
    #expect(try await test.host.extensions().isEmpty)
    #expect(FileManager.default.fileExists(atPath: away.appending(path: "Versions.json").path))
    // A file of the user's that has such a name is no extension.
    try Data().write(to: place)
    #expect(try await test.host.listed().isEmpty)
    await #expect(throws: ErrorReport.self) { try await test.host.remove(identifier) }
    #expect(await test.refusal { try await test.add(identifier) } != "")
    #expect(FileManager.default.fileExists(atPath: place.path))
  }

  @Test(
    "A folder that was not empty, and is empty or missing, says nothing of lists",
    arguments: ["Extensions", "States"],
    [true, false]
  )
  func unmounted(_ name: String, isThere: Bool) async throws {
    let test = try await prepared()
    let place = test.data.appending(path: name)
    let away = test.data.appending(path: "Away")
    let mark = test.data.appending(path: name + ".filled")
    // As of an earlier version, which made none; the next host makes one.
    try FileManager.default.removeItem(at: mark)
    _ = await test.host.start()
    if name == "States" { _ = try StateStore(directory: place) }
    #expect(FileManager.default.fileExists(atPath: mark.path))
    try FileManager.default.moveItem(at: place, to: away)
    if isThere {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      // What a disk or a file manager puts into each folder.
      let found = place.appending(path: "lost+found")
      try FileManager.default.createDirectory(at: found, withIntermediateDirectories: false)
    }
    let found = try files(test)
    #expect(found.map(\.identifier) == [identifier])
    #expect(found.first?.fault?.contains(mark.path) == true, "\(found)")
    // Neither does the host know, and it puts nothing there.
    await #expect(throws: ErrorReport.self) { try await test.host.turnOff(identifier) }
    await #expect(throws: ErrorReport.self) {
      try await test.add("com.good.new", TestHost.key("a"), version: "5", isWeb: true)
    }
    if name == "Extensions" {
      await #expect(throws: ErrorReport.self) { try await test.host.listed() }
    }
    #expect(FileManager.default.fileExists(atPath: place.path) == isThere)
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.moveItem(at: away, to: place)
    // The host goes on where the disk is back.
    #expect(try files(test).first?.fault == nil)
    try await test.host.remove(identifier)
    // An empty folder is all right where the user has emptied it.
    #expect(!FileManager.default.fileExists(atPath: mark.path))
    #expect(try files(test).isEmpty)
    #expect(try await test.host.extensions().isEmpty)
    try FileManager.default.removeItem(at: place)
    #expect(try files(test).isEmpty)
  }
}
