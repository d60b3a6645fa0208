public import ContentRules

/// Applies `modify-headers` actions to the headers of a request.
public enum HeaderChanges {
  /// Returns the actions in the order in which they are applied: highest priority first.
  ///
  /// - Parameter actions: The permitted actions of all lists, in the order in which they matched.
  /// - Returns: The same actions; those of the same priority keep their order.
  /// - Complexity: O(*n* log *n*), where *n* is the number of actions.
  public static func sorted(_ actions: [ModifyHeaders]) -> [ModifyHeaders] {
    // `sorted` is not guaranteed to be stable, so the index breaks ties.
    actions.indices
      .sorted { (actions[$1].priority, $0) < (actions[$0].priority, $1) }
      .map { actions[$0] }
  }

  /// Applies actions to the headers of a request, those of the highest priority first.
  ///
  /// Actions of the same priority keep their order. For every header name, in its exact spelling,
  /// the first operation decides about later ones: set and remove act only if they are first,
  /// append acts unless the first was a remove. Response headers are ignored.
  ///
  ///     var headers = RequestHeaders([("Cookie", "a=1")])
  ///     let action = ModifyHeaders(
  ///       priority: 1,
  ///       requestHeaders: [.append(header: "cookie", value: "b=2")]
  ///     )
  ///     HeaderChanges.apply(actions: [action], to: &headers)  // Cookie: a=1; b=2
  ///
  /// - Parameters:
  ///   - actions: The permitted actions of all lists, in the order in which they matched.
  ///   - headers: The request's headers. A field that is set keeps its position and spelling, and
  ///     further fields
  ///     of its name are removed; a new field is appended.
  /// - Complexity: O(*n* log *n*), where *n* is the number of actions, operations and fields.
  ///
  /// > Source: the rule language, section 3.3. WebKit: `ModifyHeadersAction::applyToRequest`,
  /// > `applyResultsToRequest`.
  ///
  /// > Deviation: In WebKit actions of the same priority come in an unspecified order.
  public static func apply(actions: [ModifyHeaders], to headers: inout RequestHeaders) {
    var table = HeaderTable(headers)
    var removesFirst: [[UInt8]: Bool] = [:]
    for action in sorted(actions) {
      for operation in action.requestHeaders {
        let name = Array(operation.header.utf8)
        let first = removesFirst[name]
        switch operation {
        case .append(let header, let value):
          if first == true { continue }
          table.append(value, to: header)
          removesFirst[name] = false
        case .set(let header, let value):
          if first != nil { continue }
          table.set(header, to: value)
          removesFirst[name] = false
        case .remove(let header):
          if first != nil { continue }
          table.remove(header)
          removesFirst[name] = true
        }
      }
    }
    headers = table.headers
  }
}

/// Header fields with look-up by name in constant time.
private struct HeaderTable {
  /// The fields in order; `nil` for removed ones.
  private var fields: [RequestHeaders.Field?]
  /// The indexes of the fields of each name, never empty.
  private var places: [[UInt8]: [Int]] = [:]

  init(_ headers: RequestHeaders) {
    fields = headers.fields.map { $0 }
    for (place, field) in headers.fields.enumerated() {
      places[RequestHeaders.folded(field.name), default: []].append(place)
    }
  }

  var headers: RequestHeaders {
    RequestHeaders(fields.compactMap { $0 })
  }

  mutating func remove(_ name: String) {
    for place in places.removeValue(forKey: RequestHeaders.folded(name)) ?? [] {
      fields[place] = nil
    }
  }

  mutating func set(_ name: String, to value: String) {
    let place = solePlace(of: name)
    fields[place]?.value = value
  }

  /// Appends to the value after `; `, or sets it if it is empty or absent.
  mutating func append(_ value: String, to name: String) {
    let place = solePlace(of: name)
    if fields[place]?.value.isEmpty == false {
      fields[place]?.value += "; "
    }
    fields[place]?.value += value
  }

  /// Returns the index of the only field of a name, after joining several or adding one if there is
  /// none.
  private mutating func solePlace(of name: String) -> Int {
    let key = RequestHeaders.folded(name)
    guard let found = places[key], let place = found.first else {
      fields.append(RequestHeaders.Field(name: name, value: ""))
      places[key] = [fields.count - 1]
      return fields.count - 1
    }
    if found.count > 1 {
      let joined = found.compactMap { fields[$0]?.value }.joined(separator: ", ")
      fields[place]?.value = joined
      for other in found.dropFirst() { fields[other] = nil }
      places[key] = [place]
    }
    return place
  }
}
