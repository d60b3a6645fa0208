public import BrowserPackages
internal import BrowserSetup
internal import ExtensionHost
internal import ExtensionMessages
public import Foundation
public import NativeMessaging
internal import PageNotes
public import ServiceFolders

/// Decides which requests of a browser are answered; every request passes it.
///
/// Tickbird's own extension may ask everything. The browser half of an installed web extension may ask
/// for its own handler. Another one may ask only what the user granted it by name; being allowed by a
/// manifest to start this program grants nothing. Registrations and grants are read for each request,
/// so that removing one takes effect at once.
public struct BrowserGate: Sendable {
  /// The decision about a request.
  public enum Verdict: Equatable {
    /// The request is answered, in this encoding.
    case allowed(Data)
    /// The request is refused, for the given reason.
    case refused(String)
  }

  /// The caller, as identified by the browser.
  public let caller: NativeCaller
  /// Whether it is Tickbird's own extension, the only one that receives notifications.
  public let isOwn: Bool
  private let grants: CallerGrants
  private let registrations: WebExtensionRegistrations
  private let data: URL

  /// Creates the gate for a caller.
  public init(_ caller: NativeCaller, _ folders: ServiceFolders) {
    self.caller = caller
    grants = Self.grants(folders)
    registrations = WebExtensionRegistrations(data: folders.data)
    data = folders.data
    isOwn = Self.isOwn(caller.extensionID, caller.family, folders)
  }

  /// Returns a user's grants.
  public static func grants(_ folders: ServiceFolders) -> CallerGrants {
    CallerGrants(file: folders.data.appending(path: "browser/grants.json"))
  }

  /// Returns whether an id is that of Tickbird's own extension, unpacked, packed by the user, or
  /// installed by root.
  public static func isOwn(_ id: String, _ family: BrowserFamily, _ folders: ServiceFolders) -> Bool
  {
    if id == family.ownExtensionID { return true }
    guard family == .chromium else { return false }
    return PackedExtensions(folders).ids.contains(id)
      || SystemSetup.extensionIDs().contains(id)
  }

  /// The requests about an installed web extension.
  private static let webExtensionTypes: Set = ["setContentBlocker", "sendMessage"]
  /// The requests of extensions for Safari about the note of one page.
  private static let pageNoteRequests: Set<NoteRequest.Word> = [
    .check, .add, .update, .delete, .snooze, .leave,
  ]

  private static func isAboutPageNote(_ request: String) -> Bool {
    NoteRequest.Word(rawValue: request).map(pageNoteRequests.contains) ?? false
  }

  /// Decides about a request; unknown requests are allowed only to Tickbird's own extension.
  public func verdict(_ json: Data) -> Verdict {
    if isOwn { return .allowed(json) }
    if let registration = registrations.registration(of: caller) {
      return verdict(json, registration)
    }
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
    // Decoded once and encoded again, so that a duplicate key cannot mean one thing here and
    // another to the answerer.
    guard let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any],
      let plain = try? JSONSerialization.data(withJSONObject: object)
    else { return .refused("the request is not a JSON object") }
    switch (object["type"] as? String, object["request"] as? String) {
    case (let type?, nil) where Self.webExtensionTypes.contains(type):
      let reason = refusal(of: type, object["identifier"] as? String ?? "", grant)
      return reason.map { .refused($0) } ?? .allowed(plain)
    case (nil, "hello"?): return .allowed(plain)
    case (nil, let word?) where Self.isAboutPageNote(word) && grant.pageNotes:
      return .allowed(plain)
    default:
      return .refused(
        "the extension \(id) may not ask this; what it may ask is in: tickbird browser status"
      )
    }
  }

  /// Returns why a request about a web extension is refused; nil if it is granted.
  private func refusal(
    of type: String,
    _ identifier: String,
    _ grant: CallerGrants.Grant
  ) -> String? {
    // Compares bytes: identifiers that Unicode considers equal are different.
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
    // The host reports extensions that are not installed. An extension that belongs to somebody
    // else by now is not the one that the grant was for.
    guard let bundle, bundle.signer != nil else { return nil }
    let owner = ExtensionOwner(signer: granted.signer, installation: granted.installation)
    return bundle.refusal(of: owner).map { reason in
      "\(identifier), which was granted to the extension \(caller.extensionID), \(reason); grant it "
        + "again if that is meant"
    }
  }

  /// Decides about a request of an installed web extension's own browser half.
  ///
  /// It may ask for its own handler, or set its own list, and nothing else. Whose that is, is said here
  /// and not by the request; the host compares it with the bundle.
  private func verdict(_ json: Data, _ registration: WebExtensionRegistration) -> Verdict {
    let words: Set = ["event", "nextMessage", "part", "sendMessage", "setContentBlocker"]
    guard let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any],
      object["request"] == nil, let type = object["type"] as? String, words.contains(type)
    else {
      return .refused(
        "\(registration.identifier) may ask for its own handler alone, through the script that "
          + "Tickbird has put before its own"
      )
    }
    var question: [String: Any] = ["type": type, "identifier": registration.identifier]
    switch type {
    case "event": question["content"] = object
    case "part":
      // Of what its own handler says, and not of Tickbird's lists.
      question["type"] = BrowserScripts.Kind.handlerPart.rawValue
      question["digest"] = object["digest"]
      question["offset"] = object["offset"]
    case "setContentBlocker": question["rules"] = object["rules"] ?? NSNull()
    default: question["message"] = object["message"] ?? NSNull()
    }
    question["question"] = object["question"]
    var owner: [String: Any] = [:]
    owner["signer"] = registration.signer
    owner["installation"] = registration.installation
    question["owner"] = owner
    guard let plain = try? JSONSerialization.data(withJSONObject: question) else {
      return .refused("the request cannot be written again")
    }
    return .allowed(plain)
  }
}

extension PackedExtensions {
  /// Finds the ids of packages that a user has made.
  public init(_ folders: ServiceFolders) {
    self.init(file: folders.data.appending(path: "browser/packed-ids"))
  }
}
