internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import PageTexts

/// The language of the pages: what the browser asks for, unless the reader has chosen one.
///
/// The choice is kept in a cookie, which says nothing else, and which no page trusts: a name that is
/// not one of the languages counts for nothing.
struct LanguageChoice: Sendable {
  /// The cookie's name.
  static let cookieName = "tickbird-language"
  private static let life = 365 * 24 * 60 * 60

  let site: Site

  func add(to routes: Routes) { routes.post("/language", in: .extensions) { try choose($0) } }

  /// Returns the texts for whoever sent a request, and whether they chose the language.
  static func texts(for headers: HTTPFields) -> (texts: Texts, isChosen: Bool) {
    let accepted = AcceptedLanguages(headers[values: .acceptLanguage].joined(separator: ","))
    let chosen = chosen(headers)
    return (Texts(.localApp, for: accepted, chosen: chosen), chosen != nil)
  }

  /// Returns the values for the part of the frame where a language is chosen.
  static func values(_ visit: Visit, in section: Site.Section) -> [String: Any] {
    [
      "place": visit.place ?? "/\(section.rawValue)", "isChosen": visit.isLanguageChosen,
      "languages": PageLanguage.allCases.map { language in
        [
          "tag": language.tag, "name": language.name, "direction": language.direction,
          "isCurrent": language == visit.texts.language,
        ] as [String: Any]
      },
    ]
  }

  private func choose(_ visit: Visit) throws -> Response {
    let tag = visit.form["language"]
    guard tag.isEmpty || PageLanguage(rawValue: tag) != nil else {
      throw PageError(.unprocessableContent, visit.texts("language_unknown"))
    }
    var response = site.done(to: Self.place(visit.form["place"]))
    // Unlike the session's, it outlasts the server; so its path cannot be the folder.
    response.headers[.setCookie] =
      "\(Self.cookieName)=\(tag); HttpOnly; SameSite=Strict; Path=/; "
      + "Max-Age=\(tag.isEmpty ? 0 : Self.life)"
    return response
  }

  /// Returns the page that the form was on; the first one if it names none.
  private static func place(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
    let isSection = Site.Section.allCases.contains { section in
      let path = "/\(section.rawValue)"
      return text == path || text.hasPrefix(path + "/") || text.hasPrefix(path + "?")
    }
    return isPlain && isSection ? text : "/\(Site.Section.extensions.rawValue)"
  }

  private static func chosen(_ headers: HTTPFields) -> PageLanguage? {
    for field in headers[values: .cookie] {
      for part in field.split(separator: ";") {
        let part = part.drop { $0 == " " }
        guard part.hasPrefix(cookieName + "=") else { continue }
        return PageLanguage(rawValue: String(part.dropFirst(cookieName.count + 1)))
      }
    }
    return nil
  }
}
