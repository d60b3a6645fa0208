import Foundation
import Testing

@testable import ListSubscriptions

@Suite("Lists on the user's own machine and network")
struct LocalAddressTests {
  @Test("An address that the user did not name is not asked there, not even as a mirror")
  func unnamed() async throws {
    let home = try ListHome()
    let mirror = try ListServer { _ in .text(filters(5)) }
    let server = try ListServer { _ in .status(500) }
    let (source, other) = (server.address + "/ads.txt", mirror.address + "/lan-secret-reboot")
    func add(_ local: [String]?) async throws -> Subscription {
      var request = ListUpdater.Request(.address(source), mirrors: [other])
      request.localAddresses = local
      return try await home.updater.add(request).subscription
    }
    for local in [[], [source], ["http://127.0.0.1/"]] {
      let error = await #expect(throws: SubscriptionError.self) { _ = try await add(local) }
      #expect(error?.code == .fetchFailed)
      let message = error?.message ?? ""
      #expect(message.contains("\(other): 127.0.0.1 leads to"), "\(message)")
    }
    #expect(mirror.requests.isEmpty && server.requests.count == 1)
    #expect(try await add([other]).fetchedFrom == other)
    #expect(server.requests.count == 1)
    // It stays so when the list is updated.
    mirror.answer { _ in .text(filters(6)) }
    #expect(try await home.update("ads")?.outcome == .changed(rulesBefore: 6))
    #expect(server.requests.count == 1 && mirror.requests.count == 2)
  }

  @Test("A server moves its list on its own host, and not to another one that may be local")
  func moved() throws {
    let source = "http://lists.example/ads.txt"
    var list = Subscription(id: "ads", source: .address(source), added: Date())
    list.mirrors = ["http://mirror.example/"]
    list.localAddresses = list.addresses
    list.move(from: source, to: "http://lists.example/new.txt")
    #expect(list.mayBeLocal("http://lists.example/new.txt"))
    list.move(from: "http://lists.example/new.txt", to: "http://other.example/")
    #expect(list.source == .address("http://other.example/"))
    #expect(!list.mayBeLocal("http://other.example/") && list.mayBeLocal("http://mirror.example/"))
    list.move(from: "http://other.example/", to: "http://other.example/a")
    #expect(!list.mayBeLocal("http://other.example/a"))
  }

  @Test("Lists that were added before addresses were kept go on as they were")
  func old() throws {
    var list = Subscription(id: "ads", source: .address("http://a.example/"), added: Date())
    list.mirrors = ["http://m.example/"]
    #expect(list.addresses.allSatisfy(list.mayBeLocal))
    list.formerAddress = "http://a.example/old"
    #expect(list.addresses.allSatisfy(list.mayBeLocal))
    list.formerAddress = "http://b.example/"
    #expect(list.addresses.map(list.mayBeLocal) == [false, true])
  }
}
