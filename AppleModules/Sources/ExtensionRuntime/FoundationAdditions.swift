// Parts of Apple's Foundation that Linux lacks and handlers use, under Apple's names.
public import Foundation
import Synchronization

extension FileManager {
  /// Returns the folder that the extensions and apps of an application group share.
  ///
  /// An app gets the folder of any group of its user, which is created if necessary.
  ///
  /// - Returns: The folder; `nil` for an extension without the entitlement.
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
    ApplicationGroups.path(of: groupIdentifier).map {
      URL(fileURLWithPath: $0, isDirectory: true)
    }
  }

  /// The account signed in to iCloud: none.
  public var ubiquityIdentityToken: (any NSCoding & NSCopying & NSObjectProtocol)? { nil }
}

/// The groups of this process, which the request names.
package enum ApplicationGroups {
  private static let containers = Mutex<[String: String]>([:])

  package static func set(_ new: [String: String]) {
    containers.withLock { $0 = new }
  }

  package static func path(of group: String) -> String? {
    if let path = containers.withLock({ $0[group] }) { return path }
    guard !HostConnection.isExtension, let path = pathForApps(group) else { return nil }
    containers.withLock { $0[group] = path }
    return path
  }

  /// Returns the folder of a group: that of the developer who has it, else that of unsigned
  /// extensions, since an app is unsigned, too.
  ///
  /// The developer's takes precedence, so that an unsigned extension cannot read an app's data by
  /// naming its group.
  private static func place(of group: String, in data: String) -> String {
    let signed = "\(data)/SignedGroups"
    let owners = (try? FileManager.default.contentsOfDirectory(atPath: signed)) ?? []
    let folders = owners.sorted().map { "\(signed)/\($0)/\(group)" }
    return folders.first { FileManager.default.fileExists(atPath: $0) }
      ?? "\(data)/Groups/\(group)"
  }

  /// Returns the folder of a group, after linking its defaults to where `UserDefaults` looks for
  /// them.
  private static func pathForApps(_ group: String) -> String? {
    let parts = group.split(separator: ".", omittingEmptySubsequences: false)
    let isName =
      parts.count >= 2 && group.utf8.count <= 150
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
              || scalar == "-" || scalar == "_"
          }
      }
    guard isName else { return nil }
    let environment = ProcessInfo.processInfo.environment
    func folder(_ variable: String) -> String? {
      environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let home = folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser.path
    let data =
      folder("TICKBIRD_HOME").map { $0 + "/data" }
      ?? (folder("XDG_DATA_HOME") ?? home + "/.local/share") + "/tickbird"
    let path = place(of: group, in: data)
    let preferences = path + "/Library/Preferences"
    do {
      try FileManager.default.createDirectory(
        atPath: preferences,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    } catch {
      return nil
    }
    let configuration = folder("XDG_CONFIG_HOME") ?? home + "/.config"
    try? FileManager.default.createDirectory(
      atPath: configuration,
      withIntermediateDirectories: true
    )
    // Keeps an app's own file of that name.
    try? FileManager.default.createSymbolicLink(
      atPath: "\(configuration)/\(group).plist",
      withDestinationPath: "\(preferences)/\(group).plist"
    )
    return path
  }

  /// Synchronises the shared and the process's own defaults.
  ///
  /// On Linux, changes reach the file, and changes of other processes reach this one, only by
  /// `synchronize()`. On Apple systems a daemon does that, so handlers do not.
  package static func synchronizeDefaults() {
    for group in containers.withLock({ $0.keys.sorted() }) {
      _ = UserDefaults(suiteName: group)?.synchronize()
    }
    _ = UserDefaults.standard.synchronize()
    _ = NSUbiquitousKeyValueStore.default.synchronize()
  }
}

/// Runs a body; there is no pool to drain without Objective-C.
@discardableResult
public func autoreleasepool<Result, Failure: Error>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}

/// The time in seconds since 2001-01-01 00:00:00 UTC.
public func CFAbsoluteTimeGetCurrent() -> Double {
  Date.timeIntervalSinceReferenceDate
}

extension URL {
  /// The user's documents folder.
  public static var documentsDirectory: URL { folder(.documentDirectory) }
  /// The folder for caches.
  public static var cachesDirectory: URL { folder(.cachesDirectory) }
  /// The folder for an app's own files.
  public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory) }

  private static func folder(_ directory: FileManager.SearchPathDirectory) -> URL {
    FileManager.default.urls(for: directory, in: .userDomainMask).first
      ?? URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
  }
}

/// An out parameter for errors: `&error` with `var error: NSError?` makes one.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

extension JSONSerialization {
  /// Writes an object as JSON to an open stream.
  ///
  /// - Returns: The number of bytes written; 0 after an error.
  @discardableResult
  public class func writeJSONObject(
    _ obj: Any,
    to stream: OutputStream,
    options opt: JSONSerialization.WritingOptions = [],
    error: NSErrorPointer = nil
  ) -> Int {
    do {
      let bytes = [UInt8](try data(withJSONObject: obj, options: opt))
      var written = 0
      while written < bytes.count {
        let rest = Array(bytes[written...])
        let count = unsafe stream.write(rest, maxLength: rest.count)
        guard count > 0 else {
          throw stream.streamError ?? CocoaError(.fileWriteUnknown)
        }
        written += count
      }
      return written
    } catch let failure {
      unsafe error?.pointee = failure as NSError
      return 0
    }
  }
}

extension String {
  /// Looks up a text in the bundle's string tables.
  ///
  /// - Returns: The translation, or the key itself.
  public init(
    localized key: String,
    table: String? = nil,
    bundle: Bundle? = nil,
    comment: StaticString? = nil
  ) {
    self = (bundle ?? .main).localizedString(forKey: key, value: key, table: table)
  }
}

extension UserDefaults {
  /// The value of a key, as ``object(forKey:)`` gives it: there is no key-value coding here.
  public func value(forKey key: String) -> Any? { object(forKey: key) }

  /// Sets a value, as ``set(_:forKey:)`` does.
  public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}
