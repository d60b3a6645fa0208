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
      let list = try updater.setOn(try chosen(visit).id, true)
      return site.done("\(list.name) is on.", to: "/lists")
    }
    routes.post("/lists/list/:id/off", in: .lists) { visit in
      let list = try updater.setOn(try chosen(visit).id, false)
      return site.done("\(list.name) is off, and is not updated.", to: "/lists")
    }
    routes.post("/lists/list/:id/remove", in: .lists) { visit in
      let list = try updater.remove(try chosen(visit).id)
      return site.done("\(list.name) is removed. It came from \(list.source.text).", to: "/lists")
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
    var values: [String: Any] = [
      "isEmpty": all.isEmpty, "lists": all.map(Self.values), "source": source,
      "summary": "\(Words.count(all.count, "list")), \(all.count(where: \.acts)) in use",
      "catalogue": ListCatalogue.entries.filter { !added.contains($0.address) }.map(Self.values),
    ]
    if let error { values["error"] = ["message": PageError.message(error)] }
    return site.page(
      "",
      in: .lists,
      for: visit,
      status: error == nil ? .ok : .unprocessableContent,
      content: Template.lists(site.values(values))
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
      return site.done("\(list.name) is on, with \(Self.contents(list)).", to: "/lists")
    } catch let error as SubscriptionError where error.code != .stateUnusable {
      return try self.list(visit, source: source, error: error)
    }
  }

  private func update(_ visit: Visit, ids: Set<String>?) async throws -> Response {
    let reports = try await updater.update(.all, ids: ids)
    var changed = 0
    var failures: [String] = []
    for report in reports {
      switch report.outcome {
      case .changed: changed += 1
      case .failed(let error):
        failures.append("\(report.subscription.name): \(error.message)")
      case .skipped(let reason): failures.append("\(report.subscription.name): \(reason)")
      case .unchanged: break
      }
    }
    let found =
      changed == 0 ? "Nothing new." : "\(Words.count(changed, "list is", "lists are")) updated."
    guard let first = failures.first else { return site.done(found, to: "/lists") }
    let more = failures.count > 1 ? ", and \(failures.count - 1) more" : ""
    return site.done(
      "\(found) Not updated, so that what there was acts on: \(first)\(more)",
      isWarning: true,
      to: "/lists"
    )
  }

  private func chosen(_ visit: Visit) throws -> Subscription {
    let id = visit.part("id")
    guard let list = try updater.store.subscriptions().first(where: { $0.id == id }) else {
      throw PageError(.notFound, "There is no such list any more.")
    }
    return list
  }

  // MARK: Words

  private static func contents(_ list: Subscription) -> String {
    guard let summary = list.summary else { return "nothing yet" }
    var words = Words.count(summary.rules, "rule")
    if let lines = summary.lines {
      words += " of \(Words.count(lines.filters, "filter"))"
      if lines.impossible > 0 { words += ", \(DisplayText.grouped(lines.impossible)) impossible" }
    }
    return words
  }

  private static func values(_ list: Subscription) -> [String: Any] {
    var values: [String: Any] = [
      "id": Paging.encoded(list.id), "name": list.name, "source": list.source.text,
      "isOn": list.isOn, "contents": contents(list),
      "key": Paging.encoded(list.listIdentifier), "hasText": list.acts,
    ]
    if let licence = list.summary?.header.licence { values["licence"] = ["text": licence] }
    if let date = list.succeeded { values["updated"] = Words.time(date) }
    if let fault = list.fault {
      values["fault"] = ["text": fault.message, "date": Words.time(fault.date)] as [String: Any]
    }
    return values
  }

  private static func values(_ entry: ListCatalogue.Entry) -> [String: Any] {
    [
      "id": entry.id, "name": entry.name, "purpose": entry.purpose, "homepage": entry.homepage,
      "licence": entry.licence,
      "languages": entry.languages.isEmpty ? "" : " · \(entry.languages.joined(separator: ", "))",
    ]
  }
}
