internal import ContentRules
internal import Foundation
internal import Hummingbird
internal import ListIngestion
internal import ListSubscriptions
internal import PageTexts

/// The page about subscriptions to lists: adding, updating, turning on and off, removing.
struct ListsPage: Sendable {
  let site: Site
  let updater: ListUpdater

  func add(to routes: Routes) {
    routes.get("/lists", in: .lists) { visit in try list(visit) }
    routes.post("/lists/add", in: .lists, subscribe)
    routes.post("/lists/update", in: .lists) { visit in
      try await update(visit, ids: nil)
    }
    routes.post("/lists/list/:id/update", in: .lists) { visit in
      try await update(visit, ids: [try chosen(visit).id])
    }
    routes.post("/lists/list/:id/on", in: .lists) { visit in
      let list = try await updater.turn(id: try chosen(visit).id, on: true)
      return site.done(visit.texts("list_is_on", list.name), to: "/lists")
    }
    routes.post("/lists/list/:id/off", in: .lists) { visit in
      let list = try updater.setOn(id: try chosen(visit).id, false)
      return site.done(visit.texts("list_is_off", list.name), to: "/lists")
    }
    routes.post("/lists/list/:id/remove", in: .lists) { visit in
      let list = try updater.remove(id: try chosen(visit).id)
      return site.done(
        visit.texts("list_removed", list.name, list.source.text),
        to: "/lists"
      )
    }
  }

  // MARK: Requests

  private func list(
    _ visit: Visit,
    source: String = "",
    error: SubscriptionError? = nil
  ) throws -> Response {
    let all = try updater.store.subscriptions()
    let added = Set(all.map(\.source.text))
    let texts = visit.texts
    var values: [String: Any] = [
      "isEmpty": all.isEmpty, "lists": all.map { Self.values($0, texts) }, "source": source,
      "summary": texts.counted("lists_summary", all.count, all.count(where: \.acts)),
      "catalogue": ListCatalogue.entries.filter { !added.contains($0.address) }
        .map { Self.values($0, texts) },
    ]
    if let error { values["error"] = ["message": PageError.message(error, for: visit).shown] }
    return site.page(
      in: .lists,
      for: visit,
      status: error == nil ? .ok : .unprocessableContent,
      content: Template.lists(site.values(values), in: texts.language)
    )
  }

  private func subscribe(_ visit: Visit) async throws -> Response {
    let source = visit.form["source"].trimmingCharacters(in: .whitespacesAndNewlines)
    do {
      let request: ListUpdater.Request
      if let entry = ListCatalogue.entry(source) {
        request = try ListUpdater.Request(entry)
      } else {
        // A page must not make this program read files.
        request = ListUpdater.Request(.address(try SubscriptionSource.address(source)))
      }
      let report = try await updater.add(request)
      let list = report.subscription
      return site.done(
        visit.texts("list_added", list.name, Self.contents(list, visit.texts)),
        to: "/lists"
      )
    } catch let error as SubscriptionError where error.code != .stateUnusable {
      return try self.list(visit, source: source, error: error)
    }
  }

  private func update(_ visit: Visit, ids: Set<String>?) async throws -> Response {
    let reports = try await updater.update(.all, ids: ids)
    var changed = 0
    let texts = visit.texts
    var failures: [(name: String, reason: Phrase)] = []
    for report in reports {
      switch report.outcome {
      case .changed: changed += 1
      case .failed(let error):
        failures.append((report.subscription.name, .english(error.message)))
      case .skipped(let reason): failures.append((report.subscription.name, .english(reason)))
      case .unchanged: break
      }
    }
    let found =
      changed == 0 ? texts("lists_nothing_new") : texts.counted("lists_changed", changed)
    guard !failures.isEmpty else { return site.done(found, to: "/lists") }
    return site.done(
      texts.sentences([found, texts("lists_not_updated", texts.failures(failures))]),
      isWarning: true,
      to: "/lists"
    )
  }

  private func chosen(_ visit: Visit) throws -> Subscription {
    let id = visit.part("id")
    guard let list = try updater.store.subscriptions().first(where: { $0.id == id }) else {
      throw PageError(.notFound, visit.texts("list_gone"))
    }
    return list
  }

  // MARK: Words

  private static func contents(_ list: Subscription, _ texts: Texts) -> Phrase {
    guard let summary = list.summary else { return texts("lists_contents_none") }
    let rules = texts.counted("rules", summary.rules)
    guard let lines = summary.lines else { return rules }
    return lines.impossible > 0
      ? texts.counted("rules_of_filters_impossible", lines.filters, rules, lines.impossible)
      : texts.counted("rules_of_filters", lines.filters, rules)
  }

  private static func values(_ list: Subscription, _ texts: Texts) -> [String: Any] {
    var values: [String: Any] = [
      "id": Paging.encoded(list.id), "name": list.name, "source": list.source.text,
      "isOn": list.isOn, "contents": contents(list, texts),
      "key": Paging.encoded(list.listIdentifier), "hasText": list.acts,
    ]
    if let licence = list.summary?.header.licence { values["licence"] = ["text": licence] }
    if let date = list.succeeded { values["updated"] = texts.time(date) }
    if let fault = list.fault {
      values["fault"] = ["text": fault.message, "date": texts.time(fault.date)] as [String: Any]
    }
    return values
  }

  private static func values(_ entry: ListCatalogue.Entry, _ texts: Texts) -> [String: Any] {
    var values: [String: Any] = [
      "id": entry.id, "name": entry.name, "homepage": entry.homepage, "licence": entry.licence,
    ]
    let key = "purpose_" + entry.id.replacing("-", with: "_")
    values["purpose"] =
      texts.catalogue.keys(.standard).contains(key)
      ? texts(key).shown : Phrase.english(entry.purpose).shown
    if !entry.languages.isEmpty {
      values["languages"] = ["names": texts.list(entry.languages.map(texts.name(ofLanguage:)))]
    }
    return values
  }
}
