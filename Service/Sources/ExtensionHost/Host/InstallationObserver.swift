/// Follows what is installed, on behalf of what depends on it.
public struct InstallationObserver: Sendable {
  /// Returns why a bundle must not be installed or put back; nil if it may.
  let refusal: @Sendable (_ bundle: InstalledBundle) -> String?
  /// Called with a bundle that was installed or put back, or with nil after a removal.
  ///
  /// Returns what the extension's log has to say about it; nil for nothing.
  let change: @Sendable (_ identifier: String, _ bundle: InstalledBundle?) -> String?

  /// Creates an observer, by default one to which everything is right.
  ///
  /// - Parameters:
  ///   - refusal: Returns why a bundle must not be installed or put back; nil if it may.
  ///   - change: Called with a bundle that was installed or put back, or with nil after a removal;
  ///     returns what the extension's log has to say about it, nil for nothing.
  public init(
    refusal: @escaping @Sendable (_ bundle: InstalledBundle) -> String? = { _ in nil },
    change: @escaping @Sendable (_ identifier: String, _ bundle: InstalledBundle?) -> String? = {
      _,
      _ in nil
    }
  ) {
    self.refusal = refusal
    self.change = change
  }

  /// Throws what is wrong with a bundle.
  func check(_ bundle: InstalledBundle) throws(HostError) {
    if let reason = refusal(bundle) { throw HostError(.badBundle, reason) }
  }
}
