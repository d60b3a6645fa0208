internal import BlockingWork
internal import DurableFiles
public import ExtensionMessages
public import Foundation

/// What an app writes for its extensions, where the app itself cannot run: the defaults and files of
/// an application group.
extension AppExtensionHost {
  /// The largest file that is copied into a group's folder, in bytes.
  private static let mostFileBytes = 256 << 20
  /// How deep a file may be in a group's folder.
  private static let mostNameParts = 16

  /// Returns the folders of an extension's groups; empty if the groups cannot be given to it.
  func groupFolders(of bundle: InstalledBundle) -> [String: URL] {
    guard let places = try? groups(of: bundle) else { return [:] }
    return places.compactMapValues { place in
      (try? containers.folder(place)).map {
        URL(filePath: $0.path, directoryHint: .isDirectory)
      }
    }
  }

  /// Describes an extension's group.
  ///
  /// - Parameters:
  ///   - name: The group; nil for the only one.
  ///   - identifier: The extension.
  /// - Returns: The group's folder and defaults.
  /// - Throws: `SFErrorDomain` 1 if it is not installed, ``HostError/domain``.
  public func describeGroup(
    _ name: String?,
    of identifier: String
  ) throws(ErrorReport) -> GroupDescription {
    let bundle = try installed(identifier)
    do throws(HostError) {
      let (name, folder) = try group(name, of: bundle)
      return GroupDescription(
        group: name,
        path: folder.path,
        values: try GroupDefaults(name, in: folder).messageValues
      )
    } catch {
      throw error.report
    }
  }

  /// Replaces or removes a value among the defaults of an extension's group.
  ///
  /// - Parameters:
  ///   - value: The value; nil to remove it.
  ///   - key: The value's name.
  ///   - name: The group; nil for the only one.
  ///   - identifier: The extension.
  /// - Throws: `SFErrorDomain` 1 if it is not installed; ``HostError/domain``, also while a process
  ///   that uses the group is running, since it writes all the defaults that it has read.
  public func setGroupValue(
    _ value: MessageValue?,
    for key: String,
    in name: String?,
    of identifier: String
  ) throws(ErrorReport) {
    let bundle = try installed(identifier)
    do throws(HostError) {
      let (name, folder) = try group(name, of: bundle)
      let users = [identifier] + (sharers(of: bundle)[name] ?? [])
      if let running = runningExtensions.first(where: users.contains) {
        throw HostError(
          .refused,
          "\(running) is running and writes the defaults of \(name) when it ends; try again then"
        )
      }
      var defaults = try GroupDefaults(name, in: folder)
      try defaults.set(value, for: key)
    } catch {
      throw error.report
    }
    log.add("\"\(key)\" was \(value == nil ? "removed" : "set")", by: .host, of: identifier)
  }

  /// Replaces or removes a file in the folder of an extension's group.
  ///
  /// - Parameters:
  ///   - path: The file's path in the group's folder; folders that are missing are made.
  ///   - source: The file to copy; nil to remove the one that is there.
  ///   - name: The group; nil for the only one.
  ///   - identifier: The extension.
  /// - Throws: `SFErrorDomain` 1 if it is not installed; ``HostError/domain``.
  public func setGroupFile(
    _ path: String,
    to source: URL?,
    in name: String?,
    of identifier: String
  ) async throws(ErrorReport) {
    let bundle = try installed(identifier)
    do throws(HostError) {
      let parts = try Self.parts(path)
      var (group, folder) = try group(name, of: bundle)
      if source != nil, GroupDefaults.isInTheWay(parts, of: group) {
        throw HostError(
          .badArgument,
          "\(path) is where the defaults of \(group) are; set them one by one, without --file"
        )
      }
      for part in parts.dropLast() { folder = try folder.ensureFolder(part) }
      let (target, last) = (folder, parts[parts.count - 1])
      try await blocking { () throws(HostError) in
        guard let source = source?.resolvingSymlinksInPath() else {
          return try target.removeFile(last)
        }
        let bytes = try Folder(path: source.deletingLastPathComponent().path)
          .contents(source.lastPathComponent, atMost: Self.mostFileBytes)
        guard let bytes else { throw HostError(.badArgument, "\(source.path) does not exist") }
        do throws(FileFailure) { try target.replaceFile(last, with: bytes) } catch {
          throw HostError(error)
        }
      }
    } catch {
      throw error.report
    }
    log.add(
      "the group's file \"\(path)\" was \(source == nil ? "removed" : "replaced")",
      by: .host,
      of: identifier
    )
  }

  /// Returns the name and the folder of a group of a bundle.
  private func group(
    _ name: String?,
    of bundle: InstalledBundle
  ) throws(HostError) -> (name: String, folder: Folder) {
    let names = bundle.entitlements?.groups ?? []
    guard let first = names.first else {
      throw HostError(
        .badArgument,
        "\(bundle.identifier) has no application group among its entitlements"
      )
    }
    guard name != nil || names.count == 1 else {
      throw HostError(
        .badArgument,
        "\(bundle.identifier) has several application groups: \(names.joined(separator: ", ")); "
          + "name one with --group"
      )
    }
    let wanted = name ?? first
    guard let place = try groups(of: bundle)[wanted] else {
      throw HostError(
        .badArgument,
        "\(bundle.identifier) has no application group \(wanted), but: "
          + names.joined(separator: ", ")
      )
    }
    return (wanted, try containers.folder(place))
  }

  /// Splits a path in a group's folder.
  private static func parts(_ path: String) throws(HostError) -> [String] {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isFine = parts.allSatisfy {
      !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count <= 255 && !$0.utf8.contains(0)
    }
    guard isFine, parts.count <= mostNameParts else {
      throw HostError(
        .badArgument,
        "\(path) is not the path of a file in the group's folder, such as Lists/rules.json"
      )
    }
    return parts
  }
}
