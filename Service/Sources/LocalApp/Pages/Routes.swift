internal import CodedErrors
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

  /// Returns a parameter of the path, decoded.
  func part(_ name: String) -> String {
    let text = parameters.get(name) ?? ""
    return text.removingPercentEncoding ?? text
  }
}

/// An error shown as a page, with its status.
struct PageError: Error {
  var status: HTTPResponse.Status
  var message: String

  init(_ status: HTTPResponse.Status, _ message: String) {
    self.status = status
    self.message = message
  }

  /// Describes an error in words.
  static func message(_ error: any Error) -> String {
    switch error {
    case let error as PageError: error.message
    case let error as NoteError: error.sentence
    case let error as LinkError: capitalized(error.message)
    case let error as SubscriptionError: capitalized(error.message)
    case let error as HostError: capitalized(error.description)
    case let error as ErrorReport:
      capitalized(error.description)
        + (error.userInfo[ErrorReport.placeKey]?.string.map { " It is at \($0)." } ?? "")
    default: "\(error)"
    }
  }

  /// Formats a message for a page: with a capital letter and a full stop.
  private static func capitalized(_ text: String) -> String {
    let last = text.last.map { ".!?…".contains($0) } ?? true
    return text.prefix(1).uppercased() + text.dropFirst() + (last ? "" : ".")
  }

  static func status(_ error: any Error) -> HTTPResponse.Status {
    switch error {
    case let error as PageError: error.status
    case let error as NoteError where error.code == .unknownNote: .notFound
    case let error as LinkError where error.code == .notFound: .notFound
    case let error as SubscriptionError where error.code == .notFound: .notFound
    case is NoteError, is LinkError, is HostError, is ErrorReport, is SubscriptionError:
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
      let visit = Visit(
        query: FormFields(urlEncoded: request.uri.query ?? ""),
        form: FormFields(),
        parameters: context.parameters
      )
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
      let query = FormFields(urlEncoded: request.uri.query ?? "")
      let parameters = context.parameters
      let empty = Visit(query: query, form: FormFields(), parameters: parameters)
      let form: FormFields
      do {
        form = try await Self.form(of: request, limit: limit)
      } catch {
        return await Self.answer(site, section, empty) { _ in throw error }
      }
      guard site.formSecret.matches(form["secret"]) else {
        return await Self.answer(site, section, empty) { _ in
          throw PageError(
            .forbidden,
            "This form is not of a page that is open now. Nothing was changed. Load the page again."
          )
        }
      }
      let visit = Visit(query: query, form: form, parameters: parameters)
      return await Self.answer(site, section, visit, handler)
    }
  }

  private static func form(of request: Request, limit: Int) async throws -> FormFields {
    let tooLarge = PageError(
      .contentTooLarge,
      "What was sent is larger than \(limit / 1024) KiB, which is the most that is taken here."
    )
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
        throw PageError(.badRequest, "The form did not arrive whole. Send it again.")
      }
      return form
    }
    guard type.lowercased().hasPrefix("application/x-www-form-urlencoded") else {
      throw PageError(.unsupportedMediaType, "Only forms are taken here.")
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
        "Problem",
        in: section,
        for: visit,
        status: PageError.status(error),
        content: Template.problem(
          site.values([
            "message": PageError.message(error), "section": section.rawValue,
            "title": section.title,
          ])
        )
      )
    }
  }
}
