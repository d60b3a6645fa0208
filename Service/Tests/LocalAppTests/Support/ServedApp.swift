import ExtensionGallery
import ExtensionHost
import ExtensionMessages
import Foundation
import HostTestSupport
import ListSubscriptions
import LoopbackServing
import PageNotes
import ServiceFolders
import SharedLinks
import Synchronization
import Testing

@testable import LocalApp

/// The app on a free port, with a data folder and a host of its own, and a web that the test writes.
final class ServedApp: Sendable {
  let folder: URL
  let host: AppExtensionHost
  let links: LinkStore
  let notes: NoteStore
  let web: ScriptedWeb
  let address: URL
  let port: Int

  private init(
    _ folder: URL,
    _ host: AppExtensionHost,
    _ links: LinkStore,
    _ notes: NoteStore,
    _ web: ScriptedWeb,
    _ address: URL
  ) throws {
    self.folder = folder
    self.host = host
    self.links = links
    self.notes = notes
    self.web = web
    self.address = address
    port = try #require(address.port)
  }

  /// Serves as long as a body runs.
  static func run(
    bounds: ConnectionLimits.Bounds = ConnectionLimits.Bounds(),
    _ body: (ServedApp) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-local-app-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    try ServiceFolders.makePrivate(folder)
    let host = try AppExtensionHost(data: folder, launcher: SandboxedLauncher(), holder: "a test")
    _ = await host.start()
    let links = try LinkStore(folder: folder)
    let notes = try NoteStore(file: folder.appending(path: "notes.sqlite"))
    let web = ScriptedWeb()
    let gallery = ExtensionInstaller(
      folders: ServiceFolders(data: folder, cache: folder, runtime: folder),
      store: OwnStore(host: OwnHost(host: host))
    )
    var app = LocalApp(
      extensions: OwnHost(host: host),
      gallery: gallery,
      lists: ListsInForce(data: folder),
      subscriptions: ListUpdater(
        store: SubscriptionStore(data: folder),
        preparation: .inProcess
      ),
      store: links,
      refresher: LinkRefresher(store: links, transport: web),
      notes: notes
    )
    app.bounds = bounds
    let (addresses, told) = AsyncStream<URL>.makeStream()
    let serving = Task(executorPreference: ServerExecutor()) { [app] in
      defer { told.finish() }
      try await app.run(port: 0) { told.yield($0) }
    }
    var iterator = addresses.makeAsyncIterator()
    let address = try #require(await iterator.next())
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(ServedApp(folder, host, links, notes, web, address)))
    } catch {
      result = .failure(error)
    }
    serving.cancel()
    _ = await serving.result
    await host.stop()
    try result.get()
  }

  /// Opens the printed address as a browser does, and keeps the cookie.
  func visitor() async throws -> Visitor {
    let answer = try await RawClient.send(
      port: port,
      "GET",
      "\(address.path)?\(address.query ?? "")",
      [("Host", "127.0.0.1:\(port)"), ("Sec-Fetch-Site", "none")]
    )
    let cookie = try #require(answer.headers["set-cookie"]?.split(separator: ";").first)
    let place = try #require(answer.headers["location"])
    let base = place.split(separator: "/").first.map { "/\($0)" } ?? ""
    var visitor = Visitor(port: port, cookie: String(cookie), base: base, secret: "")
    visitor.secret = try await visitor.get("/notes/new").body.between(
      "name=\"secret\" value=\"",
      "\""
    )
    return visitor
  }

  /// Installs a content blocker that is a list alone.
  func install(_ name: String, _ json: String, version: String = "1") async throws -> String {
    let identifier = "com.example.\(name.lowercased())"
    let bundle = folder.appending(path: "Made/\(name).appex", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let information: [String: Any] = [
      "CFBundleIdentifier": identifier, "CFBundleVersion": version,
      "CFBundleShortVersionString": version, "CFBundleName": name,
      "NSExtension": ["NSExtensionPointIdentifier": "com.apple.Safari.content-blocker"],
    ]
    try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
      .write(to: bundle.appending(path: "Info.plist"))
    try Data(json.utf8).write(to: bundle.appending(path: "blockerList.json"))
    _ = try await host.install(bundle)
    return identifier
  }
}

/// A browser that has opened the app, as far as it is seen from the server.
struct Visitor: Sendable {
  let port: Int
  let cookie: String
  let base: String
  var secret: String

  /// What a browser says of a form that one of the app's own pages sent.
  static let ownForm = [("Origin", "null"), ("Sec-Fetch-Site", "same-origin")]

  func get(_ path: String, _ headers: [(String, String)] = []) async throws -> Answer {
    try await RawClient.send(port: port, "GET", base + path, fields(headers))
  }

