internal import CodedErrors
internal import ExtensionGallery
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import ListSubscriptions
internal import LoopbackServing
internal import NIOCore
internal import PageNotes
internal import PageTexts
internal import SharedLinks

/// A request, as a page sees it.
struct Visit: Sendable {
  /// The query of the address.
  let query: FormFields
  /// The fields of a form; empty for GET.
  let form: FormFields
  /// The named parameters of the route.
  let parameters: Parameters
  /// What pages say, in the reader's language.
  let texts: Texts
  /// Whether the reader chose that language on a page.
  let isLanguageChosen: Bool
  /// The address of the page after the folder; `nil` for what was not read by GET.
  let place: String?

  /// Takes a request and its form.
  init(_ request: Request, _ context: Routes.Context, form: FormFields, base: String) {
    query = FormFields(urlEncoded: request.uri.query ?? "")
    self.form = form
    parameters = context.parameters
    (texts, isLanguageChosen) = LanguageChoice.texts(for: request.headers)
    let address = request.uri.string
    place =
      request.method == .get && address.hasPrefix(base)
      ? String(address.dropFirst(base.count)) : nil
  }

  /// What the user wrote, or an address names.
  var typed: [String] { [query, form].flatMap { $0.values.values.joined() } }

  /// Returns a parameter of the path, decoded.
  func part(_ name: String) -> String {
    let text = parameters.get(name) ?? ""
    return text.removingPercentEncoding ?? text
  }
}

/// An error shown as a page, with its status.
struct PageError: Error {
  var status: HTTPResponse.Status
  var message: Phrase

  init(_ status: HTTPResponse.Status, _ message: Phrase) {
    self.status = status
    self.message = message
  }

  /// Describes an error in words; those of other parts of the program are English.
  static func message(_ error: any Error, for visit: Visit) -> Phrase {
    let typed = visit.typed
    func sentence(_ text: String) -> String { Self.sentence(text, typed: typed) }
    return switch error {
    case let error as PageError: error.message
    case let error as NoteError: .english(error.sentence)
    case let error as LinkError: .english(sentence(error.message))
    case let error as SubscriptionError: .english(sentence(error.message))
    case let error as GalleryError: .english(sentence(error.message))
    case let error as HostError: .english(sentence(error.description))
    case let error as ErrorReport:
      .english(
        sentence(error.description)
          + (error.userInfo[ErrorReport.placeKey]?.string.map { " It is at \($0)." } ?? "")
      )
    default: .english("\(error)")
    }
  }

  /// Formats a message for a page: with a full stop, and a capital letter if it begins with the program's
  /// own word.
  ///
  /// - Parameters:
  ///   - text: The message. Many begin with a name or an address, which stays as it is.
  ///   - typed: What the user wrote.
  /// - Returns: The sentence.
  static func sentence(_ text: String, typed: [String]) -> String {
    let isEnded = text.last.map { ".!?…".contains($0) } ?? true
    let word = text.prefix { !$0.isWhitespace }
    let isOwn =
      word.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      && !typed.contains { $0.split(whereSeparator: \.isWhitespace).first == word }
    let start = isOwn ? text.prefix(1).uppercased() : String(text.prefix(1))
    return start + text.dropFirst() + (isEnded ? "" : ".")
  }

  static func status(_ error: any Error) -> HTTPResponse.Status {
    switch error {
    case let error as PageError: error.status
    case let error as NoteError where error.code == .unknownNote: .notFound
    case let error as LinkError where error.code == .notFound: .notFound
    case let error as SubscriptionError where error.code == .notFound: .notFound
    case let error as GalleryError where error.code == .notFound: .notFound
    case let error as GalleryError where error.code == .changed: .conflict
    case is GalleryError, is NoteError, is LinkError, is HostError, is ErrorReport,
      is SubscriptionError:
      .unprocessableContent
    default: .internalServerError
    }
  }
}

/// The routes of the pages.
///
/// Everything that changes something is a form sent by POST, and is executed only with the secret
/// that the server puts into its forms.
struct Routes {
  typealias Context = BasicRequestContext
  typealias Handler = @Sendable (Visit) async throws -> Response

  let site: Site
  let router: Router<Context>
  /// The size limit of a form without files, in bytes.
  static let formLimit = 512 * 1024

  func get(_ path: String, in section: Site.Section, _ handler: @escaping Handler) {
    let site = site
    router.get(RouterPath(site.base + path)) { request, context in
      let visit = Visit(request, context, form: FormFields(), base: site.base)
      return await Self.answer(site, section, visit, handler)
    }
  }

  func post(
    _ path: String,
    in section: Site.Section,
    limit: Int = formLimit,
    _ handler: @escaping Handler
  ) {
    let site = site
    router.post(RouterPath(site.base + path)) { request, context in
      let empty = Visit(request, context, form: FormFields(), base: site.base)
      let form: FormFields
      do {
        form = try await Self.form(of: request, limit: limit, empty.texts)
      } catch {
        return await Self.answer(site, section, empty) { _ in throw error }
      }
      guard site.formSecret.matches(form["secret"]) else {
        return await Self.answer(site, section, empty) { visit in
          throw PageError(.forbidden, visit.texts("form_stale"))
        }
      }
      let visit = Visit(request, context, form: form, base: site.base)
      return await Self.answer(site, section, visit, handler)
    }
  }

  private static func form(
    of request: Request,
    limit: Int,
    _ texts: Texts
  ) async throws -> FormFields {
    let tooLarge = PageError(.contentTooLarge, texts("form_too_large", texts.size(limit)))
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
      throw tooLarge
    }
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: limit)
    } catch {
      throw tooLarge
    }
    let type = request.headers[.contentType] ?? ""
    if let boundary = MultipartReader.boundary(of: type) {
      guard let form = MultipartReader.read(Data(body.readableBytesView), boundary: boundary) else {
        throw PageError(.badRequest, texts("form_cut"))
      }
      return form
    }
    guard type.lowercased().hasPrefix("application/x-www-form-urlencoded") else {
      throw PageError(.unsupportedMediaType, texts("form_type"))
    }
    return FormFields(urlEncoded: String(decoding: body.readableBytesView, as: UTF8.self))
  }

  /// Runs a handler; if it throws, answers with a page that shows the error.
  private static func answer(
    _ site: Site,
    _ section: Site.Section,
    _ visit: Visit,
    _ handler: Handler
  ) async -> Response {
    do {
      return try await handler(visit)
    } catch {
      return site.page(
        visit.texts("problem_title"),
        in: section,
        for: visit,
        status: PageError.status(error),
        content: Template.problem(
          site.values([
            "message": PageError.message(error, for: visit).shown, "section": section.rawValue,
            "title": section.title(visit.texts),
          ]),
          in: visit.texts.language
        )
      )
    }
  }
}
