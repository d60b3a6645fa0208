import ExtensionBundles
import Foundation
import Testing

@testable import ExtensionHost

@Suite("Bundles of rule lists alone")
struct ListBundleTests {
  private let folder: TemporaryFolder
  private let store: BundleStore

  init() throws {
    folder = try TemporaryFolder()
    store = try BundleStore(directory: folder.url.appending(path: "Extensions"))
  }

  private func write(_ text: Data, _ name: String) throws -> URL {
    let file = folder.url.appending(path: name)
    try text.write(to: file)
    return file
  }

  @Test(
    "A list becomes a content blocker that is installed as others are, and replaced by a later one"
  )
  func life() throws {
    let list = try write(Data(rules("a").utf8), "My ads & more.json")
    let made = folder.url.appending(path: "made")
    let first = try store.install(
      ListBundle.make(list, in: made, date: Date(timeIntervalSince1970: 100))
    )
    #expect(first.identifier == "list.my-ads-more")
    #expect(first.displayName == "My ads & more")
    #expect(first.extensionPoint == .contentBlocker)
    #expect(first.executable == nil)
    try Data(rules("b").utf8).write(to: list)
    let second = try store.install(
      ListBundle.make(list, in: made, date: Date(timeIntervalSince1970: 101)),
      accept: { new, old throws(HostError) in
        guard let old, new.isNewer(than: old) else { throw HostError(.badBundle, "not newer") }
      }
    )
    let text = try String(
      contentsOf: second.location.appending(path: "blockerList.json"),
      encoding: .utf8
    )
    #expect(text == rules("b"))
    #expect(try store.identifiers() == ["list.my-ads-more"])
  }

  @Test(
    "An identifier is made of what a name allows",
    arguments: [
      ("easylist", "list.easylist"), ("Große Liste 2", "list.gro-udf-e-liste-2"),
      ("--", "list.unnamed"),
      ("", "list.unnamed"), ("广告", "list.u5e7f-u544a"), ("../../x", "list.x"),
      (String(repeating: "a", count: 400), "list." + String(repeating: "a", count: 100)),
    ]
  )
  func identifiers(name: String, identifier: String) {
    #expect(ListBundle.identifier(named: name) == identifier)
  }

  @Test("What is no list, or cannot be one's identifier, is refused with the way out")
  func refusals() throws {
    let made = folder.url.appending(path: "made")
    func refusal(_ list: URL, identifier: String? = nil) -> String {
      do {
        _ = try ListBundle.make(list, identifier: identifier, in: made)
        return "made"
      } catch { return error.message }
    }
    let absent = folder.url.appending(path: "absent.json")
    #expect(refusal(absent).hasPrefix("the list \(absent.path) cannot be read: "))
    #expect(refusal(folder.url).contains("cannot be read"))
    let packed = try write(Data([0x1F, 0x8B, 8, 0]), "packed.json")
    #expect(refusal(packed).hasSuffix("is compressed; unpack it first: gzip -d"))
    let list = try write(Data("[]".utf8), "list.json")
    #expect(refusal(list, identifier: "a..b").contains("is not a bundle identifier"))
    #expect(!FileManager.default.fileExists(atPath: made.path))
  }
}
