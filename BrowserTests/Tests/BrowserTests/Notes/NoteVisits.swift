import BrowserDriving
import Foundation
import Testing

/// The ways in which pages come, and what a note does then.
extension NoteLife {
  /// One page alone; its frames elsewhere; its other addresses.
  func meansOnePage() throws {
    serve("Words")
    try add("http://paper.example/sport?day=1", "Only this page", "--page")
    try session.visit("http://paper.example/") { try expectPage($0, "Words") }
    try session.visit("http://paper.example/sport") { try expectPage($0, "Words") }
    for url in ["sport?day=1", "sport?day=1&utm_source=mail#part", "%73port?day=1"] {
      try session.visit("http://paper.example/\(url)") { tab throws in
        #expect(try expectNote(tab) == "Only this page")
      }
    }
    // A frame is not replaced.
    session.server.answer { request in
      request.url.contains("outer.example")
        ? .page("<p>Outer<iframe src='http://paper.example/sport?day=1'></iframe>")
        : .page("<script>fetch('/inside')</script><p>Inner")
    }
    try session.visit("http://outer.example/") { tab throws in
      try expectPage(tab, "Outer")
      _ = try eventually("the frame's script runs") {
        session.server.urls.contains("http://paper.example/inside") ? true : nil
      }
    }
  }

  /// A page that gives itself the address of one with a note, and one that comes out of memory.
  func comesToPagesThatAreNotLoaded() throws {
    serve("Words")
    try add("http://app.example/inbox", "Later", "--path")
    try session.visit("http://app.example/") { tab throws in
      try expectPage(tab, "Words")
      _ = try browser.evaluate("history.pushState(null, '', '/outbox')", in: tab)
      try expectPage(tab, "Words")
      _ = try browser.evaluate("history.pushState(null, '', '/inbox/7')", in: tab)
      #expect(try expectNote(tab) == "Later")
    }
    try session.visit("http://memory.example/") { tab throws in
      try expectPage(tab, "Words")
      try browser.load("http://next.example/", in: tab)
      try add("memory.example", "Not again")
      _ = try browser.evaluate("void setTimeout(() => history.back(), 0)", in: tab)
      #expect(try expectNote(tab) == "Not again")
    }
  }

