internal import BlockingWork
internal import DurableFiles
internal import ExtensionBundles
public import ExtensionMessages
internal import Foundation

/// What a containing app would write for its extensions, which a user writes in its place.
extension AppExtensionHost {
  /// What is written.
  public enum GroupEntry: Equatable, Sendable {
    /// A value of the group's defaults; null removes it.
    case value(MessageValue)
    /// A file in the group's folder.
    case file([UInt8])
  }

  /// Writes into the folder of an application group, after requests of the extension that wait.
  ///
  /// - Parameters:
  ///   - entry: The value or the file.
  ///   - name: The key, or the file's path in the group's folder.
  ///   - group: The group; `nil` for the only one of the extension.
  ///   - identifier: The extension.
  /// - Returns: The path of the file that was written.
  /// - Throws: `ErrorReport`: `SFErrorDomain` 1 if the extension is not installed; of ``HostError``
  ///   with code `.badArgument` for a group or name that cannot be meant, `.refused` for a group of
  ///   another developer, `.file`.
  public func setGroupEntry(
    _ entry: GroupEntry,
    named name: String,
    in group: String?,
    of identifier: String
  ) async throws(ErrorReport) -> String {
    let bundle = try installed(identifier)
    let places: [String: GroupOwners.Place]
    let chosen: String
    do throws(HostError) {
      places = try groups(of: bundle)
      chosen = try Self.group(group, of: places.keys.sorted(), identifier)
    } catch {
      throw error.report
    }
    let containers = containers
    let result: Result<String, ErrorReport> = await inOrder(identifier) {
      do throws(HostError) {
        return .success(
          try await blocking { () throws(HostError) in
            guard let place = places[chosen] else { throw HostError(.file, "\(chosen) is gone") }
            return try containers.write(entry, named: name, group: chosen, at: place)
          }
        )
      } catch {
        return .failure(error.report)
      }
    }
    let path = try result.get()
    log.add("\(name) of the group \(chosen) was set by the user", by: .host, of: identifier)
    return path
  }

  private static func group(
    _ wanted: String?,
    of groups: [String],
    _ identifier: String
  ) throws(HostError) -> String {
    guard !groups.isEmpty else {
      throw HostError(
        .badArgument,
        "\(identifier) has no application group: its entitlements name none"
      )
    }
    let list = groups.joined(separator: ", ")
    guard let wanted else {
      guard groups.count == 1, let only = groups.first else {
        throw HostError(
          .badArgument,
          "\(identifier) has several application groups; choose one with --group: \(list)"
        )
      }
      return only
    }
    guard let found = groups.first(where: { $0.lowercased() == wanted.lowercased() }) else {
      throw HostError(.badArgument, "\(identifier) has no group \(wanted); it has \(list)")
    }
    return found
  }
}

extension ExtensionContainers {
  /// The largest file of defaults.
  private static let defaultsLimits = PropertyListLimits(
    bytes: 16 << 20,
    values: 500_000,
    contents: 64 << 20
  )
  private static let deepestFile = 8

  /// Writes an entry of a group.
  ///
  /// Extensions may have put links into the folder, so none is followed.
  ///
  /// - Returns: The path of the file.
  /// - Throws: ``HostError`` with code `.badArgument` or `.file`.
  func write(
    _ entry: AppExtensionHost.GroupEntry,
    named name: String,
    group: String,
    at place: GroupOwners.Place
  ) throws(HostError) -> String {
    let folder = try folder(place)
    switch entry {
    case .file(let bytes):
      var parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      let areNames = parts.allSatisfy { part in
        !part.isEmpty && part != "." && part != ".." && part.utf8.count <= 255
          && !part.utf8.contains(0)
      }
      guard areNames, parts.count <= Self.deepestFile, let file = parts.popLast() else {
        throw HostError(
          .badArgument,
          "\(name) is not a file's place in a group's folder; write it as lists/blockerList.json"
        )
      }
      var current = folder
      for part in parts { current = try current.ensureFolder(part) }
      try Self.replace(file, in: current, with: Data(bytes))
      return current.path(of: file)
    case .value(let value):
      guard !name.isEmpty, name.utf8.count <= 1_000 else {
        throw HostError(.badArgument, "a key has between 1 and 1,000 bytes")
      }
      let preferences = try folder.ensureFolder("Library").ensureFolder("Preferences")
      let file = group + ".plist"
      var values: [String: Any] = [:]
      let limit = Self.defaultsLimits.bytes
      if let old = try preferences.contents(file, atMost: limit), !old.isEmpty {
        do throws(BundleError) {
          values =
            try PropertyListFile
            .dictionary([UInt8](old), Self.defaultsLimits, what: preferences.path(of: file))
            .mapValues(\.foundation)
        } catch {
          throw HostError(.file, error.message)
        }
      }
      values[name] = try Self.defaultsValue(value, depth: 0)
      guard
        let data = try? PropertyListSerialization.data(
          fromPropertyList: values,
          format: .xml,
          options: 0
        )
      else { throw HostError(.badArgument, "\(name) cannot have this value") }
      try Self.replace(file, in: preferences, with: data)
      return preferences.path(of: file)
    }
  }

  private static func replace(
    _ name: String,
    in folder: Folder,
    with bytes: Data
  ) throws(HostError) {
    do throws(FileFailure) { try folder.replaceFile(name, with: bytes) } catch {
      throw HostError(error)
    }
  }

  /// Returns a value as Foundation's types; `nil` for null, which property lists lack.
  private static func defaultsValue(_ value: MessageValue, depth: Int) throws(HostError) -> Any? {
    guard depth < 32 else { throw HostError(.badArgument, "the value is nested too deep") }
    switch value {
    case .null: return nil
    case .bool(let value): return value
    case .integer(let number): return Int(number)
    case .double(let number): return number
    case .string(let text), .url(let text): return text
    case .data(let bytes): return Data(bytes)
    case .date(let seconds): return Date(timeIntervalSince1970: seconds)
    case .uuid: throw HostError(.badArgument, "defaults have no UUIDs; write it as text")
    case .array(let values):
      var result: [Any] = []
      for value in values {
        guard let element = try defaultsValue(value, depth: depth + 1) else {
          throw HostError(.badArgument, "defaults have no null in arrays")
        }
        result.append(element)
      }
      return result
    case .dictionary(let members):
      var result: [String: Any] = [:]
      for (key, value) in members { result[key] = try defaultsValue(value, depth: depth + 1) }
      return result
    }
  }

  /// The path of a group's folder, which need not exist.
  func path(of place: GroupOwners.Place) -> String {
    guard let fingerprint = place.fingerprint else { return groups.path(of: place.name) }
    return signedGroups.path(of: fingerprint) + "/" + place.name
  }
}

extension SetGroupValue: HostedFunction {
  func run(on host: AppExtensionHost) async throws(ErrorReport) -> Reply {
    let entry: AppExtensionHost.GroupEntry
    switch file {
    case .data(let bytes): entry = .file(bytes)
    default: entry = .value(value ?? .null)
    }
    let path = try await host.setGroupEntry(entry, named: name, in: group, of: identifier)
    return Reply(path: path)
  }
}
