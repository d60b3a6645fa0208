internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackServing
internal import NIOCore

/// What all pages share: the frame around them, the way between them, and what was done last.
struct Site: Sendable {
  /// The four pages.
  enum Section: String, CaseIterable {
    case extensions, rules, stream, notes

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
  }

  /// What every page's path begins with, without a slash at its end.
  let base: String
  let formSecret: Secret
  let notices = Notices()

  init(_ secrets: Secrets) {
    base = "/\(secrets.folder.text)"
    formSecret = secrets.form
  }

  /// What every template may use: addresses and the secret of forms.
  func values(_ own: [String: Any] = [:]) -> [String: Any] {
    own.merging(["base": base, "secret": formSecret.text]) { own, _ in own }
  }

  /// A page in its frame.
  ///
  /// - Parameters:
  ///   - title: What the page is about, after the section's name; empty for the section itself.
  ///   - section: Where it belongs.
  ///   - visit: The request that it answers, for what was done before.
  ///   - script: The name of the page's script.
  ///   - status: The status.
  ///   - content: Markup.
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

  /// Markup as it is, such as a part of a page that a script asks for.
  func markup(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status,
      headers: [.contentType: "text/html; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: text))
    )
  }

  /// Leads to a page after something was done, and has it said there.
  func done(_ text: String = "", isWarning: Bool = false, to path: String) -> Response {
    var place = base + path
    if !text.isEmpty {
      place += (path.contains("?") ? "&" : "?") + "done="
      place += notices.add(Notice(text: text, isWarning: isWarning))
    }
    return Response(status: .seeOther, headers: [.location: place])
  }

  /// A file to be kept by the user.
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
