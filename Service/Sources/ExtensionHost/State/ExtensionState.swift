internal import DurableFiles
internal import ExtensionMessages
public import Foundation
internal import ServiceFolders

/// What the user decided about an extension, and its last outcome.
public struct ExtensionState: Codable, Equatable, Sendable {
  /// Whether the user turned it on; false until then.
  public var isOn = false
  /// Whether the user lets it open connections though the bundle has no entitlements.
  public var isNetworkGranted = false
  /// The error of the last reload or request; nil after one that went well.
  public var lastError: FailureRecord?
  /// When the active list was compiled; nil where there is none.
  public var listDate: Date?
  /// Whether the active list was set by a script rather than by the extension's handler.
  public var isListSetByScript = false
  /// Who had signed the extension that all of this, and its container, is about; nil before any of
  /// it was ever decided.
  public internal(set) var owner: Signer?
  /// Which walls stood around its process when it was started last, and which did not, and why; nil
  /// before that.
  public internal(set) var walls: String?

  /// Makes the state of an extension that was just installed.
  public init() {}

  /// Reads a state; what a file of another version lacks is as at first.
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

  /// Whether this is about what somebody signed, and not about another developer's extension of the
  /// same identifier, whose place it took.
  func isAbout(_ signer: Signer?) -> Bool {
    guard let owner else { return true }
    return signer?.continues(owner) ?? false
  }
}

/// An error as it is kept.
public struct FailureRecord: Codable, Equatable, Sendable {
  /// The error's domain.
  public var domain: String
  /// The error's code.
  public var code: Int64
  /// What went wrong, as a sentence.
  public var message: String
  /// Where in the list: line and column from 1, and the place in the JSON tree.
  public var place: String?
  /// When.
  public var date: Date

  /// Takes over an error that happened now.
  init(_ report: ErrorReport, at date: Date) {
    domain = report.domain
    code = report.code
    message = String(report.description.prefix(4000))
    place = report.userInfo[ErrorReport.placeKey]?.string
    self.date = date
  }
}

/// The states of extensions, each in a file of its own that is replaced in one step.
struct StateStore: Sendable {
  private let folder: Folder
  private let reserve: DiskReserve

  init(directory: URL) throws(HostError) {
    folder = try Folder(making: directory.path)
    reserve = DiskReserve(folder: directory.deletingLastPathComponent())
    for name in try folder.names() where name.hasPrefix(DurableFile.draftPrefix) {
      // A file system that cannot be written keeps them, and can still be read.
      try? folder.removeFile(name)
    }
    reserve.keep()
  }

  /// The state of an extension; that of a new one where none is kept.
  ///
  /// - Throws: ``HostError`` with code `.damaged` for a file that cannot be understood, `.file` for
  ///   one that cannot be read now.
  func state(of identifier: String) throws(HostError) -> ExtensionState {
    try Self.state(of: identifier, in: folder)
  }

  /// The state of an extension in a folder that another process may own.
  static func state(
    of identifier: String,
    in folder: Folder
  ) throws(HostError) -> ExtensionState {
    let name = identifier + ".json"
    guard let data = try folder.contents(name, atMost: 1 << 20) else { return ExtensionState() }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    do {
      return try decoder.decode(ExtensionState.self, from: data)
    } catch {
      throw HostError(
        .damaged,
        "\(folder.path(of: name)) is damaged; remove it, and turn the extension on again"
      )
    }
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
    do throws(FileFailure) {
      try reserve.using { () throws(FileFailure) in
        try folder.replaceFile(identifier + ".json", with: data)
      }
    } catch {
      guard error.isLackOfRoom, !state.isOn, let old = try? self.state(of: identifier), old.isOn
      else { throw HostError(error) }
      // An extension without a file is off, and to remove one needs no room. What else was decided
      // about it is at its beginning again, which allows nothing.
      try remove(identifier)
    }
    reserve.keep()
  }

  func remove(_ identifier: String) throws(HostError) {
    try folder.removeFile(identifier + ".json")
    try folder.synchronize()
  }
}
