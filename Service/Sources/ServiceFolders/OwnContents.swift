internal import DurableFiles

/// What the service makes inside one of its folders; what else is there is somebody's, who is to keep it.
public struct OwnContents: Sendable {
  private let isFile: @Sendable (String) -> Bool
  private let folder: @Sendable (String) -> OwnContents?
  /// Whether everything is the service's: what an extension wrote, or a copy that can be made again.
  public let isEverything: Bool

  /// Whatever is there.
  private static func everything() -> OwnContents {
    OwnContents(isFile: { _ in true }, folder: { _ in everything() }, isEverything: true)
  }

  private static func files(
    _ isFile: @escaping @Sendable (String) -> Bool,
    folder: @escaping @Sendable (String) -> OwnContents? = { _ in nil }
  ) -> OwnContents {
    OwnContents(isFile: isFile, folder: folder, isEverything: false)
  }

  private static func files(
    _ names: Set<String>,
    folder: @escaping @Sendable (String) -> OwnContents? = { _ in nil }
  ) -> OwnContents {
    files({ names.contains($0) }, folder: folder)
  }

  /// What the service makes in one of its folders, by the folder's name in that of the data.
  ///
  /// - Parameter name: A name for which ``ServiceFolders/isOwn(_:)`` is true.
  /// - Returns: The contents.
  public static func of(_ name: String) -> OwnContents {
    switch name {
    case "States": files { $0.hasSuffix(".json") }
    case "Lists", "link-rules": files { $0.hasPrefix("ContentRuleList-") }
    case "Logs": files { $0.hasSuffix(".log") || $0.hasSuffix(".log.1") }
    case "keys": files(["signing.key", "browser-extension.pem"])
    // One folder of each extension or group, with what it has written.
    case "Containers", "Groups": files([]) { _ in everything() }
    // One folder of each extension, with its versions.
    case "Extensions": files([]) { _ in files(["Versions.json"]) { _ in everything() } }
    case "Subscriptions": files(["State.json", "lock"]) { subscriptions[$0] }
    default: everything()
    }
  }

  private static let subscriptions = [
    "Own": files(["rules.txt", "lock"]),
    // One folder of each list, with its versions.
    "Lists": files([]) { _ in
      files(["lock"]) { _ in
        // Those of `PreparedFiles`; the last three until a list is prepared.
        files([
          "compiled", "map.json", "source.json", "source.txt", "answer.json", "body", "fetched",
        ])
      }
    },
  ]

  /// Whether the service makes a file of a name, or a link that the user has put in its place.
  public func hasFile(_ name: String) -> Bool { isFile(name) || DurableFile.isDraftName(name) }

  /// Returns what the service makes in a folder inside; `nil` if the folder is not its own.
  public func contents(ofFolder name: String) -> OwnContents? {
    DurableFile.isDraftName(name) ? .everything() : folder(name)
  }
}
