import Foundation
import Testing

@testable import ListSubscriptions

@Suite("The catalogue")
struct ListCatalogueTests {
  @Test("Every entry is complete, and can be asked for")
  func entries() throws {
    let entries = ListCatalogue.entries
    #expect(entries.count >= 12)
    #expect(Set(entries.map(\.id)).count == entries.count)
    #expect(Set(entries.map(\.address)).count == entries.count)
    for entry in entries {
      #expect(ListUpdater.identifier(entry.id) == entry.id)
      let request = try ListUpdater.Request(entry)
      #expect(request.source == .address(entry.address), "\(entry.id)")
      for address in [entry.address, entry.homepage] + entry.mirrors {
        #expect(address.hasPrefix("https://"), "\(entry.id)")
        #expect(try SubscriptionSource.address(address) == address, "\(entry.id)")
      }
      #expect(entry.mirrors.count <= SubscriptionLimits().mirrors)
      #expect(!entry.name.isEmpty && !entry.licence.isEmpty)
      #expect(entry.purpose.hasSuffix(".") && entry.purpose.count < 100, "\(entry.id)")
      #expect(entry.languages.allSatisfy { $0.wholeMatch(of: /[a-z]{2,3}(-[A-Za-z0-9]+)*/) != nil })
    }
    #expect(entries.first?.isRecommended == true)
  }

  @Test("Entries are found by their names, whatever the case")
  func names() {
    #expect(ListCatalogue.entry("EasyList")?.id == "easylist")
    #expect(ListCatalogue.entry("easyprivacy")?.name == "EasyPrivacy")
    #expect(ListCatalogue.entry("easy") == nil)
  }
}
