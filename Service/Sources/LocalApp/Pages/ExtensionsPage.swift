internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import Hummingbird
internal import PageTexts

/// The pages about extensions: turning them on and off, their state, last error, and log.
struct ExtensionsPage: Sendable {
  let site: Site
  let extensions: any HostCalling
  /// How many of a log's last lines to show.
  private static let logLines = 500

  func add(to routes: Routes) {
    routes.get("/extensions", in: .extensions, list)
    routes.get("/extensions/extension/:id", in: .extensions, detail)
    routes.post("/extensions/extension/:id/on", in: .extensions) { visit in
      try await turnOn(visit)
    }
    routes.post("/extensions/extension/:id/off", in: .extensions) { visit in
      let found = try await described(visit)
      _ = try await extensions.call(TurnOffExtension(identifier: found.identifier))
      return site.done("\(found.name) is off. Its list is not applied any more.", to: back(visit))
    }
    routes.post("/extensions/extension/:id/reload", in: .extensions, reload)
    routes.post("/extensions/extension/:id/network", in: .extensions) { visit in
      let found = try await described(visit)
      let isGranted = visit.form["granted"] == "yes"
      _ = try await extensions.call(
        GrantNetwork(identifier: found.identifier, isGranted: isGranted)
      )
      let words = isGranted ? "may use the network now." : "may not use the network any more."
      return site.done("\(found.name) \(words)", to: back(visit))
    }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let found = try await extensions.call(ListExtensions()).map(ListedExtension.init)
    let on = found.count { $0.isOn }
    let failed = found.count { $0.failure != nil }
    let content = Template.extensions(
      site.values([
        "isEmpty": found.isEmpty,
        "summary": "\(Words.count(found.count, "extension")), \(on) on"
          + (failed > 0 ? ", \(failed) with an error" : ""),
        "extensions": found.map { $0.values },
      ])
    )
    return site.page("", in: .extensions, for: visit, content: content)
  }

  private func detail(_ visit: Visit) async throws -> Response {
    let found = try await described(visit)
    let log = try await extensions.call(LogOfExtension(identifier: found.identifier))
    let lines = log.split(separator: "\n")
    var values = found.values
    values["log"] = lines.suffix(Self.logLines).joined(separator: "\n")
    values["hasLog"] = !lines.isEmpty
    values["isDetail"] = true
    if lines.count > Self.logLines {
      values["cut"] = ["text": "The last \(Self.logLines) of \(lines.count) lines."]
    }
    return site.page(
      found.name,
      in: .extensions,
      for: visit,
      content: Template.extensionDetail(site.values(values))
    )
  }

  private func turnOn(_ visit: Visit) async throws -> Response {
    let found = try await described(visit)
    do {
      _ = try await extensions.call(TurnOnExtension(identifier: found.identifier))
    } catch {
      // It was turned on nevertheless, with its previous list.
      let now = try? await described(visit)
      guard now?.isOn == true else { throw error }
      return site.done(
        "\(found.name) is on, but failed: \(PageError.message(error))",
        isWarning: true,
        to: back(visit)
      )
    }
    return site.done("\(found.name) is on.", to: back(visit))
  }

  private func reload(_ visit: Visit) async throws -> Response {
    let found = try await described(visit)
    do {
      _ = try await extensions.call(ReloadContentBlocker(identifier: found.identifier))
    } catch {
      return site.done(
        "\(found.name) was not reloaded; what was active stays. \(PageError.message(error))",
        isWarning: true,
        to: back(visit)
      )
    }
    return site.done("\(found.name) was reloaded; its list is active.", to: back(visit))
  }

  private func described(_ visit: Visit) async throws -> ListedExtension {
    ListedExtension(
      try await extensions.call(DescribeExtension(identifier: visit.part("id")))
    )
  }

  /// Returns the page that a form was on.
  private func back(_ visit: Visit) -> String {
    guard visit.form["from"] == "detail" else { return "/extensions" }
    return "/extensions/extension/\(Paging.encoded(visit.part("id")))"
  }
}

/// The host's description of an extension, in words.
struct ListedExtension {
  private let description: ExtensionDescription

  init(_ description: ExtensionDescription) { self.description = description }

  var identifier: String { description.identifier }
  var name: String { description.name }
  var kind: String { description.kind ?? "" }
  var isOn: Bool { description.isOn }
  var failure: ExtensionDescription.Failure? { description.lastError }
  private var isBlocker: Bool { kind == "content-blocker" }

  private var kindWords: String {
    switch kind {
    case "content-blocker": "Content blocker"
    case "shared-links": "Shared Links"
    case "web-extension": "Web extension"
    default: kind
    }
  }

  private var listWords: String {
    guard description.listDate != nil else { return "none" }
    return (description.hasListInForce == true ? "active" : "kept, not active")
      + (description.isListSetByScript == true ? ", set by its script" : "")
  }

  private var networkWords: String {
    if description.hasEntitlements == true {
      return description.allowsNetwork == true
        ? "allowed by its entitlements" : "not among its entitlements"
    }
    return description.isNetworkGranted == true ? "granted by you" : "refused"
  }

  /// The values for a template.
  var values: [String: Any] {
    var values: [String: Any] = [
      "identifier": identifier, "id": Paging.encoded(identifier), "name": name, "kind": kindWords,
      "version": description.version ?? "", "build": description.build ?? "", "isOn": isOn,
      "path": description.path ?? "", "isBlocker": isBlocker, "mayReload": isOn && isBlocker,
      "hasList": kind != "shared-links", "list": listWords, "network": networkWords,
      "hasListText": description.hasListInForce == true || isBlocker,
      "signer": description.signer ?? "nobody",
      "isNetworkYours": description.hasEntitlements != true,
      "isGranted": description.isNetworkGranted == true,
    ]
    if let date = description.listDate { values["listDate"] = Self.words(date) }
    if let groups = description.groups, !groups.isEmpty {
      values["groups"] = ["text": groups.joined(separator: ", ")]
    }
    if let previous = description.previousVersion { values["previous"] = ["text": previous] }
    if let failure {
      let place = failure.place ?? ""
      values["failure"] =
        [
          "message": failure.message, "place": place, "hasPlace": !place.isEmpty,
          "source": "\(failure.domain) \(failure.code)", "date": Self.words(failure.date),
        ] as [String: Any]
    }
    return values
  }

  private static func words(_ date: MessageDate) -> [String: Any] {
    Words.time(Date(timeIntervalSince1970: date.seconds))
  }
}
