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
      return site.done(visit.texts("extension_is_off", found.name), to: back(visit))
    }
    routes.post("/extensions/extension/:id/reload", in: .extensions, reload)
    routes.post("/extensions/extension/:id/network", in: .extensions) { visit in
      let found = try await described(visit)
      let isGranted = visit.form["granted"] == "yes"
      _ = try await extensions.call(
        GrantNetwork(identifier: found.identifier, isGranted: isGranted)
      )
      let key = isGranted ? "extension_network_on" : "extension_network_off"
      return site.done(visit.texts(key, found.name), to: back(visit))
    }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let found = try await extensions.call(ListExtensions()).map(ListedExtension.init)
    let on = found.count { $0.isOn }
    let failed = found.count { $0.failure != nil }
    let texts = visit.texts
    let summary =
      failed > 0
      ? texts.counted("extensions_summary_failed", found.count, on, failed)
      : texts.counted("extensions_summary", found.count, on)
    let content = Template.extensions(
      site.values([
        "isEmpty": found.isEmpty, "summary": summary,
        "extensions": found.map { $0.values(texts) },
      ]),
      in: texts.language
    )
    return site.page(in: .extensions, for: visit, content: content)
  }

  private func detail(_ visit: Visit) async throws -> Response {
    let found = try await described(visit)
    let log = try await extensions.call(LogOfExtension(identifier: found.identifier))
    let lines = log.split(separator: "\n")
    var values = found.values(visit.texts)
    values["log"] = lines.suffix(Self.logLines).joined(separator: "\n")
    values["hasLog"] = !lines.isEmpty
    values["isDetail"] = true
    if lines.count > Self.logLines {
      values["cut"] = ["text": visit.texts("log_cut", Self.logLines, lines.count)]
    }
    return site.page(
      .value(found.name),
      in: .extensions,
      for: visit,
      content: Template.extensionDetail(site.values(values), in: visit.texts.language)
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
        visit.texts("extension_on_failed", found.name, PageError.message(error, for: visit)),
        isWarning: true,
        to: back(visit)
      )
    }
    return site.done(visit.texts("extension_is_on", found.name), to: back(visit))
  }

  private func reload(_ visit: Visit) async throws -> Response {
    let found = try await described(visit)
    do {
      _ = try await extensions.call(ReloadContentBlocker(identifier: found.identifier))
    } catch {
      return site.done(
        visit.texts("extension_reload_failed", found.name, PageError.message(error, for: visit)),
        isWarning: true,
        to: back(visit)
      )
    }
    return site.done(visit.texts("extension_reloaded", found.name), to: back(visit))
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

  private func kindWords(_ texts: Texts) -> Phrase {
    switch kind {
    case "content-blocker": texts("extension_kind_blocker")
    case "shared-links": texts("extension_kind_links")
    case "web-extension": texts("extension_kind_web")
    default: .value(kind)
    }
  }

  private func listWords(_ texts: Texts) -> Phrase {
    guard description.listDate != nil else { return texts("list_none") }
    return switch (description.hasListInForce == true, description.isListSetByScript == true) {
    case (true, false): texts("list_active")
    case (true, true): texts("list_active_script")
    case (false, false): texts("list_kept")
    case (false, true): texts("list_kept_script")
    }
  }

  private func networkWords(_ texts: Texts) -> Phrase {
    if description.hasEntitlements == true {
      return description.allowsNetwork == true
        ? texts("network_entitled") : texts("network_not_entitled")
    }
    return description.isNetworkGranted == true
      ? texts("network_granted") : texts("network_refused")
  }

  /// Returns the values for a template.
  func values(_ texts: Texts) -> [String: Any] {
    var values: [String: Any] = [
      "identifier": identifier, "id": Paging.encoded(identifier), "name": name,
      "kind": kindWords(texts),
      "version": description.version ?? "", "build": description.build ?? "", "isOn": isOn,
      "path": description.path ?? "", "isBlocker": isBlocker, "mayReload": isOn && isBlocker,
      "hasList": kind != "shared-links", "list": listWords(texts),
      "network": networkWords(texts),
      "hasListText": description.hasListInForce == true || isBlocker,
      "isNetworkYours": description.hasEntitlements != true,
      "isGranted": description.isNetworkGranted == true,
    ]
    values["signer"] = description.signer
    values["isSigned"] = description.signer != nil
    if let date = description.listDate { values["listDate"] = Self.time(date, texts) }
    if let groups = description.groups, !groups.isEmpty {
      values["groups"] = ["text": texts.list(groups)]
    }
    if let previous = description.previousVersion { values["previous"] = ["text": previous] }
    if let failure {
      let place = failure.place ?? ""
      values["failure"] =
        [
          "message": failure.message, "place": place, "hasPlace": !place.isEmpty,
          "source": "\(failure.domain) \(failure.code)", "date": Self.time(failure.date, texts),
        ] as [String: Any]
    }
    return values
  }

  private static func time(_ date: MessageDate, _ texts: Texts) -> [String: any Sendable] {
    texts.time(Date(timeIntervalSince1970: date.seconds))
  }
}
