/// What a modifier of a network filter says, whatever its spelling.
package enum FilterModifierKind: UInt8, Sendable {
  // Types of loads.
  case script, image, stylesheet, font, media, object, subdocument, xmlhttprequest, websocket
  case ping, other, webrtc, document, popup, popunder, all, inlineScript, inlineFont
  // What an exception lifts on a page.
  case elemhide, generichide, specifichide, genericblock, urlblock
  /// Lifts what WebKit never does: scripts, extended selectors, changes of texts.
  case liftsOthers
  // Conditions.
  case thirdParty, firstParty, strictThirdParty, strictFirstParty, domain, top, to, denyallow,
    method
  case matchCase, important, badfilter
  // What is done instead of blocking.
  case redirect, redirectRule, emptyAnswer, cookie
  case csp, removeparam, permissions, replace, removeheader, header, urlTransform, urlSkip
  case responsePruning, referrerPolicy, stealth
  // Conditions that WebKit cannot test.
  case app, dns, address, cname, reason, noop
  case unknown

  /// Whether it names a type of loads, or all.
  package var isType: Bool { rawValue <= Self.inlineFont.rawValue }

  /// Whether it names domains of pages: of the document that makes a load, or of the one in the window.
  package var namesPages: Bool { self == .domain || self == .top }

  /// Returns what a name says; ``unknown`` for a name that no blocker has.
  static func named(_ name: ArraySlice<UInt8>) -> FilterModifierKind {
    guard name.count <= 24 else { return .unknown }
    if name.allSatisfy({ $0 == UInt8(ascii: "_") }) { return .noop }
    return table[String(decoding: name, as: UTF8.self).lowercased()] ?? .unknown
  }

  private static let table: [String: FilterModifierKind] = {
    var table: [String: FilterModifierKind] = [:]
    func add(_ kind: FilterModifierKind, _ names: String) {
      for name in names.split(separator: " ") { table[String(name)] = kind }
    }
    add(.script, "script")
    add(.image, "image background")
    add(.stylesheet, "stylesheet css")
    add(.font, "font")
    add(.media, "media")
    add(.object, "object object-subrequest object_subrequest")
    add(.subdocument, "subdocument frame")
    add(.xmlhttprequest, "xmlhttprequest xhr")
    add(.websocket, "websocket")
    add(.ping, "ping beacon")
    add(.other, "other")
    add(.webrtc, "webrtc")
    add(.document, "document doc")
    add(.popup, "popup")
    add(.popunder, "popunder")
    add(.all, "all")
    add(.inlineScript, "inline-script")
    add(.inlineFont, "inline-font")
    add(.elemhide, "elemhide ehide")
    add(.generichide, "generichide ghide")
    add(.specifichide, "specifichide shide")
    add(.genericblock, "genericblock")
    add(.urlblock, "urlblock")
    add(.liftsOthers, "content jsinject extension")
    add(.thirdParty, "third-party 3p")
    add(.firstParty, "first-party 1p")
    add(.strictThirdParty, "strict-third-party strict3p")
    add(.strictFirstParty, "strict-first-party strict1p")
    add(.domain, "domain from")
    add(.top, "top")
    add(.to, "to")
    add(.denyallow, "denyallow")
    add(.method, "method")
    add(.matchCase, "match-case")
    add(.important, "important")
    add(.badfilter, "badfilter")
    add(.redirect, "redirect rewrite")
    add(.redirectRule, "redirect-rule")
    add(.emptyAnswer, "empty mp4")
    add(.cookie, "cookie")
    add(.csp, "csp")
    add(.removeparam, "removeparam queryprune")
    add(.permissions, "permissions")
    add(.replace, "replace")
    add(.removeheader, "removeheader")
    add(.header, "header responseheader requestheader")
    add(.urlTransform, "urltransform uritransform")
    add(.urlSkip, "urlskip")
    add(.responsePruning, "hls jsonprune xmlprune trusted-types")
    add(.referrerPolicy, "referrerpolicy")
    add(.stealth, "stealth")
    add(.app, "app network tag")
    add(.dns, "dnsrewrite dnstype client ctag")
    add(.address, "ipaddress")
    add(.cname, "cname")
    add(.reason, "reason")
    add(.noop, "noop")
    return table
  }()
}