  /// Sends a form.
  func post(
    _ path: String,
    _ form: [String: String],
    _ headers: [(String, String)] = ownForm
  ) async throws -> Answer {
    let all = form.merging(["secret": secret]) { own, _ in own }
    let body = all.map { "\($0.key)=\(Paging.encoded($0.value))" }.joined(separator: "&")
    let type = ("Content-Type", "application/x-www-form-urlencoded")
    return try await RawClient.send(
      port: port,
      "POST",
      base + path,
      fields(headers + [type]),
      body: Array(body.utf8)
    )
  }

  /// Sends a form, and follows to the page that it leads to.
  func submit(_ path: String, _ form: [String: String] = [:]) async throws -> Answer {
    let answer = try await post(path, form)
    guard answer.status == 303, let place = answer.headers["location"] else { return answer }
    return try await RawClient.send(port: port, "GET", place, fields([]))
  }

  /// Sends a form with a file.
  func upload(
    _ path: String,
    file: String,
    _ bytes: [UInt8],
    _ form: [String: String] = [:]
  ) async throws -> Answer {
    let mark = "----mark\(UUID().uuidString)"
    var body: [UInt8] = []
    for (name, value) in form.merging(["secret": secret], uniquingKeysWith: { own, _ in own }) {
      body +=
        "--\(mark)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8
    }
    body +=
      "--\(mark)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(file)\"\r\n".utf8
    body += "Content-Type: application/octet-stream\r\n\r\n".utf8
    body += bytes
    body += "\r\n--\(mark)--\r\n".utf8
    let type = ("Content-Type", "multipart/form-data; boundary=\(mark)")
    let answer = try await RawClient.send(
      port: port,
      "POST",
      base + path,
      fields(Self.ownForm + [type]),
      body: body
    )
    guard answer.status == 303, let place = answer.headers["location"] else { return answer }
    return try await RawClient.send(port: port, "GET", place, fields([]))
  }

  private func fields(_ headers: [(String, String)]) -> [(String, String)] {
    var all = headers
    let names = Set(headers.map { $0.0 })
    if !names.contains("Host") { all.append(("Host", "127.0.0.1:\(port)")) }
    if !names.contains("Cookie") { all.append(("Cookie", cookie)) }
    return all
  }
}

/// The host in the test's process.
private struct OwnHost: HostCalling {
  let host: AppExtensionHost

  func call<Call: HostFunction>(_ call: Call) async throws -> Call.Reply {
    try await HostAccess.own(host).call(call)
  }
}

/// The host's extensions, as the gallery sees them.
private struct OwnStore: BundleInstalling {
  let host: OwnHost

  func installedIdentifiers() async throws -> [String] {
    try await host.call(ListExtensions()).map(\.identifier)
  }

  func installedExtension(_ identifier: String) async throws -> InstalledExtension? {
    guard
      let found = try await host.call(ListExtensions()).first(where: { $0.identifier == identifier }
      ),
      let path = found.path, let build = found.build
    else { return nil }
    return InstalledExtension(
      bundle: URL(filePath: path, directoryHint: .isDirectory),
      version: build,
      signer: found.signer.flatMap { KeyFingerprint($0) }
    )
  }

  func install(_ bundle: URL, signedBy pin: PinnedKey) async throws {
    _ = try await host.call(
      InstallExtension(
        path: bundle.path,
        signer: pin.key.fingerprint.description,
        replacedSigners: pin.retired.map(\.fingerprint.description)
      )
    )
  }

  func isOn(_ identifier: String) async throws -> Bool {
    try await host.call(StateOfExtension(identifier: identifier))
  }

  func firstStart(_ identifier: String) async throws -> FirstStart {
    try await isOn(identifier) ? .succeeded : .waiting
  }

  func goBack(_ identifier: String) async throws {
    _ = try await host.call(GoBackExtension(identifier: identifier, replacesSigned: true))
  }
}

/// A web with the answers that a test gives.
final class ScriptedWeb: LinkTransport {
  private let pages = Mutex<[String: String]>([:])

  func on(_ address: String, _ body: String) { pages.withLock { $0[address] = body } }

  func send(_ request: LinkRequest) async throws -> LinkResponse {
    guard let body = pages.withLock({ $0[request.address] }) else {
      throw FetchFailure("the server answered 404", status: 404)
    }
    return LinkResponse(status: 200, headers: [:], body: Array(body.utf8))
  }
}

extension String {
  /// A page's markup without what only isolates values and says in which language they are.
  var said: String {
    replacing(/<\/?bdi\b[^>]*>|<span lang="en" dir="ltr">|<code dir="ltr">/, with: "")
      .replacing(/<\/(?:span|code)>/, with: "")
  }

  /// What stands between two texts.
  func between(_ start: String, _ end: String) throws -> String {
    let first = try #require(range(of: start))
    let rest = self[first.upperBound...]
    return String(rest[..<(try #require(rest.range(of: end))).lowerBound])
  }
}
