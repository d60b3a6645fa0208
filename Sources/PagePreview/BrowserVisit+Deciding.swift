internal import BrowserPipe
internal import Foundation
internal import WebURL

extension BrowserVisit {
  /// Decides a request that waits.
  func decide(
    _ params: DevToolsConnection.Object,
    _ session: String?
  ) throws(BrowserFailure) {
    guard let id = params["requestId"]?.string,
      let request = params["request"]?.object, let url = request["url"]?.string
    else { return }
    lastEvent = .now
    let plain = Self.withoutFragment(url)
    if Self.isIcon(url, params["resourceType"]?.string) {
      if let archive = options.archive { return try answer(id, plain, from: archive, session) }
      return try browser.send("Fetch.continueRequest", ["requestId": .string(id)], session: session)
    }
    let network = params["networkId"]?.string
    var index = network.flatMap { current[$0] }
    if index.map({ visit.requests[$0].url != plain }) ?? true,
      visit.requests.count < Self.requestLimit
    {
      let word =
        network.flatMap { untold.removeValue(forKey: $0)?.knownType }
        ?? params["resourceType"]?.string ?? "Other"
      let added = add(url, word, request, frame(params["frameId"], session))
      if let network {
        earlier[network] = current[network]
        current[network] = added
      }
      index = added
    } else if let network, params["resourceType"]?.string == "Other" {
      // What the page calls a script is that of a worker.
      retype(network, "Other", request, session)
    }
    if isForeign(plain) {
      if let index {
        visit.requests[index].isWithheld = true
        visit.requests[index].prevention = Self.withheld
      }
      if params["resourceType"]?.string == "Document" { localAddress = localAddress ?? plain }
      return try browser.send(
        "Fetch.failRequest",
        ["requestId": .string(id), "errorReason": "AddressUnreachable"],
        session: session
      )
    }
    let verdict = index.map { visit.requests[$0].verdict }
    if appliesLists, let verdict {
      if verdict.isBlocked {
        return try browser.send(
          "Fetch.failRequest",
          ["requestId": .string(id), "errorReason": "BlockedByClient"],
          session: session
        )
      }
      if let new = verdict.newURL, new != plain, options.archive == nil {
        return try browser.send(
          "Fetch.fulfillRequest",
          [
            "requestId": .string(id), "responseCode": 307,
            "responseHeaders": [
              ["name": "Location", "value": .string(new)],
              ["name": "Access-Control-Allow-Origin", "value": "*"],
            ],
          ],
          session: session
        )
      }
    }
    if let archive = options.archive {
      // What came out of the archive is not counted by the browser.
      if let index {
        let resource = archive.resource(at: plain)
        visit.requests[index].bytes = resource?.bytes.count ?? 0
        visit.requests[index].isMissing = resource == nil
        decided.insert(index)
      }
      return try answer(id, plain, from: archive, session)
    }
    var answer: DevToolsConnection.Object = ["requestId": .string(id)]
    if appliesLists, verdict?.blocksCookies ?? false {
      let headers = request["headers"]?.texts ?? [:]
      let others = headers.filter { $0.key.lowercased() != "cookie" }.sorted { $0.key < $1.key }
        .map { ["name": .string($0.key), "value": .string($0.value)] as JSONValue }
      answer["headers"] = .array(others + [["name": "Cookie", "value": ""]])
    }
    try browser.send("Fetch.continueRequest", answer, session: session)
  }

  /// Whether a request of a page of the internet goes to the local network.
  ///
  /// What this machine alone can reach would be in the picture, and whoever made the page does not have
  /// to be allowed to see it, nor those who are given the report.
  func isForeign(_ url: String) -> Bool {
    guard options.archive == nil, !isLocal, let url = WebURL(url) else { return false }
    return LocalNetwork.contains(url)
  }

  /// Marks what Chromium has not asked for as missing: nothing but the archive answers.
  func markUnanswered() {
    guard options.archive != nil else { return }
    for (index, request) in visit.requests.enumerated()
    where request.failure == nil && !decided.contains(index) {
      // Blobs and the like are made by the page itself.
      let isOfPage = ["blob:", "about:"].contains { request.url.hasPrefix($0) }
      visit.requests[index].isMissing = !isOfPage
    }
  }

  static let withheld = "it is on the local network, and the page is not"

  /// Answers a request out of an archive.
  func answer(
    _ id: String,
    _ url: String,
    from archive: PageArchive,
    _ session: String?
  ) throws(BrowserFailure) {
    guard let resource = archive.resource(at: url) else {
      return try browser.send(
        "Fetch.failRequest",
        ["requestId": .string(id), "errorReason": "InternetDisconnected"],
        session: session
      )
    }
    try browser.send(
      "Fetch.fulfillRequest",
      [
        "requestId": .string(id), "responseCode": 200,
        "responseHeaders": [
          ["name": "Content-Type", "value": .string(resource.mediaType)],
          ["name": "Access-Control-Allow-Origin", "value": "*"],
        ],
        "body": .string(Data(resource.bytes).base64EncodedString()),
      ],
      session: session
    )
  }
}
