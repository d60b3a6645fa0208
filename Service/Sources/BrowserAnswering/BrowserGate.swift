public import BrowserPackages
internal import ExtensionHost
public import Foundation
public import NativeMessaging
public import ServiceFolders

/// Which requests of a browser are answered: the one gate that all of them pass.
///
/// Tickbird's own extension may ask everything. Another one may ask what the user granted it by name,
/// and nothing else; that a manifest lets it start this program grants nothing. The grants are looked
/// up for each request, so that one that is taken back ends at once.
public struct BrowserGate: Sendable {
  /// What is decided about a request.
  public enum Verdict: Equatable {
    /// It is answered, going by these bytes.
    case allowed(Data)
    /// Refused, for a reason in a sentence.
    case refused(String)
  }

  /// The caller, as the browser names it.
  public let caller: NativeCaller
  /// Whether it is Tickbird's own extension, which alone is notified of changes without asking.
  public let isOwn: Bool
  private let grants: CallerGrants
  private let data: URL

  /// Takes the caller and the user's folders.
  public init(_ caller: NativeCaller, _ folders: ServiceFolders) {
    self.caller = caller
    grants = Self.grants(folders)
    data = folders.data
    isOwn = Self.isOwn(caller.extensionID, caller.family, folders)
  }

  /// The grants of a user.
  public static func grants(_ folders: ServiceFolders) -> CallerGrants {
    CallerGrants(file: folders.data.appending(path: "browser/grants.json"))
  }

  /// Whether an id is that of Tickbird's own extension, as it is or packed by the user.
  public static func isOwn(_ id: String, _ family: BrowserFamily, _ folders: ServiceFolders) -> Bool
  {
    if id == family.ownExtensionID { return true }
    guard family == .chromium else { return false }
    return PackedExtensions(folders).ids.contains(id)
  }

  /// The requests about an installed web extension.
  private static let webExtensionTypes: Set = ["setContentBlocker", "sendMessage"]
  /// The requests of extensions for Safari about the note of one page.
  private static let pageNoteRequests: Set = [
    "check", "add", "update", "delete", "snooze", "leave",
  ]

  /// Decides about a request; what is not known here is refused to all but the own extension.
  public func verdict(_ json: Data) -> Verdict {
    if isOwn { return .allowed(json) }
    let id = caller.extensionID
    let grant: CallerGrants.Grant
    do throws(CallerGrants.Failure) {
      grant = try grants.grant(to: id, caller.family)
    } catch {
      return .refused(error.description)
    }
    guard !grant.isEmpty else {
      return .refused(
        "nothing is granted to the extension \(id); to let it set the list and ask the handler of an "
          + "installed web extension: tickbird browser install --allow \(id) --for IDENTIFIER"
      )
    }
    // Read once and written again: a key that is there twice must not be one thing here and another
    // to who answers.
    guard let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any],
      let plain = try? JSONSerialization.data(withJSONObject: object)
    else { return .refused("the request is not a JSON object") }
    switch (object["type"] as? String, object["request"] as? String) {
    case (let type?, nil) where Self.webExtensionTypes.contains(type):
      let reason = refusal(of: type, object["identifier"] as? String ?? "", grant)
      return reason.map { .refused($0) } ?? .allowed(plain)
    case (nil, "hello"?): return .allowed(plain)
    case (nil, let word?) where Self.pageNoteRequests.contains(word) && grant.pageNotes:
      return .allowed(plain)
    default:
      return .refused(
        "the extension \(id) may not ask this; what it may ask is in: tickbird browser status"
      )
    }
  }

  /// Why a request about a web extension is refused; nil where it is granted.
  private func refusal(
    of type: String,
    _ identifier: String,
    _ grant: CallerGrants.Grant
  ) -> String? {
    // By bytes: what looks the same to Unicode is another identifier.
    let granted = grant.webExtensions.first { $0.identifier.utf8.elementsEqual(identifier.utf8) }
    guard let granted else {
      return "\(type) for \"\(identifier)\" is not granted to the extension \(caller.extensionID)"
    }
    let bundle: InstalledBundle?
    do throws(HostError) {
      let store = try BundleStore(directory: data.appending(path: "Extensions"))
      bundle = try store.bundle(identifier)
    } catch {
      return "it is unknown whose \(identifier) is: \(error.message)"
    }
    // What is not installed the host says; what is somebody else's by now is not what was meant.
    guard let bundle, let signer = bundle.signer else { return nil }
    if signer.fingerprint != granted.signer, !signer.replaced.contains(granted.signer ?? "") {
      return "\(identifier) is another developer's since it was granted to the extension "
        + "\(caller.extensionID); grant it again if that is meant"
    }
    if signer.isUnsigned, bundle.installation != granted.installation {
      return "\(identifier) was removed and installed again since it was granted to the extension "
        + "\(caller.extensionID), and nobody signed it; grant it again if that is meant"
    }
    return nil
  }
}

extension PackedExtensions {
  /// The ids of packages that a user has made.
  public init(_ folders: ServiceFolders) {
    self.init(file: folders.data.appending(path: "browser/packed-ids"))
  }
}
