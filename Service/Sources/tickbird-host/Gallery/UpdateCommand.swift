internal import ArgumentParser
internal import CommandArguments
internal import ExtensionGallery
internal import Foundation
internal import TextOutput

/// Updates installed extensions.
struct UpdateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: CommandAbstract.update,
    discussion: """
      A version that asks for more permissions than the previous one is shown first, and installed \
      only if you agree; with --format json nobody is asked, and only --yes installs it. The \
      status is 1 if an extension could not be updated.

      \(TickbirdHost.exitStatusHelp)
      """
  )

  @OptionGroup var consent: Consent

  @OptionGroup var format: FormatOption

  @Argument(help: "The extensions' identifiers; by default all.")
  var identifiers: [String] = []

  func run() async throws {
    try await GalleryEnvironment.run {
      let results = try await GalleryEnvironment.installer().update(
        identifiers.isEmpty ? nil : identifiers,
        confirm: { offer in
          if format.isJSON { return consent.yes }
          // Without a terminal the update is reported and not installed.
          do { return try consent(offer) } catch is GalleryError { return false }
        }
      )
      if results.isEmpty { Report.complain("no extension is installed") }
      if format.isJSON { try HostOutput.write(json: results.map(UpdateJSON.init)) }
      var isFailed = false
      for result in results {
        if !format.isJSON { StandardOutput.line("\(result.sentence)") }
        BrowserRestarts.tell(result.identifier, format)
        if case .failed = result.outcome { isFailed = true }
      }
      if isFailed { throw ExitStatus.refused }
    }
  }
}

extension UpdateResult {
  /// The result, on one line.
  var sentence: String { "\(identifier): \(Self.words(outcome))" }

  /// Whether the result is not worth reporting.
  var isQuiet: Bool {
    switch outcome {
    case .upToDate, .noSource: true
    case .updated, .moved, .needsConsent, .failed: false
    }
  }

  private static func words(_ outcome: UpdateResult.Outcome) -> String {
    switch outcome {
    case .updated(let from, let to, .waiting):
      "updated from \(from) to \(to); it is started when it is turned on"
    case .updated(let from, let to, _): "updated from \(from) to \(to)"
    case .upToDate: "up to date"
    case .moved(let gallery): "updated from the gallery \(gallery) from now on; up to date"
    case .needsConsent(let version, let requests):
      "version \(version) asks for \(requests.joined(separator: "; ")); install it with: "
        + "tickbird update --yes"
    case .noSource(let reason): "not updated: \(reason)"
    case .failed(let error): "failed: \(error.message)"
    }
  }
}
