internal import DurableFiles
internal import ExtensionBundles
internal import ExtensionMessages
public import Foundation
internal import ServiceFolders

/// The user's decisions about an extension, and its last outcome.
public struct ExtensionState: Codable, Equatable, Sendable {
  /// Whether the user turned it on; false at first.
  public var isOn = false
  /// Whether the user lets it make connections although the bundle has no entitlements.
  public var isNetworkGranted = false
  /// The error of the last reload or request; nil after a success.
  public var lastError: FailureRecord?
  /// When the active list was compiled; nil if there is none.
  public var listDate: Date?
  /// Whether the active list was set by a script and not by the extension's handler.
  public var isListSetByScript = false
  /// The signer of the extension to which this state and its container belong; nil before the first
  /// decision.
  public internal(set) var owner: Signer?
  /// The walls that confined its process at the last start; nil before that.
  public internal(set) var walls: String?

  /// Creates the state of a new extension.
  public init() {}

  /// Decodes a state; keys that are missing in another version's file have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    isOn = try values.decodeIfPresent(Bool.self, forKey: .isOn) ?? false
    isNetworkGranted = try values.decodeIfPresent(Bool.self, forKey: .isNetworkGranted) ?? false
    lastError = try values.decodeIfPresent(FailureRecord.self, forKey: .lastError)
    listDate = try values.decodeIfPresent(Date.self, forKey: .listDate)
    isListSetByScript = try values.decodeIfPresent(Bool.self, forKey: .isListSetByScript) ?? false
    owner = try values.decodeIfPresent(Signer.self, forKey: .owner)
    walls = try values.decodeIfPresent(String.self, forKey: .walls)
  }

  /// Returns whether this state belongs to what somebody signed, and not to another developer's
  /// extension that it replaced.
  func isAbout(_ signer: Signer?) -> Bool {
    guard let owner else { return true }
    return signer?.continues(owner) ?? false
  }
}

/// A stored error.
public struct FailureRecord: Codable, Equatable, Sendable {
  /// The error's domain.
  public var domain: String
  /// The error's code.
  public var code: Int64
  /// What went wrong, in one sentence.
  public var message: String
  /// The position in the list: line and column from 1, and the path in the JSON tree.
  public var place: String?
  /// When.
  public var date: Date

  /// Creates a record of an error that has just occurred.
  init(_ report: ErrorReport, at date: Date) {
    domain = report.domain
    code = report.code
    message = String(report.description.prefix(4000))
    place = report.userInfo[ErrorReport.placeKey]?.string
    self.date = date
  }
}

/// Stores the states of extensions, each in its own file, which is replaced atomically.
struct StateStore: Sendable {
  private let place: MarkedFolder
  private let reserve: DiskReserve

  init(directory: URL) throws(HostError) {
    place = Self.place(directory)
    reserve = DiskReserve(data: directory.deletingLastPathComponent(), part: directory)
    let folder: Folder
    do throws(HostError) { folder = try place.opened() } catch {
      // Where they are lost, what is asked of them says so, until they are back.
      guard place.hasContents else { throw error }
      return
    }
    for name in try folder.names() where DurableFile.isDraftName(name) {
      // A read-only file system keeps them, and they can still be read.
      try? folder.removeFile(name)
    }
    // Also for what an earlier version wrote, which made no mark.
    if try !Self.names(in: folder).isEmpty { place.noteContents() }
    reserve.keep()
  }

  /// A folder of states that another process may own, and need not be there.
  static func place(_ directory: URL) -> MarkedFolder {
    MarkedFolder(directory, contents: "states of extensions")
  }

  /// Returns the state of an extension; that of a new one if none is stored.
  ///
  /// - Throws: ``HostError`` with code `.damaged` if the file is invalid, `.file` if it cannot be
  ///   read now.
  func state(of identifier: String) throws(HostError) -> ExtensionState {
    try Self.state(of: identifier, in: place.opened())
  }

  /// Returns the state of an extension; nil if the file is invalid.
  ///
  /// - Throws: ``HostError`` with code `.file` if it cannot be read now.
  func undamagedState(of identifier: String) throws(HostError) -> ExtensionState? {
    do throws(HostError) { return try state(of: identifier) } catch {
      guard error.code == .damaged else { throw error }
      return nil
    }
  }

  /// Returns the state of an extension in a folder that another process may own.
  static func state(
    of identifier: String,
    in folder: Folder
  ) throws(HostError) -> ExtensionState {
    let name = identifier + ".json"
    guard let data = try folder.ownFile(name, atMost: 1 << 20) else {
      // It may be among what is lost.
      _ = try identifiers(in: folder)
      return ExtensionState()
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    do {
      return try decoder.decode(ExtensionState.self, from: data)
    } catch {
      throw HostError(
        .damaged,
        "\(folder.path(of: name)) is damaged; turn the extension on or off again"
      )
    }
  }

  /// Returns whose states are in a folder that another process may own, sorted.
  ///
  /// - Throws: ``HostError`` with code `.file`, also if there were some and the folder is empty.
  static func identifiers(in folder: Folder) throws(HostError) -> [String] {
    let place = place(URL(filePath: folder.path))
    return try place.contents { () throws(HostError) in try names(in: folder) }
  }

  private static func names(in folder: Folder) throws(HostError) -> [String] {
    try folder.names().filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
      .filter { ExtensionNames.isBundleIdentifier($0) }.sorted()
  }

  func set(_ state: ExtensionState, of identifier: String) throws(HostError) {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let data: Data
    do {
      data = try encoder.encode(state)
    } catch {
      throw HostError(.file, "the state of \(identifier) cannot be written: \(error)")
    }
    let folder = try openedWhole().folder
    do throws(FileFailure) {
      try reserve.using { () throws(FileFailure) in
        try folder.replaceOwnFile(identifier + ".json", with: data)
      }
    } catch {
      guard error.isLackOfRoom, !state.isOn, let old = try? self.state(of: identifier), old.isOn
      else { throw HostError(error) }
      // On a full disk the file can still be removed, and an extension without one is turned off.
      // Other decisions return to their defaults, which allow nothing.
      try remove(identifier)
      return reserve.keep()
    }
    place.noteContents()
    reserve.keep()
  }

  func remove(_ identifier: String) throws(HostError) {
    let (folder, identifiers) = try openedWhole()
    try place.noteRemoval(of: identifier, among: identifiers)
    try folder.removeFile(identifier + ".json")
    try folder.synchronize()
  }

  /// Opens the folder to change it, unless what was in it is away: a state that is only added to an empty folder, or
  /// not removed from the one that is away, would be another one when that is back.
  private func openedWhole() throws(HostError) -> (folder: Folder, identifiers: [String]) {
    let folder = try place.opened()
    return (folder, try Self.identifiers(in: folder))
  }
}
