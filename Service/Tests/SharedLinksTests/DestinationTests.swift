import Foundation
import HostTestSupport
import HTTPTypes
import Hummingbird
import Synchronization
import Testing

@testable import CurlTransfers
@testable import SharedLinks

/// Where requests may go, and that they go nowhere else.
struct DestinationTests {
  private func destination(
    _ address: String,
    _ found: [String],
    naming host: String? = nil
  ) throws(CurlFailure) -> Destination {
    var request = CurlRequest(address: address, bodyLimit: 1, seconds: 1)
    request.localHost = host
    return try Destination(request, FixedResolver(found))
  }

  private func reason(_ body: () throws -> Void) -> CurlFailure.Reason? {
    do { try body() } catch { return (error as? CurlFailure)?.reason }
    return nil
  }

  @Test(arguments: [
    "0.0.0.0", "10.255.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1",
    "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1",
    "240.0.0.1", "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1",
    "::ffff:8.8.8.8", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::808:808", "100::1",
    "2001::1", "2001:0:53aa:64c::1", "2001:2::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::",
    "3fff::1", "5f00::1", "fc00::1", "fd12::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
    "4000::1", "1::",
  ])
  func specialAddressesAreRefusedUnlessTheUserNamedTheHost(_ text: String) throws {
    let address = try #require(NetworkAddress(text))
    #expect(address.specialUse != nil)
    #expect(reason { _ = try destination("http://feed.example/", [text]) } == .localAddress)
    #expect(
      reason { _ = try destination("http://feed.example/", ["8.8.8.8", text]) } == .localAddress
    )
    let literal = text.contains(":") ? "[\(text)]" : text
    #expect(reason { _ = try destination("http://\(literal)/", []) } == .localAddress)
    #expect(
      reason { _ = try destination("http://feed.example/", [text], naming: "other.example") }
        == .localAddress
    )
    #expect(try destination("http://feed.example/", [text], naming: "feed.example").isLocal)
  }

  @Test(arguments: [
    "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
    "128.0.0.1", "169.253.0.1", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0",
    "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
    "2000::1", "2001:200::1", "2001:db7::1", "2003::1", "2606:4700::1111", "3ffe::1",
    "64:ff9b::808:808",
  ])
  func publicAddressesAreTaken(_ text: String) throws {
    let found = try destination("https://Feed.Example.:8443/x", [text])
    #expect(!found.isLocal)
    #expect(found.address == "https://feed.example:8443/x")
    let pin = try #require(found.pin)
    #expect(pin.hasPrefix("feed.example:8443:") && pin.contains("[") == text.contains(":"))
  }

  @Test(arguments: [
    "http://127.1/", "http://2130706433/", "http://0x7f.1/", "http://0/", "http://0177.0.0.1/",
    "http://127.0.0.1./", "http://①②⑦.0.0.1/", "http://[::ffff:7f00:1]/",
    "http://[0:0:0:0:0:0:0:1]/", "http://localhost./", "http://LOCALHOST/", "http://a.localhost./",
    "http://printer.local./", "http://router/", "http://x.internal/", "http://nas.home.arpa./",
  ])
  func odderFormsAreSeenInTheText(_ address: String) {
    #expect(NetworkHost.isLocal(address))
  }

  @Test func namesThatAreNoneAndHostsWithoutAddresses() throws {
    #expect(reason { _ = try destination("http://feed.example/", []) } == .noAnswer)
    for address in ["", "feed", "ftp://feed.example/", "http:///", "http://a b/", "http://a%00b/"] {
      #expect(reason { _ = try destination(address, ["1.1.1.1"]) } == .badRequest)
    }
    let idna = try destination("http://bücher.example/", ["1.1.1.1", "2606:4700::1111"])
    #expect(idna.pin == "xn--bcher-kva.example:80:1.1.1.1,[2606:4700:0:0:0:0:0:1111]")
    #expect(SystemResolverAnswers.localhost == ["127.0.0.1", "0:0:0:0:0:0:0:1"])
  }

  @Test(
    "a name that curl would not pin is never asked for",
    arguments: [
      "-feed.example", "--", "+feed.example", "*", "*.example", "a,b.example", "a~b", "a;b",
    ]
  )
  func namesThatCannotBePinned(_ host: String) {
    #expect(reason { _ = try destination("http://\(host):8080/", ["1.1.1.1"]) } == .badRequest)
    #expect(
      reason { _ = try destination("http://\(host)/", ["127.0.0.1"], naming: host) } == .badRequest
    )
  }

  @Test(arguments: ["_feed.example", "a-b.example", "a-", "x_y", "1.example", "a..b"])
  func namesThatCanBePinned(_ host: String) throws {
    #expect(try destination("http://\(host)/", ["1.1.1.1"]).pin == "\(host):80:1.1.1.1")
  }

  @Test("an answer counts only from an address that was judged")
  func peer() throws {
    let destination = try destination("http://feed.example/", ["8.8.8.8", "2606:4700::1111"])
    func answer(_ last: String) throws -> CurlAnswer {
      try #require(CurlAnswer(dump: Array("HTTP/1.1 302 Found\r\nA: b\r\n\r\n\n\(last)\n".utf8)))
    }
    let good = try answer("302 2606:4700:0::1111 http://b.example/ c")
    #expect(good.redirect == "http://b.example/ c")
    try destination.check(good)
    try destination.check(answer("302 8.8.8.8 "))
    for last in [
      "302 8.8.4.4 ", "302 127.0.0.1 http://b.example/", "302  http://b.example/", "302",
    ] {
      #expect(reason { try destination.check(answer(last)) } == .localAddress, "\(last)")
    }
  }

  private enum SystemResolverAnswers {
    static var localhost: [String] {
      (try? SystemResolver().addresses(of: "a.localhost", within: 5))?.map(\.text) ?? []
    }
  }

  @Test("the second look-up decides again, and what was pinned is what is connected to")
  func rebinding() async throws {
    try await TestServer.serve { _ in
      TestServer.text("secret")
    } _: { base in
      let port = try #require(URL(string: base)?.port)
      let address = "http://feed.example:\(port)/"
      let resolver = FixedResolver(["127.0.0.1"])
      let transport = CurlTransport(resolver: resolver)
      var request = LinkRequest(address: address, headers: [:], bodyLimit: 100, seconds: 20)
      await #expect(throws: FetchFailure.self) { try await transport.send(request) }
      // Nobody but the pin knows the name: that it answers shows that it is connected to.
      request.localHost = "feed.example"
      let answer = try await transport.send(request)
      #expect(answer.isLocal && String(decoding: answer.body, as: UTF8.self) == "secret")
      #expect(resolver.hosts == ["feed.example", "feed.example"])
    }
  }

  @Test("redirects lead from the host that the user named to that host alone")
  func redirects() async throws {
    let hits = Mutex<[String]>([])
    try await TestServer.serve { request in
      hits.withLock { $0.append(request.uri.path) }
      let port = request.head.authority?.split(separator: ":").last ?? ""
      switch request.uri.path {
      case "/same": return Response(status: .found, headers: [.location: "/feed"])
      case "/other":
        return Response(status: .found, headers: [.location: "http://other.example:\(port)/hit"])
      case "/text":
        return Response(status: .found, headers: [.location: "http://127.0.0.1:\(port)/hit"])
      default: return TestServer.text("x")
      }
    } _: { base in
      let port = try #require(URL(string: base)?.port)
      let fetcher = LinkFetcher(
        transport: CurlTransport(resolver: FixedResolver(["127.0.0.1"])),
        limits: LinkLimits()
      )
      func fetch(_ path: String) async throws -> LinkFetcher.Answer {
        try await fetcher.fetch(
          "http://named.example:\(port)\(path)",
          localHost: "named.example",
          now: Date()
        )
      }
      _ = try await fetch("/same")
      for path in ["/other", "/text"] {
        await #expect(throws: FetchFailure.self) { _ = try await fetch(path) }
      }
      #expect(!hits.withLock { $0.contains("/hit") })
    }
  }

  @Test("neither the environment's proxy nor the user's settings for curl are obeyed")
  func proxies() async throws {
    let hits = Mutex<[String]>([])
    try await TestServer.serve { request in
      hits.withLock { $0.append(request.head.authority ?? "") }
      return TestServer.text("x")
    } _: { base in
      let home = FileManager.default.temporaryDirectory
        .appending(path: "tickbird-proxy-\(UUID().uuidString)", directoryHint: .isDirectory)
      defer { try? FileManager.default.removeItem(at: home) }
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      try Data("proxy = \(base)\n".utf8).write(to: home.appending(path: ".curlrc"))
      let program = HostProgram(
        home: home,
        environment: ["http_proxy": base, "ALL_PROXY": base, "https_proxy": base, "no_proxy": ""]
      )
      // Nothing listens on port 1 of this machine; a proxy would be asked for it.
      let outcome = try await program.run("links", "add", "http://127.0.0.1:1/feed")
      #expect(outcome.status == 1)
      #expect(hits.withLock { $0.isEmpty })
    }
  }
}
