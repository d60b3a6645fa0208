import BlockingWork
import ExtensionHost
import Foundation
import Glibc
import LoopbackServing
import PageNotes
import SharedLinks
import Testing

@testable import LocalApp

/// Whom the server answers, and whom it refuses.
struct GateTests {
  /// An address of each page, and of each kind of file.
  private static let paths = [
    "/extensions", "/rules", "/stream", "/notes", "/notes/new", "/notes/export?format=json",
    "/stream/sources", "/stream/export", "/style.css", "/rules.js", "/place.js", "/icon.svg",
    "/nowhere", "",
  ]

  @Test("without the cookie, or with another one, every address is refused and says what to do")
  func withoutCookie() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let forged = [
        [], [("Cookie", "")], [("Cookie", "tickbird-session=")],
        [("Cookie", "tickbird-session=\(String(repeating: "A", count: 32))")],
        [("Cookie", "tickbird-session=\(visitor.secret)")],
        [("Cookie", "other=\(visitor.cookie.split(separator: "=")[1])")],
      ]
      for path in Self.paths {
        for headers in forged {
          for method in ["GET", "HEAD", "POST"] {
            let answer = try await RawClient.send(
              port: app.port,
              method,
              visitor.base + path,
              headers + [("Host", "127.0.0.1:\(app.port)"), ("Sec-Fetch-Site", "same-origin")]
            )
            #expect(answer.status == 403, "\(method) \(path) \(headers)")
            guard method != "HEAD" else { continue }
            #expect(answer.body.contains("tickbird serve"))
            #expect(!answer.body.contains(visitor.secret))
          }
        }
      }
      for path in Self.paths where path != "/nowhere" && path != "" {
        #expect(try await visitor.get(path).status == 200, "\(path)")
      }
      #expect(try await visitor.get("/nowhere").status == 404)
    }
  }

  @Test("the cookie opens nothing outside of its folder, whose name nobody is told without it")
  func folder() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      for base in ["", "/", "/x", "/\(String(repeating: "A", count: 32))", visitor.base + "x"] {
        let other = Visitor(port: app.port, cookie: visitor.cookie, base: base, secret: "")
        let answer = try await other.get("/notes")
        #expect(answer.status == 403)
        #expect(!answer.body.contains(visitor.base.dropFirst()))
      }
    }
  }

  @Test("only this machine's own names with the port are answered")
  func hosts() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      try app.notes.add(NoteDraft(target: NoteTarget(.site, address: "a.example"), text: "private"))
      let port = app.port
      for host in ["127.0.0.1:\(port)", "localhost:\(port)", "LOCALHOST:\(port)"] {
        #expect(try await visitor.get("/notes", [("Host", host)]).status == 200, "\(host)")
      }
      let forged = [
        "evil.example", "evil.example:\(port)", "127.0.0.1", "localhost", "127.0.0.1:\(port + 1)",
        "127.0.0.1.evil.example:\(port)", "localhost.evil.example:\(port)", "[::1]:\(port)",
        "0.0.0.0:\(port)", "127.0.0.1:\(port)@evil.example", "user@127.0.0.1:\(port)",
        "127.1:\(port)", "127.0.0.1:0\(port)", "127.0.0.1:+\(port)", "127.0.0.1:\(port)/",
        "",
      ]
      for host in forged {
        let answer = try await visitor.get("/notes", [("Host", host)])
        #expect(answer.status == 403 || answer.status == 400, "\(host)")
        #expect(!answer.body.contains("private"))
        let opening = try await RawClient.send(
          port: port,
          "GET",
          "\(app.address.path)?\(app.address.query ?? "")",
          [("Host", host)]
        )
        #expect(opening.headers["set-cookie"] == nil, "\(host)")
      }
    }
  }

  @Test("a request that names two hosts is answered 400, whichever comes first")
  func twoHosts() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let own = "127.0.0.1:\(app.port)"
      let path = visitor.base + "/notes"
      func status(_ target: String, _ hosts: String...) async throws -> Int {
        try await RawClient.send(
          port: app.port,
          "GET",
          target,
          [("Cookie", visitor.cookie), ("Sec-Fetch-Site", "same-origin")]
            + hosts.map { ("Host", $0) }
        ).status
      }
      #expect(try await status(path, own) == 200)
      // As the standard demands of a server, the same host in absolute form is one.
      #expect(try await status("http://\(own)\(path)", own) == 200)
      for target in [
        "http://evil.example\(path)", "http://evil.example:\(app.port)\(path)",
        "https://user@\(own)\(path)", "HTTP://127.0.0.1\(path)", "x:\(path)", "evil.example\(path)",
      ] {
        #expect(try await status(target, own) == 400, "\(target)")
      }
      #expect(try await status(path, own, "evil.example") == 400)
      #expect(try await status(path, "evil.example", own) == 400)
      #expect(try await status(path, own, own) == 400)
      // The server goes on.
      #expect(try await status(path, own) == 200)
    }
  }

  @Test("127.0.0.1 alone is listened on")
  func listening() async throws {
    try await ServedApp.run { app in
      // Other addresses of this machine, which a server on all addresses would answer at.
      await #expect(throws: RawClient.Failure.self) {
        try await RawClient.send(to: "127.0.0.2", port: app.port, "GET", "/", [("Host", "x")])
      }
      #expect(app.address.host() == "127.0.0.1")
    }
  }

  @Test("the printed address gives the cookie and leads to one without a secret that opens")
  func opening() async throws {
    try await ServedApp.run { app in
      let path = "\(app.address.path)?\(app.address.query ?? "")"
      let host = ("Host", "127.0.0.1:\(app.port)")
      let token = try #require(app.address.query?.dropFirst("token=".count))
      #expect(token.utf8.count == 32)
      let answer = try await RawClient.send(port: app.port, "GET", path, [host])
      #expect(answer.status == 303)
      let place = try #require(answer.headers["location"])
      let base = place.replacing("/extensions", with: "")
      let cookie = try #require(answer.headers["set-cookie"])
      let parts = cookie.split(separator: "; ").map(String.init)
      #expect(Set(parts.dropFirst()) == ["HttpOnly", "SameSite=Strict", "Path=\(base)"])
      #expect(parts[0].utf8.count == "tickbird-session=".utf8.count + 32)
      #expect(!place.contains(token) && !cookie.contains(token))
      #expect(!place.contains(parts[0].dropFirst("tickbird-session=".count)))

      for wrong in [
        "", "?token=", "?token=\(token.dropLast())", "?token=\(token)A", "?other=\(token)",
      ] {
        let refused = try await RawClient.send(port: app.port, "GET", "/open\(wrong)", [host])
        #expect(refused.status == 403 && refused.headers["set-cookie"] == nil, "\(wrong)")
      }
      for method in ["HEAD", "POST", "PUT"] {
        let refused = try await RawClient.send(port: app.port, method, path, [host])
        #expect(refused.status == 403 && refused.headers["set-cookie"] == nil, "\(method)")
      }
      // From a file, or a link in a mail: browsers keep a strict cookie back after a redirect.
      let other = try await RawClient.send(
        port: app.port,
        "GET",
        path,
        [host, ("Sec-Fetch-Site", "cross-site")]
      )
      #expect(other.status == 200 && other.headers["set-cookie"] == cookie)
      #expect(other.body.contains("content=\"0; url=\(place)\"") && !other.body.contains(token))
    }
  }

  @Test("each start has secrets of its own")
  func secrets() async throws {
    var seen: Set<String> = []
    for _ in 0..<3 {
      let secrets = Secrets()
      for secret in [secrets.opening, secrets.session, secrets.form, secrets.folder] {
        #expect(secret.text.utf8.count == 32 && seen.insert(secret.text).inserted)
        #expect(secret.matches(secret.text) && !secret.matches("") && !secret.matches("x"))
        #expect(!secret.matches(secret.text.dropLast() + "!"))
      }
    }
  }

  @Test("a form is carried out only when a page of the server sent it")
  func foreignForms() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let note = ["address": "a.example", "kind": "site", "text": "t", "emoji": "", "snooze": "15"]
      let own = "http://127.0.0.1:\(app.port)"
      let refused: [[(String, String)]] = [
        [], [("Origin", "null")], [("Origin", "https://evil.example")],
        [("Origin", "http://127.0.0.1:\(app.port + 1)")],
        [("Origin", "https://127.0.0.1:\(app.port)")],
        [("Origin", "http://localhost:\(app.port)")],
        [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")],
        [("Sec-Fetch-Site", "none")], [("Origin", own), ("Sec-Fetch-Site", "cross-site")],
        [("Origin", own), ("Sec-Fetch-Site", "same-site")],
        [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "same-origin")],
      ]
      for headers in refused {
        let answer = try await visitor.post("/notes/new", note, headers)
        #expect(answer.status == 403, "\(headers)")
      }
      for secret in ["", "x", String(repeating: "A", count: 32)] {
        let forged = note.merging(["secret": secret]) { $1 }
        let answer = try await visitor.post("/notes/new", forged)
        #expect(answer.status == 403)
        #expect(answer.body.contains("Nothing was changed"))
      }
      #expect(try app.notes.count() == 0)
      for headers in [[("Origin", own)], [("Sec-Fetch-Site", "same-origin")], Visitor.ownForm] {
        #expect(try await visitor.post("/notes/new", note, headers).status == 303, "\(headers)")
      }
      #expect(try app.notes.count() == 3)
    }
  }

  @Test("what another site embeds or fetches is refused even with the cookie; a link may lead here")
  func foreignReads() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      for site in ["cross-site", "same-site"] {
        for (mode, destination) in [
          ("no-cors", "image"), ("no-cors", "script"), ("no-cors", "style"), ("cors", "empty"),
          ("navigate", "iframe"), ("navigate", "frame"), ("navigate", "object"),
        ] {
          let headers = [
            ("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", mode), ("Sec-Fetch-Dest", destination),
          ]
          for path in ["/notes", "/icon.svg", "/notes/export?format=json"] {
            #expect(try await visitor.get(path, headers).status == 403, "\(site) \(destination)")
          }
        }
        let link = [
          ("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"),
        ]
        #expect(try await visitor.get("/notes", link).status == 200)
      }
    }
  }

  @Test("every answer forbids others to read, frame or sniff it, and allows nobody by CORS")
  func headers() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      var answers: [Answer] = []
      for path in Self.paths { answers.append(try await visitor.get(path)) }
      answers.append(try await visitor.post("/notes/new", [:]))
      answers.append(try await visitor.post("/notes/new", ["secret": "x"]))
      let preflight = [
        ("Origin", "https://evil.example"), ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Private-Network", "true"), ("Host", "127.0.0.1:\(app.port)"),
      ]
      answers.append(
        try await RawClient.send(port: app.port, "OPTIONS", visitor.base + "/notes", preflight)
      )
      answers.append(
        try await RawClient.send(port: app.port, "GET", "/", [("Host", "evil.example")])
      )
      for answer in answers {
        let headers = answer.headers
        #expect(headers.keys.allSatisfy { !$0.hasPrefix("access-control") })
        #expect(headers["x-content-type-options"] == "nosniff")
        #expect(headers["referrer-policy"] == "no-referrer")
        #expect(headers["cross-origin-resource-policy"] == "same-origin")
        #expect(headers["cross-origin-opener-policy"] == "same-origin")
        #expect(headers["cache-control"] == "no-store")
        let policy = Set((headers["content-security-policy"] ?? "").split(separator: "; "))
        #expect(
          policy == [
            "default-src 'none'", "style-src 'self'", "script-src 'self'", "connect-src 'self'",
            "img-src 'self' data:", "form-action 'self'", "frame-ancestors 'none'",
            "base-uri 'none'",
          ]
        )
      }
      #expect(answers.suffix(2).allSatisfy { $0.status == 403 })
    }
  }

  @Test("bodies are bounded, and what is too large changes nothing")
  func largeBodies() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let text = String(repeating: "a", count: Routes.formLimit)
      let note = ["address": "a.example", "kind": "site", "text": text, "snooze": "15"]
      let answer = try await visitor.post("/notes/new", note)
      #expect(answer.status == 413)
      #expect(answer.body.contains("kB, which is the most"))
      #expect(try app.notes.count() == 0)
    }
  }

  @Test("nothing is changed by reading, whatever the address")
  func reading() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let note = try app.notes.add(
        NoteDraft(target: NoteTarget(.site, address: "a.example"), text: "t")
      )
      let blocker = try await app.install("Ads", "[]")
      app.web.on("https://f.example/feed", feed([("One", "https://f.example/1")]))
      _ = try await visitor.post("/stream/subscribe", ["address": "https://f.example/feed"])
      let item = try #require(try app.links.items().first)
      let extensionPath = "/extensions/extension/\(blocker)"
      let secret = "secret=\(visitor.secret)"
      for path in [
        "/notes/new?address=b.example&text=t&kind=site&snooze=15&\(secret)",
        "/notes/note/\(note.id)?text=other&\(secret)", "/notes/note/\(note.id)/delete?\(secret)",
        "/notes/note/\(note.id)/settle?\(secret)", "/notes/note/\(note.id)/wake?\(secret)",
        "/notes/import?\(secret)", "\(extensionPath)/on?\(secret)",
        "\(extensionPath)/off?\(secret)",
        "\(extensionPath)/reload?\(secret)", "\(extensionPath)/network?granted=yes&\(secret)",
        "/stream/mark?id=\(item.id)&read=yes&\(secret)", "/stream/mark-all?\(secret)",
        "/stream/refresh?\(secret)", "/stream/subscribe?address=x.example&\(secret)",
        "/stream/sources/\(item.sourceID)/remove?\(secret)", "/stream/import?\(secret)",
      ] {
        let status = try await visitor.get(path).status
        #expect([200, 404].contains(status), "\(path)")
      }
      #expect(try app.notes.notes() == [note])
      #expect(try app.links.items() == [item] && !item.isRead)
      #expect(try app.links.sources().count == 1)
      #expect(try await app.host.isOn(blocker) == false)
      #expect(try await app.host.extensions().count == 1)
    }
  }
}

/// A feed with titles and addresses.
func feed(_ items: [(String, String)], title: String = "Feed") -> String {
  let items = items.map { "<item><title>\($0.0)</title><link>\($0.1)</link></item>" }
  return "<rss version=\"2.0\"><channel><title>\(title)</title>\(items.joined())</channel></rss>"
}
