internal import ArgumentParser
internal import BrowserAnswering
internal import ExtensionBundles
internal import ExtensionHost
internal import Foundation
internal import NativeMessaging
internal import ServiceFolders
internal import TextOutput

/// The commands' access to grants.
enum BrowserGrants {
  /// The text for an extension that may start the program and nothing else.
  static let nothing =
    "may start this program and ask for nothing; grant it something by name with: "
    + "tickbird browser install --allow ID --for IDENTIFIER"

  /// Returns all grants, by caller.
  static func read() throws -> [String: CallerGrants.Grant] {
    do throws(CallerGrants.Failure) {
      return try BrowserGate.grants(ServiceFolders()).all()
    } catch {
      throw Report.failure(HostError(.file, error.description))
    }
  }

  /// Grants extensions the lists and handlers of others, and notes.
  static func grant(_ ids: [String], _ identifiers: [String], _ pageNotes: Bool) throws {
    guard !ids.isEmpty else { return }
    let folders = ServiceFolders()
    do {
      let store = try BundleStore(directory: folders.data.appending(path: "Extensions"))
      let granted = try identifiers.map { identifier in
        guard let bundle = try store.bundle(identifier), let signer = bundle.signer,
          bundle.extensionPoint == .webExtension
        else {
          throw HostError(
            .notInstalled,
            "no web extension \"\(identifier)\" is installed; install it first, so that it is known "
              + "whose is meant"
          )
        }
        return CallerGrants.WebExtension(
          identifier: identifier,
          signer: signer.fingerprint,
          installation: signer.isUnsigned ? bundle.installation : nil
        )
      }
      for id in ids {
        for family in [BrowserFamily.chromium, .firefox] where family.isExtensionID(id) {
          guard !BrowserGate.isOwn(id, family, folders) else { continue }
          try BrowserGate.grants(folders).change(id, family) { grant in
            for one in granted {
              grant.webExtensions.removeAll { $0.identifier == one.identifier }
              grant.webExtensions.append(one)
            }
            if pageNotes { grant.pageNotes = true }
          }
        }
      }
    } catch let failure as CallerGrants.Failure {
      throw Report.failure(HostError(.file, failure.description))
    } catch {
      throw Report.failure(error)
    }
  }
}

/// `browser disallow`.
struct BrowserDisallow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disallow",
    abstract:
      "Revokes all grants of another extension, and stops browsers from starting the "
      + "program for it.",
    discussion: "The grants end at once, even for open connections."
  )

  @Argument(help: "The id of the extension, as --allow takes it.")
  var ids: [String]

  func validate() throws {
    guard !ids.isEmpty else { throw ValidationError("Give the id of an extension.") }
  }

  func run() throws {
    let folders = ServiceFolders()
    var isRefused = false
    for id in ids {
      let families = [BrowserFamily.chromium, .firefox].filter { $0.isExtensionID(id) }
      guard !families.isEmpty, !families.contains(where: { BrowserGate.isOwn(id, $0, folders) })
      else {
        throw ValidationError("“\(id)” is not the id of another extension than Tickbird's own.")
      }
      for family in families {
        do throws(CallerGrants.Failure) {
          try BrowserGate.grants(folders).change(id, family) { $0 = CallerGrants.Grant() }
        } catch {
          throw Report.failure(HostError(.file, error.description))
        }
      }
      let installations = try BrowserCommand.Options.parse(["--application-id"]).installations
      for browser in Browser.allCases where families.contains(browser.family) {
        for installation in installations {
          switch try installation.uninstall(browser, extensions: [id]) {
          case .absent: continue
          case .refused(let file, let reason):
            isRefused = true
            StandardOutput.line("\(browser.title): left \(file.path): \(reason)")
          case let outcome:
            StandardOutput.line("\(browser.title): \(BrowserCommand.Install.words(outcome))")
          }
        }
      }
      StandardOutput.line("\(id) may ask for nothing")
    }
    if isRefused { throw ExitStatus.refused }
  }
}

extension CallerGrants.Grant {
  /// Describes what is granted; nil for nothing.
  var words: String? {
    var parts = webExtensions.map { "the list and the handler of \($0.identifier)" }
    if pageNotes { parts.append("the notes of pages that it names") }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}