  /// Answers of all sorts: other types, errors, redirections; not those to forms, and no downloads.
  func standsForAnswersOfAllSorts() throws {
    session.server.answer { request in
      let policy = [
        "Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "max-age=600",
        "ETag": "\"1\"", "Refresh": "1; url=/elsewhere",
        "Link": "</style.css>; rel=preload; as=style",
      ]
      switch URL(string: request.url)?.path {
      case "/picture": return .init("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>")
      case "/text": return .init("text/plain", "Words", headers: policy)
      case "/policy":
        return .init("text/html", "<!doctype html><p>Words", headers: policy)
      case "/missing":
        var response = LoopbackServer.Response.page("<p>Words")
        response.status = 404
        return response
      case "/away":
        var response = LoopbackServer.Response("text/html", "", headers: ["Location": "/policy"])
        response.status = 302
        return response
      case "/form":
        return .page("<p>Words<form method=post action=/sent><button>Send</button></form>")
      default: return .page("<p>Words of \(request.method)")
      }
    }
    let id = try add("sorts.example", "Wait", "--snooze", "90")
    for path in ["picture", "text", "policy", "missing", "away"] {
      try session.visit("http://sorts.example/\(path)") { tab throws in
        #expect(try expectNote(tab) == "Wait", "\(path)")
        if path == "policy" {
          #expect(
            try browser.element(".about", in: tab)?.text
              == "“View Website” shows sorts.example for 90 minutes."
          )
          // What the browser keeps of the page is not the note's.
          try choose("view", tab)
          try expectPage(tab, "Words")
          try endSnoozing()
          try browser.load("http://sorts.example/policy", in: tab)
          try expectNote(tab)
          try service.run("notes", "snooze", id)
          try expectPage(tab, "Words")
          try endSnoozing()
        }
      }
    }
    #expect(
      !session.server.urls.contains { $0.hasSuffix("/style.css") || $0.hasSuffix("/elsewhere") }
    )
    // A form was filled in while the note rested; what it says comes, for it would be sent twice.
    try service.run("notes", "snooze", id)
    try waitForIndex()
    try session.visit("http://sorts.example/form") { tab throws in
      try expectPage(tab, "Words")
      try endSnoozing()
      _ = try browser.evaluate("void setTimeout(() => document.forms[0].submit(), 0)", in: tab)
      try expectPage(tab, "Words of POST")
      let posted = session.server.received.filter { $0.method == "POST" }.map(\.url)
      #expect(posted == ["http://sorts.example/sent"])
    }
  }

  /// Notes that change elsewhere change in tabs that show them; a host that is killed is not missed.
  func followsTheNotes() throws {
    serve("Words")
    let id = try add("changing.example", "First")
    try session.visit("http://changing.example/") { tab throws in
      #expect(try expectNote(tab) == "First")
      try service.run("notes", "edit", id, "--text", "Second")
      _ = try eventually("the text is the new one") { () -> Bool? in
        try browser.element(".words", in: tab)?.text == "Second" ? true : nil
      }
      try service.run("notes", "snooze", id)
      try expectPage(tab, "Words")
      try service.run("notes", "snooze", id, "--off")
      try waitForIndex()
      try browser.load("http://changing.example/again", in: tab)
      try expectNote(tab)
      try killHost()
      try browser.load("http://changing.example/killed", in: tab)
      #expect(try expectNote(tab) == "Second")
      try killHost()
      try choose("view", tab)
      try expectPage(tab, "Words")
      // The host is told when it is there again.
      _ = try eventually("the note rests") { () -> Bool? in
        try notes().first?["isSnoozed"] as? Bool == true ? true : nil
      }
      try endSnoozing()
      try browser.load("http://changing.example/", in: tab)
      try expectNote(tab)
      try service.run("notes", "delete", id)
      try expectPage(tab, "Words")
    }
  }

  /// Kills the host that the browser has started.
  func killHost() throws {
    let process = try eventually("there is a host") { () -> Int32? in
      let answer = try browser.evaluateInBackground(
        "tickbird.state.host.ask({ request: 'hello' }).catch(() => null)"
      )
      return ((answer as? [String: Any])?["process"] as? Int).map(Int32.init)
    }
    kill(process, SIGKILL)
    _ = try eventually("the browser has noticed") {
      let answer = try browser.evaluateInBackground("tickbird.state.host.state")
      return answer as? String == "connected" ? nil : true
    }
  }

  /// What a service worker answers without asking the site.
  func standsForWorkersAnswers() throws {
    session.server.answer { request in
      request.url.hasSuffix("/worker.js")
        ? .init(
          "text/javascript",
          """
          addEventListener("install", () => skipWaiting());
          addEventListener("activate", (event) => event.waitUntil(clients.claim()));
          addEventListener("fetch", (event) => event.respondWith(new Response(
            "<!doctype html><p>By the worker", { headers: { "Content-Type": "text/html" } })));
          """
        ) : .page("<p>By the site")
    }
    // Only such a name may have workers without https.
    try session.visit("http://localhost/") { tab throws in
      _ = try browser.evaluate(
        """
        navigator.serviceWorker.register("/worker.js").then(() => new Promise((resolve) => {
          if (navigator.serviceWorker.controller) resolve();
          else navigator.serviceWorker.addEventListener("controllerchange", resolve);
        })).then(() => true)
        """,
        in: tab
      )
      try browser.load("http://localhost/page", in: tab)
      try expectPage(tab, "By the worker")
      try add("localhost", "Work first")
      try browser.load("http://localhost/other", in: tab)
      _ = try eventually("the note is there") { () -> Bool? in
        try browser.element(".words", in: tab)?.text == "Work first" ? true : nil
      }
    }
  }

  /// The background's reading of addresses is the host's.
  func readsAddressesAsTheHost() throws {
    let addresses = [
      "http://example.com/", "https://EXAMPLE.com:443/a/../b/./c%7e%2f%zz?q=%41&utm_x=1&b=%e4#frag",
      "http://www.example.co.uk:8080/a//b/?&&a=1&gclid=2&", "http://example.com./x/",
      "http://bücher.example/straße?ä=ö#/route/%41", "http://example.com/#!x y",
      "https://1.2.3.4/a",
      "http://0x7f.1/", "http://[2001:DB8::1]:80/x?", "http://u:p@example.com:80/%E2%82%AC",
      "http://a.b.c.example.org/" + (0..<70).map { "s\($0)" }.joined(separator: "/") + "/",
      "http://xn--bcher-kva.example/'\"<>`{}|^", "http://example.com/a;b,c?d#",
      "http://localhost/?",
      "https://example.com:80/", "http://example.com:443/?utm_a&x&fbclid", "http://example.com/%",
    ]
    for address in addresses {
      let keys = try browser.evaluateInBackground("tickbird.targetKeys(\(quoted(address)))")
      let told = try browser.evaluateInBackground(
        """
        tickbird.state.host.ask({ request: "page", url: new URL(\(quoted(address))).href })
          .then((answer) => answer.choices.map(({ kind, address }) => `${kind} ${address}`))
        """
      )
      let own = Set(keys as? [String] ?? [])
      var choices = told as? [String] ?? []
      #expect(choices.count >= 3, "\(address)")
      #expect((keys as? [String])?.first == choices.first { $0.hasPrefix("page ") })
      choices.removeAll { own.contains($0) }
      #expect(choices.isEmpty, "\(address)")
    }
  }
}
