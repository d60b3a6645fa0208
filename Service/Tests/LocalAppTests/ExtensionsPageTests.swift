import ExtensionHost
import Foundation
import Testing

@testable import LocalApp

/// The pages of extensions.
struct ExtensionsPageTests {
  private let good = #"[{"trigger": {"url-filter": "ads"}, "action": {"type": "block"}}]"#
  private let broken = """
    [
      {"trigger": {"url-filter": "a|b"}, "action": {"type": "block"}}
    ]
    """

  @Test("without extensions the page says how to get one")
  func empty() async throws {
    try await ServedApp.run { app in
      let body = try await app.visitor().get("/extensions").body
      #expect(body.contains("No extensions yet") && body.contains("tickbird install"))
    }
  }

  @Test("an extension is turned on, reloaded and turned off")
  func switching() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let identifier = try await app.install("Ads", good)
      let path = "/extensions/extension/\(identifier)"
      let off = try await visitor.get("/extensions").body
      #expect(off.contains("1 extension, 0 on"))
      #expect(off.contains("aria-checked=\"false\" aria-label=\"Ads\""))
      let on = try await visitor.submit("\(path)/on").body
      #expect(on.said.contains("Ads is on.") && on.contains("aria-checked=\"true\""))
      #expect(on.contains("List: active"))
      #expect(try await app.host.isOn(identifier))
      let reloaded = try await visitor.submit("\(path)/reload", ["from": "detail"]).body
      #expect(
        reloaded.said.contains("Ads was reloaded") && reloaded.contains("<h2 id=\"log\">Log</h2>")
      )
      let last = try await visitor.submit("\(path)/off").body
      #expect(last.said.contains("Ads is off.") && last.contains("aria-checked=\"false\""))
      #expect(try await app.host.isOn(identifier) == false)
      let network = try await visitor.submit(
        "\(path)/network",
        ["granted": "yes", "from": "detail"]
      )
      #expect(network.body.contains("granted by you"))
      #expect(try await app.host.summary(of: identifier).state.isNetworkGranted)
      #expect(try await visitor.get("/extensions/extension/none").status == 422)
    }
  }

  @Test("an extension that fails shows its error with the line, its log, and the way to its list")
  func failing() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let identifier = try await app.install("Ads", broken)
      let path = "/extensions/extension/\(identifier)"
      let on = try await visitor.submit("\(path)/on").body
      #expect(on.said.contains("Ads is on, but failed:") && on.contains("role=\"alert\""))
      #expect(on.said.contains("Error at line 2, column 32, at [0].trigger.url-filter"))
      #expect(on.contains("href=\"\(visitor.base)/rules?list=\(identifier)\""))
      let detail = try await visitor.get(path).body
      #expect(detail.contains("class=\"log\"") && detail.contains("the list was not replaced"))
      let rules = try await visitor.get("/rules?list=\(identifier)").body
      #expect(rules.contains("alternatives cannot be expressed"))
      #expect(rules.contains("line 2, column 32"))
      let reloaded = try await visitor.submit("\(path)/reload").body
      #expect(reloaded.contains("was not reloaded; what was active stays"))
      _ = try await app.install("Ads", good, version: "2")
      #expect(try await visitor.submit("\(path)/reload").body.contains("its list is active"))
      let last = try await visitor.get("/extensions").body
      #expect(!last.contains("Error at"))
    }
  }
}
