import LoopbackServing
import Testing

@Suite("The host and port of a request")
struct LoopbackAuthorityTests {
  @Test(
    "This machine's names are taken, alone or with a port",
    arguments: [
      ("127.0.0.1", nil), ("localhost", nil), ("127.0.0.1:7311", 7311), ("LocalHost:1", 1),
      ("localhost:65535", 65_535), ("localhost:0", 0),
    ] as [(String, Int?)]
  )
  func own(text: String, port: Int?) throws {
    let authority = try #require(LoopbackAuthority(text))
    #expect(authority.port == port)
    #expect("\(authority)" == text.lowercased())
  }

  @Test(
    "Nothing else is, not even behind the colon",
    arguments: [
      "", ":", ":80", "127.0.0.1:", "127.0.0.1:\"/><x a=\"", "127.0.0.1:+80", "127.0.0.1:-0",
      "127.0.0.1:080", "127.0.0.1:65536", "127.0.0.1:80:80", "127.0.0.1: 80", "127.0.0.1:８０",
      "127.0.0.1:80/", "127.0.0.2", "127.0.0.1.example", "[::1]", "[::1]:80", "localhost.", "x",
    ]
  )
  func others(text: String) { #expect(LoopbackAuthority(text) == nil) }

  @Test("It leads to its port, and without one to that of http, which browsers leave out")
  func port() throws {
    let bare = try #require(LoopbackAuthority("127.0.0.1"))
    #expect(bare.leads(to: 80) && !bare.leads(to: 7311))
    let named = try #require(LoopbackAuthority("localhost:7311"))
    #expect(named.leads(to: 7311) && !named.leads(to: 80))
    #expect(LoopbackAuthority("localhost:80")?.leads(to: 80) == true)
  }

  @Test("A request without a host has none")
  func missing() { #expect(LoopbackAuthority(nil) == nil) }
}
