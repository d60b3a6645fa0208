internal import BrowserPackages
internal import DurableFiles
internal import Foundation
internal import NativeMessaging

/// What is there of a setup whose record was lost.
extension SystemSetup {
  static let unrecorded = """
    setup has no record of having written it; “tickbird setup” takes over what is its own, which --undo \
    then removes, or remove it by hand
    """

  /// The files that are not recorded and let browsers install or use Tickbird, or belong to what does.
  ///
  /// - Returns: Their places, sorted.
  public func remains() -> [String] {
    var paths = [
      Self.packageFile, Self.folder + "/\(InstallationFiles.updates)", Self.idsFile,
      Browser.firefoxExtensions
        + "/\(InstallationFiles.firefoxPackage(id: BrowserIdentity.geckoID))",
    ]
    paths += Browser.allCases.filter { $0.family == .chromium }
      .map { $0.policyFolder + "/" + InstallationFiles.chromiumPolicy }
      .filter { namesPackage($0) }
    paths += Browser.allCases.filter { isHost(Self.hostFile($0), $0) }.map(Self.hostFile)
    let places = Set(paths).sorted().compactMap(place(ofUnrecorded:))
    // A key alone is an administrator's, put there for setups to come.
    guard place(ofUnrecorded: Self.idsFile) != nil, let key = place(ofUnrecorded: keyFile) else {
      return places
    }
    return (places + [key]).sorted()
  }

  /// Where a file is that is not recorded; `nil` if it is recorded, or is not there.
  private func place(ofUnrecorded path: String) -> String? {
    // Undoing goes on whatever a folder has.
    guard !isRecorded(path), let place = try? changes.root.place(path),
      case .file = SetupChanges.look(at: place)
    else { return nil }
    return place
  }

  /// Records a key that setup has made, if the record of it was lost.
  ///
  /// It says nothing of who has made it. But its id is in the file that setup writes beside it; where that is
  /// recorded and the key is not, the key is an administrator's.
  func recordLostKey(_ key: PackingKey, _ place: String) throws {
    guard !isRecorded(keyFile), !isRecorded(Self.idsFile),
      Self.extensionIDs(root: changes.root).contains(key.chromiumID),
      case .file(let found) = SetupChanges.look(at: place)
    else { return }
    try changes.recordFound(keyFile, SetupChanges.digest(found))
    outcome(.takenOver(place))
  }

  private func isHost(_ path: String, _ browser: Browser) -> Bool {
    guard let real = try? changes.root.real(path),
      case .manifest(let manifest) = HostManifest.read(
        URL(filePath: real),
        family: browser.family
      )
    else { return false }
    return manifest.description == BrowserIdentity.hostDescription
  }
}
