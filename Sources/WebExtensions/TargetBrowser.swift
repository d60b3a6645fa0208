/// A family of browsers that an extension is translated for.
public enum TargetBrowser: String, CaseIterable, Sendable {
  /// Chromium and browsers based on it, which take manifests of version 3 alone.
  case chromium
  /// Firefox, which takes versions 2 and 3.
  case firefox

  /// The name in notes.
  public var title: String {
    switch self {
    case .chromium: "Chromium"
    case .firefox: "Firefox"
    }
  }
}
