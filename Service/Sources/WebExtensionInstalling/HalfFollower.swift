internal import BrowserHalves
public import ExtensionHost
internal import Foundation
internal import NativeMessaging
public import ServiceFolders
internal import WebExtensions

extension InstallationObserver {
  /// Keeps the halves of web extensions in browsers like those that are installed.
  ///
  /// A new version is translated anew under the same ids; one that cannot be translated is refused
  /// before it is installed. What was removed, belongs to another developer by now, or has nothing for
  /// browsers any more, is taken out of browsers.
  public static func halves(_ folders: ServiceFolders) -> InstallationObserver {
    let follower = HalfFollower(folders: folders)
    return InstallationObserver(
      refusal: { follower.refusal(of: $0) },
      change: { follower.follow($0, $1) }
    )
  }
}

/// Follows what is installed of what is added to browsers.
private struct HalfFollower: Sendable {
  let folders: ServiceFolders

  private var registrations: WebExtensionRegistrations {
    WebExtensionRegistrations(data: folders.data)
  }

  /// Returns why a bundle must not take the place of what is added to browsers; nil if it may.
  func refusal(of bundle: InstalledBundle) -> String? {
    guard let files = BundleFiles(bundle),
      let registration = registrations.registration(bundle.identifier)
    else { return nil }
    let identity = ExtensionTranslation.Identity(
      chromiumKey: "",
      geckoID: registration.geckoID,
      hostName: registration.hostName
    )
    do {
      _ = try files.translations(as: identity)
      return nil
    } catch {
      return "\(bundle.identifier) \(bundle.version) cannot be made ready for browsers: "
        + "\(error.message); the installed version stays. To have it without browsers, take it out "
        + "of them first: tickbird browser remove \(bundle.identifier)"
    }
  }

  /// Brings browsers' half to the state of what is installed, and returns what the log has to say.
  func follow(_ identifier: String, _ bundle: InstalledBundle?) -> String? {
    guard let registration = registrations.registration(identifier) else { return nil }
    let program = Bundle.main.executableURL?.resolvingSymlinksInPath()
    let installer = WebExtensionInstaller(
      folders,
      places: BrowserPlaces(),
      program: program ?? URL(filePath: CommandLine.arguments[0])
    )
    do {
      guard let bundle else {
        try installer.remove(identifier)
        return nil
      }
      guard bundle.hasBrowserHalf else {
        try installer.remove(identifier)
        return "it was taken out of browsers, since this version has nothing for them"
      }
      guard bundle.refusal(of: registration.owner) == nil else {
        try installer.remove(identifier)
        return "it was taken out of browsers, since it is another developer's"
      }
      let browsers = registration.browsers.compactMap(Browser.init)
      _ = try installer.add(bundle, to: browsers)
      return
        "version \(bundle.version) was made ready for browsers, which load it at their next start"
    } catch {
      let sentence = "its half for browsers is still that of before: \(error)"
      installer.keep(problem: sentence, of: identifier)
      return sentence
    }
  }
}

extension WebExtensionInstaller {
  /// Keeps what is wrong with an extension's half until it is made anew.
  fileprivate func keep(problem: String, of identifier: String) {
    // The log has it in any case.
    try? inOneGo {
      guard var registration = registrations.registration(identifier) else { return }
      registration.problem = problem
      try registrations.write(registration)
    }
  }
}

extension InstalledBundle {
  /// Whether it is of a kind that has a half for browsers.
  var hasBrowserHalf: Bool { BrowserHalf.exists(in: extensionPoint) }
}
