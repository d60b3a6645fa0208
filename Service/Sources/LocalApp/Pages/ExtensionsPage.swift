internal import ExtensionMessages
internal import Foundation
internal import Hummingbird

/// Extensions: on and off, their state, their last error with its place, reloading, their logs.
struct ExtensionsPage: Sendable {
  let site: Site
  let extensions: any ExtensionCalling
  /// How many of a log's last lines are shown.
  private static let logLines = 500

  func add(to routes: Routes) {
    routes.get("/extensions", in: .extensions, list)
    routes.get("/extensions/extension/:id", in: .extensions, detail)
    routes.post("/extensions/extension/:id/on", in: .extensions) { visit in
      try await turnOn(visit)
    }
    routes.post("/extensions/extension/:id/off", in: .extensions) { visit in
      let found = try await described(visit)
      _ = try await call(.turnOffExtension, found)
      return site.done("\(found.name) is off. Its list is not applied any more.", to: back(visit))
    }
    routes.post("/extensions/extension/:id/reload", in: .extensions, reload)
    routes.post("/extensions/extension/:id/network", in: .extensions) { visit in
      let found = try await described(visit)
      let isGranted = visit.form["granted"] == "yes"
      _ = try await extensions.call(
        .grantNetwork,
        ["identifier": .string(found.identifier), "isGranted": .bool(isGranted)]
      )
      let words = isGranted ? "may use the network now." : "may not use the network any more."
      return site.done("\(found.name) \(words)", to: back(visit))
    }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let found = (try await extensions.call(.listExtensions, [:]).array ?? [])
      .map(ListedExtension.init)
    let on = found.count { $0.isOn }
    let failed = found.count { $0.failure != nil }
    let content = ExtensionsTemplate.list(
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
    let log = try await call(.logOfExtension, found).string ?? ""
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
      content: ExtensionsTemplate.detail(site.values(values))
    )
  }

  private func turnOn(_ visit: Visit) async throws -> Response {
    let found = try await described(visit)
    do {
      _ = try await call(.turnOnExtension, found)
    } catch {
      // It is on even so, with the list that it had before.
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
      _ = try await call(.reloadContentBlocker, found)
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
      try await extensions.call(.describeExtension, ["identifier": .string(visit.part("id"))])
    )
  }

  private func call(
    _ function: HostCall.Function,
    _ found: ListedExtension
  ) async throws -> MessageValue {
    try await extensions.call(function, ["identifier": .string(found.identifier)])
  }

  /// The page that a form was on.
  private func back(_ visit: Visit) -> String {
    guard visit.form["from"] == "detail" else { return "/extensions" }
    return "/extensions/extension/\(Paging.encoded(visit.part("id")))"
  }
}

/// An extension as the host describes it, in words.
struct ListedExtension {
  /// What went wrong last.
  struct Failure {
    var message: String
    var place: String
    var source: String
    var date: Date?
  }

  private let value: MessageValue

  init(_ value: MessageValue) { self.value = value }

  var identifier: String { text("identifier") }
  var name: String { text("name") }
  var kind: String { text("kind") }
  var path: String { text("path") }
  var isOn: Bool { isTrue("isOn") }
  private var isBlocker: Bool { kind == "content-blocker" }

  var failure: Failure? {
    guard let error = value["lastError"] else { return nil }
    return Failure(
      message: error["message"]?.string ?? "",
      place: error["place"]?.string ?? "",
      source: "\(error["domain"]?.string ?? "") \(error["code"]?.integer ?? 0)",
      date: Self.date(error["date"])
    )
  }

  private var kindWords: String {
    switch kind {
    case "content-blocker": "Content blocker"
    case "shared-links": "Shared Links"
    case "web-extension": "Web extension"
    default: kind
    }
  }

  private var listWords: String {
    guard value["listDate"] != nil else { return "none" }
    return (isTrue("hasListInForce") ? "active" : "kept, not active")
      + (isTrue("isListSetByScript") ? ", set by its script" : "")
  }

  private var networkWords: String {
    if isTrue("hasEntitlements") {
      return isTrue("allowsNetwork") ? "allowed by its entitlements" : "not among its entitlements"
    }
    return isTrue("isNetworkGranted") ? "granted by you" : "refused"
  }

  /// What a template shows.
  var values: [String: Any] {
    var values: [String: Any] = [
      "identifier": identifier, "id": Paging.encoded(identifier), "name": name, "kind": kindWords,
      "version": text("version"), "build": text("build"), "isOn": isOn, "path": path,
      "isBlocker": isBlocker, "mayReload": isOn && isBlocker,
      "hasList": kind != "shared-links", "list": listWords, "network": networkWords,
      "hasListText": isTrue("hasListInForce") || isBlocker,
      "signer": text("signer").isEmpty ? "nobody" : text("signer"),
      "isNetworkYours": !isTrue("hasEntitlements"), "isGranted": isTrue("isNetworkGranted"),
    ]
    if let date = Self.date(value["listDate"]) { values["listDate"] = Words.time(date) }
    let groups = (value["groups"]?.array ?? []).compactMap(\.string)
    if !groups.isEmpty { values["groups"] = ["text": groups.joined(separator: ", ")] }
    if let previous = value["previousVersion"]?.string { values["previous"] = ["text": previous] }
    if let failure {
      var shown: [String: Any] = [
        "message": failure.message, "place": failure.place, "hasPlace": !failure.place.isEmpty,
        "source": failure.source,
      ]
      if let date = failure.date { shown["date"] = Words.time(date) }
      values["failure"] = shown
    }
    return values
  }

  private static func date(_ value: MessageValue?) -> Date? {
    guard case .date(let seconds) = value else { return nil }
    return Date(timeIntervalSince1970: seconds)
  }

  private func text(_ key: String) -> String { value[key]?.string ?? "" }
  private func isTrue(_ key: String) -> Bool { value[key] == .bool(true) }
}
