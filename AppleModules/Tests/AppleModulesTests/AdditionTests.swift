import Combine
import ExtensionMessages
import Foundation
import Testing

@testable import ExtensionRuntime

@Suite("What Foundation on Linux lacks")
struct AdditionTests {
  @Test("iCloud's store keeps values from one process to the next, and files are written in turns")
  func keeping() throws {
    let run = try ExtensionRun("AppHandlers", principal: "AppHandlers.KeepingHandler")
    for count in 1...2 {
      let result = try run.run()
      let message = result.answer?.items?.first?.userInfo["message"]
      guard case .dictionary(let values) = message else {
        Issue.record("no answer: \(result.errors)")
        return
      }
      #expect(values["count"] == .string("\(count)"))
      #expect(values["data"] == .integer(2))
      #expect(values["image"] == .double(0))
      #expect(values["timeout"] == .double(60))
      #expect(values["identifier"] == .string("com.example.AppHandlers"))
    }
  }

  private func folder() throws -> URL {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("additions-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
    + [0, 0, 0, 40, 0, 0, 0, 20]

  @Test("an image is its file's bytes, with the size that they tell")
  func images() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("icon@2x.png")
    try Data(Self.png).write(to: file)
    let image = try #require(ImageFile(contentsOfFile: file.path))
    #expect(image.size == CGSize(width: 20, height: 10))
    #expect(image.pngData() == Data(Self.png))
    #expect(image.jpegData(compressionQuality: 1) == nil)
    #expect(ImageFile(data: Data("no image".utf8)) == nil)
    #expect(ImageFile(data: Data(Self.png.prefix(6)))?.size == .zero)
    #expect(ImageFile(named: "nothing") == nil)
  }

  @Test("trash keeps files of the same name apart, and where they came from")
  func trash() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let trash = folder.appendingPathComponent("Trash")
    var places: [URL] = []
    for text in ["first", "second"] {
      let file = folder.appendingPathComponent("a list.json")
      try Data(text.utf8).write(to: file)
      places.append(try FileManager.default.trash(file, into: trash))
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
    #expect(try places.map { try String(contentsOf: $0, encoding: .utf8) } == ["first", "second"])
    let information = try String(
      contentsOf: trash.appendingPathComponent("info/a list.json.trashinfo"),
      encoding: .utf8
    )
    #expect(information.hasPrefix("[Trash Info]\nPath="))
    #expect(information.contains("/a%20list.json\nDeletionDate="))
    let missing = folder.appendingPathComponent("missing")
    #expect(throws: (any Error).self) { try FileManager.default.trash(missing, into: trash) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: trash.path + "/info").count == 2)
  }

  @Test("published values tell observers of changes until they end")
  func published() {
    final class Model: ObservableObject {
      @Published var count = 1
    }
    let model = Model()
    var seen: [Int] = []
    var observation: AnyCancellable? = model.$count.sink { seen.append($0) }
    model.count = 2
    observation?.cancel()
    observation = nil
    model.count = 3
    #expect(seen == [1, 2])
    #expect(model.count == 3)
    let publisher = ObservableObjectPublisher()
    var changes = 0
    var kept: Set<AnyCancellable> = []
    publisher.sink { _ in changes += 1 }.store(in: &kept)
    publisher.send()
    kept = []
    publisher.send()
    #expect(changes == 1)
  }

  @Test("bookmarks lead to files that are there, and defaults have values by key")
  func bookmarks() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("a list.json")
    #expect(throws: CocoaError.self) { try file.bookmarkData() }
    try Data().write(to: file)
    let data = try file.bookmarkData(options: [.withSecurityScope, .minimalBookmark])
    var isStale = true
    let found = try URL(
      resolvingBookmarkData: data,
      options: [.withSecurityScope, .withoutUI],
      bookmarkDataIsStale: &isStale
    )
    #expect(found.path == file.path)
    #expect(!isStale)
    try FileManager.default.removeItem(at: file)
    for bytes in [data, Data("book".utf8), Data()] {
      #expect(throws: CocoaError.self) {
        try URL(resolvingBookmarkData: bytes, bookmarkDataIsStale: &isStale)
      }
    }
    let name = "bookmarks-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defaults.setValue(true, forKey: "isOn")
    #expect(defaults.value(forKey: "isOn") as? Bool == true)
    #expect(defaults.value(forKey: "other") == nil)
    defaults.removePersistentDomain(forName: name)
  }
}
