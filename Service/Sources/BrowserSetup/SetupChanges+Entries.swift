internal import DurableFiles
internal import Foundation

/// Values in JSON files that others have written, such as an administrator's policies.
extension SetupChanges {
  /// Puts a value into a JSON file beside what is in it.
  ///
  /// - Parameters:
  ///   - path: The file, which has to be there.
  ///   - keys: The keys that lead to the value; missing objects are made.
  ///   - value: The value, of what JSON can say.
  ///   - limit: The most bytes that the file may have.
  ///   - isEnough: Whether what somebody else has put there does as well.
  /// - Returns: What was done.
  /// - Throws: ``SetupError``; then the file is as it was.
  func merge(
    into path: String,
    _ keys: [String],
    _ value: [String: String],
    limit: Int = limit,
    isEnough: (Any) -> Bool = { _ in false }
  ) throws(SetupError) -> Outcome {
    let place = try checked(path)
    guard case .file(let before) = Self.look(at: place, limit: limit) else {
      return .left(place, reason: "it is not an ordinary file of at most \(limit) bytes")
    }
    guard let object = Self.object(before) else {
      return .left(place, reason: "it is no JSON object that can be changed by a program")
    }
    let wanted = Self.text(value)
    let known = record.entries.firstIndex { $0.path == path && $0.keys == keys }
    if let present = Self.value(object, keys) {
      if Self.text(present) == wanted { return .unchanged(place) }
      guard let known, record.entries[known].values.contains(Self.text(present)) else {
        if isEnough(present) { return .unchanged(place) }
        return .left(place, reason: "it says something else about \(keys.last ?? "it") already")
      }
    }
    guard let after = Self.data(Self.setting(object, keys, value)) else {
      return .left(place, reason: "\(keys.dropLast().joined(separator: ".")) is no object in it")
    }
    guard !isTrial else { return .merged(place) }
    let digest = Self.digest(after)
    if let known {
      // What comes back is the file of before the first change, unless somebody else has changed it.
      if record.entries[known].digest != Self.digest(before) {
        record.entries[known].before = Self.data(Self.removing(object, keys)) ?? before
      }
      record.entries[known].values.append(wanted)
      record.entries[known].digest = digest
    } else {
      record.entries.append(
        .init(path: path, keys: keys, values: [wanted], before: before, digest: digest)
      )
    }
    try save()
    try file { try DurableFile.replace(place, with: after, permissions: .kept) }
    return .merged(place)
  }

  /// Takes a value out again, and gives the file its old bytes if nobody has changed it.
  func takeOut(_ entry: SetupRecord.Entry) throws(SetupError) -> Outcome? {
    let place = try checked(entry.path)
    switch Self.look(at: place) {
    case .absent: return nil
    case .other(let reason): return .left(place, reason: reason)
    case .file(let found):
      if Self.digest(found) == entry.digest {
        guard !isTrial else { return .takenOut(place) }
        try file { try DurableFile.replace(place, with: entry.before, permissions: .kept) }
        return .takenOut(place)
      }
      guard let object = Self.object(found) else {
        return .left(place, reason: "\(Self.changed), and it is no JSON object")
      }
      guard let present = Self.value(object, entry.keys) else { return nil }
      guard entry.values.contains(Self.text(present)),
        let after = Self.data(Self.removing(object, entry.keys))
      else {
        let key = entry.keys.last ?? ""
        return .left(place, reason: "somebody has changed what it says about \(key)")
      }
      guard !isTrial else { return .takenOut(place) }
      try file { try DurableFile.replace(place, with: after, permissions: .kept) }
      return .takenOut(place)
    }
  }

  // MARK: JSON

  /// Reads a file in UTF-8; Foundation would take UTF-16 as well, which browsers do not read.
  static func object(_ data: Data) -> [String: Any]? {
    guard !data.contains(0) else { return nil }
    return try? JSONSerialization.jsonObject(with: data) as? [String: Any]
  }

  private static func text(_ value: Any) -> String {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    guard JSONSerialization.isValidJSONObject(value) else { return "\(value)" }
    let data = (try? JSONSerialization.data(withJSONObject: value, options: options)) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }

  private static func data(_ object: [String: Any]?) -> Data? {
    guard let object else { return nil }
    let options: JSONSerialization.WritingOptions = [
      .prettyPrinted, .sortedKeys, .withoutEscapingSlashes,
    ]
    return (try? JSONSerialization.data(withJSONObject: object, options: options))
      .map { $0 + Data("\n".utf8) }
  }

  private static func value(_ object: [String: Any], _ keys: [String]) -> Any? {
    var value: Any? = object
    for key in keys { value = (value as? [String: Any])?[key] }
    return value
  }

  private static func setting(
    _ object: [String: Any],
    _ keys: [String],
    _ value: Any
  )
    -> [String: Any]?
  {
    guard let first = keys.first else { return nil }
    var object = object
    if keys.count == 1 {
      object[first] = value
      return object
    }
    guard object[first] == nil || object[first] is [String: Any],
      let inner = setting(object[first] as? [String: Any] ?? [:], Array(keys.dropFirst()), value)
    else { return nil }
    object[first] = inner
    return object
  }

  private static func removing(_ object: [String: Any], _ keys: [String]) -> [String: Any] {
    guard let first = keys.first else { return object }
    var object = object
    if keys.count == 1 {
      object[first] = nil
    } else if let inner = object[first] as? [String: Any] {
      object[first] = removing(inner, Array(keys.dropFirst()))
    }
    return object
  }
}
