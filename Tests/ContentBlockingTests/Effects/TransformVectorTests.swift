import ContentBlocking
import ContentRules
import Foundation
import TestSupport
import Testing
import WebURL

/// The recorded vectors of redirects and header changes.
enum TransformVectors {
  static func groups() throws -> [TransformGroup] {
    try JSONDecoder().decode([TransformGroup].self, from: Data(Vectors.bytes("transforms.json")))
  }
}

struct TransformGroup: Decodable {
  var group: String
  var actions: [HeaderAction]?
  var lists: [[HeaderRule]]?
  var cases: [TransformVector]
}

struct TransformVector: Decodable {
  var kind: String?
  var url: String?
  var expect_url: String?
  var url_filter: String?
  var regex_substitution: String?
  var transform: TransformObject?
  var redirect: RedirectObject?
  var extension_base_url: String?
  var before: [String: String]?
  var expect: [String: String?]?

  var effect: Redirect? {
    if let regex_substitution { return .regexSubstitution(regex_substitution) }
    if let transform { return .transform(transform.transform) }
    return redirect?.redirect
  }
}

struct RedirectObject: Decodable {
  var url: String?
  var path: String?
  var regexSubstitution: String?
  var transform: TransformObject?

  enum CodingKeys: String, CodingKey {
    case url, transform
    case path = "extension-path"
    case regexSubstitution = "regex-substitution"
  }

  var redirect: Redirect? {
    if let path { return .extensionPath(path) }
    if let regexSubstitution { return .regexSubstitution(regexSubstitution) }
    if let transform { return .transform(transform.transform) }
    return url.map { .url($0) }
  }
}

struct TransformObject: Decodable {
  struct Query: Decodable {
    struct Parameter: Decodable {
      var key: String
      var value: String
      var replaceOnly: Bool?

      enum CodingKeys: String, CodingKey {
        case key, value
        case replaceOnly = "replace-only"
      }
    }

    var remove: [String]?
    var addOrReplace: [Parameter]?

    enum CodingKeys: String, CodingKey {
      case remove = "remove-parameters"
      case addOrReplace = "add-or-replace-parameters"
    }
  }

  var fragment, host, password, path, port, query, scheme, username: String?
  var queryTransform: Query?

  enum CodingKeys: String, CodingKey {
    case fragment, host, password, path, port, query, scheme, username
    case queryTransform = "query-transform"
  }

  var transform: URLTransform {
    var transform = URLTransform()
    transform.fragment = fragment
    transform.host = host
    transform.password = password
    transform.path = path
    transform.port = port.map { text in UInt16(text).map { .set($0) } ?? .remove }
    transform.query = query
    transform.scheme = scheme
    transform.username = username
    transform.queryTransform = queryTransform.map { query in
      QueryTransform(
        removeParameters: query.remove ?? [],
        addOrReplaceParameters: (query.addOrReplace ?? []).map {
          QueryKeyValue(key: $0.key, isReplaceOnly: $0.replaceOnly ?? false, value: $0.value)
        }
      )
    }
    return transform
  }
}

struct HeaderRule: Decodable {
  var action: HeaderAction
}

struct HeaderAction: Decodable {
  struct Entry: Decodable {
    var operation: String
    var header: String
    var value: String?

    var operationValue: HeaderOperation {
      switch operation {
      case "set": .set(header: header, value: value ?? "")
      case "append": .append(header: header, value: value ?? "")
      default: .remove(header: header)
      }
    }
  }

  var priority: UInt32
  var requestHeaders: [Entry]?

  enum CodingKeys: String, CodingKey {
    case priority
    case requestHeaders = "request-headers"
  }

  var action: ModifyHeaders {
    ModifyHeaders(
      priority: priority,
      requestHeaders: (requestHeaders ?? []).map(\.operationValue)
    )
  }
}

@Suite("Effects against the engine's tests")
struct TransformVectorTests {
  @Test("every URL vector holds")
  func urls() throws {
    var count = 0
    for group in try TransformVectors.groups() where group.actions == nil && group.lists == nil {
      for example in group.cases {
        let url = try #require(example.url.flatMap { WebURL($0) }, "\(group.group)")
        let effect = try #require(example.effect, "\(group.group)")
        let result = effect.apply(
          to: url,
          urlFilter: example.url_filter ?? ".*",
          extensionBaseURL: example.extension_base_url.flatMap { WebURL($0) }
        )
        let expected = try #require(example.expect_url, "\(group.group)")
        #expect((result ?? url).serialized == expected, "\(group.group): \(url)")
        count += 1
      }
    }
    #expect(count >= 12)
  }

  @Test("every header vector holds")
  func headers() throws {
    var count = 0
    for group in try TransformVectors.groups() where group.actions != nil || group.lists != nil {
      let actions = (group.actions ?? []) + (group.lists ?? []).joined().map(\.action)
      for example in group.cases {
        let before = try #require(example.before).sorted { $0.key < $1.key }
        var headers = RequestHeaders(before.map { (name: $0.key, value: $0.value) })
        HeaderChanges.apply(actions: actions.map(\.action), to: &headers)
        for (name, value) in try #require(example.expect) {
          #expect(headers.value(of: name) == value, "\(group.group): \(name)")
          count += 1
        }
      }
    }
    #expect(count >= 9)
  }
}
