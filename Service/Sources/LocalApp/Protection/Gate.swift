internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackServing
internal import NIOCore
internal import PageTexts
internal import Synchronization

/// Checks every request before it reaches a page; see `Documentation/LocalApp.md`.
///
/// A request passes if its `Host` is this machine with the port, it was not made by another site's
/// page, it has the cookie, and, if it changes something, it comes from a page of this server. The
/// secret in the printed address is exchanged for the cookie.
final class Gate: Sendable {
  /// The cookie's name.
  static let cookieName = "tickbird-session"
  /// The path of the printed address.
  static let openingPath = "/open"

  let secrets: Secrets
  private let port = Mutex<Int?>(nil)

  init(_ secrets: Secrets) { self.secrets = secrets }

  /// Sets the port; before that nobody is let in.
  func setPort(_ number: Int) { port.withLock { $0 = number } }

  /// The headers of every answer: no foreign resources, no framing, same origin only.
  static let headers: HTTPFields = {
    var headers = HTTPFields()
    headers[.contentSecurityPolicy] = """
      default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
      img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'
      """
    headers[.xContentTypeOptions] = "nosniff"
    headers[.cacheControl] = "no-store"
    for (name, value) in [
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
      ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ] {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    return headers
  }()

  /// Answers requests that must not reach a page, and adds ``headers``.
  func respond(
    to request: Request,
    pages: () async throws -> Response
  ) async throws -> Response {
    var response: Response
    if let refusal = refusal(of: request) {
      response = refusal
    } else {
      response = try await pages()
    }
    for field in Self.headers where response.headers[field.name] == nil {
      response.headers.append(field)
    }
    return response
  }

  /// Returns the answer to a rejected request; `nil` if it may pass.
  private func refusal(of request: Request) -> Response? {
    guard isAddressedHere(request) else {
      return RefusalPage.response(request, "host")
    }
    let isRead = request.method == .get || request.method == .head
    guard isRead || request.method == .post else {
      return RefusalPage.response(request, "method")
    }
    if request.uri.path == Self.openingPath { return opening(request) }
    guard isFromOwnPage(request, isRead: isRead) else {
      return RefusalPage.response(request, "site")
    }
    guard hasCookie(request), isInFolder(request) else { return RefusalPage.closed(request) }
    return nil
  }

  private func isAddressedHere(_ request: Request) -> Bool {
    guard let port = port.withLock({ $0 }) else { return false }
    return LoopbackAuthority(request.head.authority)?.leads(to: port) ?? false
  }

  /// Returns whether a request was made by a page of this server, or by the user, according to its
  /// headers.
  ///
  /// The pages send no referrer, so browsers send `Origin: null` with their forms, and identify the
  /// source in `Sec-Fetch-Site`. A browser without that header has to send the origin.
  private func isFromOwnPage(_ request: Request, isRead: Bool) -> Bool {
    let site = request.headers[.fetchSite]
    let origin = request.headers[.origin]
    if isRead {
      guard let site, site != "same-origin", site != "none" else { return true }
      // A link on another site. Browsers withhold the cookie then, so it reaches no page.
      return request.headers[.fetchMode] == "navigate"
        && request.headers[.fetchDestination] == "document"
    }
    let own = "http://\(request.head.authority?.lowercased() ?? "")"
    switch (site, origin?.lowercased()) {
    case ("same-origin", nil), ("same-origin", "null"), ("same-origin", own), (nil, own):
      return true
    default: return false
    }
  }

  private func hasCookie(_ request: Request) -> Bool {
    request.headers[values: .cookie].contains { field in
      field.split(separator: ";").contains { part in
        let part = part.drop { $0 == " " }
        guard part.hasPrefix(Self.cookieName + "=") else { return false }
        return secrets.session.matches(part.dropFirst(Self.cookieName.count + 1))
      }
    }
  }

  private func isInFolder(_ request: Request) -> Bool {
    let parts = request.uri.path.split(separator: "/", maxSplits: 1)
    return parts.first.map { secrets.folder.matches($0) } ?? false
  }

  /// Exchanges the secret for the cookie, and redirects to the pages, whose address contains no
  /// secret that lets anybody in.
  private func opening(_ request: Request) -> Response? {
    let token = FormFields(urlEncoded: request.uri.query ?? "")["token"]
    guard request.method == .get, secrets.opening.matches(token) else {
      return RefusalPage.closed(request)
    }
    let place = "/\(secrets.folder.text)/extensions"
    let cookie =
      "\(Self.cookieName)=\(secrets.session.text); "
      + "HttpOnly; SameSite=Strict; Path=/\(secrets.folder.text)"
    let site = request.headers[.fetchSite]
    if site == nil || site == "none" || site == "same-origin" {
      return Response(status: .seeOther, headers: [.setCookie: cookie, .location: place])
    }
    // After a redirect of a navigation that another site started, browsers would withhold the
    // cookie; they do not when this page navigates.
    var response = RefusalPage.page(
      request,
      status: .ok,
      title: "refusal_opening_title",
      link: (place, "refusal_opening_link"),
      isLeading: true
    )
    response.headers[.setCookie] = cookie
    return response
  }
}

/// Plain pages for rejected requests, which contain nothing of the request; only their language is that
/// of who sent it.
enum RefusalPage {
  /// The answer to a request without the cookie.
  static func closed(_ request: Request) -> Response {
    response(request, "closed", code: [.code("tickbird serve"), .code("--open")])
  }

  /// Returns the answer for one of the reasons that `Resources/Texts` has a title and a text for.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - reason: The middle of the texts' keys.
  ///   - code: What stands for `$1` and `$2` in the text: parts of a command.
  /// - Returns: The page.
  static func response(_ request: Request, _ reason: String, code: [Phrase] = []) -> Response {
    page(
      request,
      status: .forbidden,
      title: "refusal_\(reason)_title",
      sentence: ("refusal_\(reason)_text", code)
    )
  }

  /// A page.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - status: The status.
  ///   - title: The key of its title and heading.
  ///   - sentence: The key of what is to be read, and what it names as code.
  ///   - link: An address and the key of what it is called.
  ///   - isLeading: Whether the browser follows the link by itself.
  /// - Returns: The page.
  static func page(
    _ request: Request,
    status: HTTPResponse.Status,
    title: String,
    sentence: (key: String, code: [Phrase])? = nil,
    link: (address: String, name: String)? = nil,
    isLeading: Bool = false
  ) -> Response {
    let texts = LanguageChoice.texts(for: request.headers).texts
    var values: [String: Any] = ["title": texts(title), "isLeading": isLeading]
    values["sentence"] = sentence.map { key, code in texts(key, with: code).shown }
    values["address"] = link?.address
    values["link"] = link.map { texts($0.name) }
    return Response(
      status: status,
      headers: [.contentType: "text/html; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: Template.refusal(values, in: texts.language)))
    )
  }
}

extension HTTPField.Name {
  fileprivate static let fetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin
  fileprivate static let fetchMode = HTTPField.Name("Sec-Fetch-Mode") ?? .origin
  fileprivate static let fetchDestination = HTTPField.Name("Sec-Fetch-Dest") ?? .origin
}
