internal import ArgumentParser
internal import CommandInput
internal import ContentBlocking
internal import ContentRules
internal import LanguageServer

/// Checks lists for editors as `tickbird check` does, with the settings beside each.
struct SettledChecker: ListChecking {
  /// The most findings of one code, and of all, that an editor is given.
  private static let limitPerCode = 500
  private static let limit = 2_000

  func check(_ text: [UInt8], path: String?) -> DocumentFindings {
    let (settings, fault) = settings(beside: path)
    let reading = ListReading(
      settings: settings,
      options: ContentRuleList.readingOptions(target: settings.target),
      limitPerCode: max(settings.limit, Self.limitPerCode),
      limit: Self.limit
    )
    let findings = reading.findings(in: text)
    return DocumentFindings(
      diagnostics: findings.kept.map(\.diagnostic),
      omitted: findings.folded,
      settingsFault: fault
    )
  }

  func corrected(_ text: [UInt8], path: String?) -> [UInt8]? {
    let (settings, _) = settings(beside: path)
    let outcome = ListCorrection(settings: settings).corrected(text)
    return outcome.count > 0 ? outcome.text : nil
  }

  /// Returns the settings for a list, or the usual ones and why they cannot be read.
  private func settings(beside path: String?) -> (CheckSettings, fault: String?) {
    guard let path else { return (CheckSettings(), nil) }
    // Without options, so that the file beside the list says everything.
    guard let choice = try? CheckChoice.parse([]) else { return (CheckSettings(), nil) }
    do throws(InputError) {
      var reader = try CheckSettingsReader(choice, readsBaselines: true)
      return (try reader.settings(for: path), nil)
    } catch {
      return (CheckSettings(), error.message)
    }
  }
}
