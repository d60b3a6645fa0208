internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackServing
internal import NIOCore
internal import PageTexts

/// The parts that all pages share: the frame, the navigation and the notice.
struct Site: Sendable {
  /// The pages.
  enum Section: String, CaseIterable {
    case extensions, gallery, lists, rules, stream, notes

    /// The section's name in the reader's language.
    func title(_ texts: Texts) -> Phrase { texts("section_\(rawValue)") }
  }

  /// The first part of every page's path, without a trailing slash.
  let base: String
  let formSecret: Secret
  let notices = Notices()

  init(_ secrets: Secrets) {
    base = "/\(secrets.folder.text)"
    formSecret = secrets.form
  }

  /// Adds the values that every template may use: addresses and the secret of forms.
  func values(_ own: [String: Any] = [:]) -> [String: Any] {
    own.merging(["base": base, "secret": formSecret.text]) { own, _ in own }
  }

  /// Renders a page in its frame.
  ///
  /// - Parameters:
  ///   - title: The title before the section's name; `nil` for the section itself.
  ///   - section: The section.
  ///   - visit: The request, for its notice.
  ///   - script: The name of the page's script.
  ///   - status: The status.
  ///   - content: The markup.
  /// - Returns: The page.
  func page(
    _ title: Phrase? = nil,
    in section: Section,
    for visit: Visit,
    script: String? = nil,
    status: HTTPResponse.Status = .ok,
    content: String
  ) -> Response {
    let texts = visit.texts
    let notice = notices[visit.query["done"]]
    let own = section.title(texts)
    let links = Section.allCases.map { other in
      [
        "name": other.rawValue, "title": other.title(texts), "isCurrent": other == section,
      ] as [String: Any]
    }
    var values = values([
      "title": title.map { "\($0) – \(own)" } ?? own.description,
      "sections": links, "section": section.rawValue,
    ])
    values.merge(LanguageChoice.values(visit, in: section)) { own, _ in own }
    values["notice"] = notice.map {
      ["text": $0.text.shown, "isWarning": $0.isWarning] as [String: Any]
    }
    values["script"] = script
    values["content"] = content
    return markup(Template.frame(values, in: texts.language), status: status)
  }

  /// Returns plain markup, such as a part of a page that a script requests.
  func markup(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status,
      headers: [.contentType: "text/html; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: text))
    )
  }

  /// Redirects to a page that shows a notice.
  func done(_ text: Phrase? = nil, isWarning: Bool = false, to path: String) -> Response {
    var place = base + path
    if let text {
      place += (path.contains("?") ? "&" : "?") + "done="
      place += notices.add(Notice(text: text, isWarning: isWarning))
    }
    return Response(status: .seeOther, headers: [.location: place])
  }

  /// Returns a file for download.
  func download(_ data: Data, name: String, type: String) -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: type, .contentDisposition: "attachment; filename=\"\(name)\"",
      ],
      body: .init(byteBuffer: ByteBuffer(bytes: data))
    )
  }
}
