internal import ContentRules

/// Writes the fields of an action's text.
struct FieldWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ number: UInt32) {
    for byte in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt32(byte)))) }
  }

  mutating func append(_ text: String) {
    append(UInt32(text.utf8.count))
    bytes += text.utf8
  }

  mutating func append(_ text: String?) {
    bytes.append(text == nil ? 0 : 1)
    if let text { append(text) }
  }

  mutating func append(_ operations: [HeaderOperation]) {
    append(UInt32(operations.count))
    for operation in operations {
      switch operation {
      case .append(let header, let value):
        bytes.append(0)
        append(header)
        append(value)
      case .set(let header, let value):
        bytes.append(1)
        append(header)
        append(value)
      case .remove(let header):
        bytes.append(2)
        append(header)
      }
    }
  }

  mutating func append(_ redirect: Redirect) {
    switch redirect {
    case .extensionPath(let path):
      bytes.append(0)
      append(path)
    case .regexSubstitution(let text):
      bytes.append(1)
      append(text)
    case .url(let url):
      bytes.append(2)
      append(url)
    case .transform(let transform):
      bytes.append(3)
      append(transform)
    }
  }

  private mutating func append(_ transform: URLTransform) {
    append(transform.fragment)
    append(transform.host)
    append(transform.password)
    append(transform.path)
    switch transform.port {
    case nil: bytes.append(0)
    case .remove: bytes.append(1)
    case .set(let port):
      bytes.append(2)
      append(UInt32(port))
    }
    append(transform.query)
    bytes.append(transform.queryTransform == nil ? 0 : 1)
    if let query = transform.queryTransform {
      append(UInt32(query.removeParameters.count))
      for name in query.removeParameters { append(name) }
      append(UInt32(query.addOrReplaceParameters.count))
      for parameter in query.addOrReplaceParameters {
        append(parameter.key)
        bytes.append(parameter.isReplaceOnly ? 1 : 0)
        append(parameter.value)
      }
    }
    append(transform.scheme)
    append(transform.username)
  }
}

/// Reads the fields of an action's text; every call returns `nil` if the text ends too early.
struct FieldReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func byte() -> UInt8? {
    guard offset < bytes.count else { return nil }
    offset += 1
    return bytes[offset - 1]
  }

  mutating func number() -> UInt32? {
    guard bytes.count - offset >= 4 else { return nil }
    offset += 4
    return (1...4).reduce(0) { $0 << 8 | UInt32(bytes[offset - $1]) }
  }

  mutating func text() -> String? {
    guard let count = number(), bytes.count - offset >= count else { return nil }
    offset += Int(count)
    return String(decoding: bytes[offset - Int(count)..<offset], as: UTF8.self)
  }

  /// Reads an optional text.
  mutating func optionalText() -> String?? {
    guard let isPresent = byte() else { return nil }
    return isPresent == 0 ? .some(nil) : text().map { .some($0) }
  }

  /// Reads a count and that many fields.
  private mutating func list<Element>(
    _ element: (inout FieldReader) -> Element?
  ) -> [Element]? {
    guard let count = number(), count <= bytes.count - offset else { return nil }
    var elements: [Element] = []
    for _ in 0..<count {
      guard let next = element(&self) else { return nil }
      elements.append(next)
    }
    return elements
  }

  mutating func headers() -> [HeaderOperation]? {
    list { reader in
      guard let kind = reader.byte(), let header = reader.text() else { return nil }
      if kind == 2 { return .remove(header: header) }
      guard let value = reader.text() else { return nil }
      return kind == 0 ? .append(header: header, value: value) : .set(header: header, value: value)
    }
  }

  mutating func redirect() -> Redirect? {
    switch byte() {
    case 0: text().map { .extensionPath($0) }
    case 1: text().map { .regexSubstitution($0) }
    case 2: text().map { .url($0) }
    case 3: transform().map { .transform($0) }
    default: nil
    }
  }

  private mutating func transform() -> URLTransform? {
    var transform = URLTransform()
    guard let fragment = optionalText(), let host = optionalText(),
      let password = optionalText(), let path = optionalText(), let portKind = byte()
    else { return nil }
    transform.fragment = fragment
    transform.host = host
    transform.password = password
    transform.path = path
    if portKind == 1 { transform.port = .remove }
    if portKind == 2 {
      guard let port = number() else { return nil }
      transform.port = .set(UInt16(truncatingIfNeeded: port))
    }
    guard let query = optionalText(), let hasQueryTransform = byte() else { return nil }
    transform.query = query
    if hasQueryTransform != 0 {
      guard let removed = list({ $0.text() }),
        let added = list({ reader -> QueryKeyValue? in
          guard let key = reader.text(), let isReplaceOnly = reader.byte(),
            let value = reader.text()
          else { return nil }
          return QueryKeyValue(key: key, isReplaceOnly: isReplaceOnly != 0, value: value)
        })
      else { return nil }
      transform.queryTransform = QueryTransform(
        removeParameters: removed,
        addOrReplaceParameters: added
      )
    }
    guard let scheme = optionalText(), let username = optionalText() else { return nil }
    transform.scheme = scheme
    transform.username = username
    return transform
  }
}
