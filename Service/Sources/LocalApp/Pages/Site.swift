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
    case extensions, lists, rules, stream, notes

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
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
  ///   - title: The title after the section's name; empty for the section itself.
  ///   - section: The section.
  ///   - visit: The request, for its notice.
  ///   - script: The name of the page's script.
  ///   - status: The status.
  ///   - content: The markup.
  /// - Returns: The page.
  func page(
    _ title: String,
    in section: Section,
    for visit: Visit,
    script: String? = nil,
    status: HTTPResponse.Status = .ok,
    content: String
  ) -> Response {
    let notice = notices[visit.query["done"]]
    let links = Section.allCases.map { other in
      ["name": other.rawValue, "title": other.title, "isCurrent": other == section] as [String: Any]
    }
    var values = values([
      "title": title.isEmpty ? section.title : "\(title) – \(section.title)",
      "sections": links, "section": section.rawValue,
    ])
    values["notice"] = notice.map { ["text": $0.text, "isWarning": $0.isWarning] as [String: Any] }
    values["script"] = script
    values["content"] = content
    return markup(Template.frame(values), status: status)
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
  func done(_ text: String = "", isWarning: Bool = false, to path: String) -> Response {
    var place = base + path
    if !text.isEmpty {
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
