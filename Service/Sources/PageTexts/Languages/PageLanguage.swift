/// A language that pages are written in.
public enum PageLanguage: String, CaseIterable, Sendable {
  case english = "en"
  case german = "de"
  case japanese = "ja"
  case arabic = "ar"

  /// The language of pages whose reader asks for none of them.
  public static let standard = PageLanguage.english

  /// Its tag, as in `lang`.
  public var tag: String { rawValue }

  /// Its name in itself.
  public var name: String {
    switch self {
    case .english: "English"
    case .german: "Deutsch"
    case .japanese: "日本語"
    case .arabic: "العربية"
    }
  }

  /// The direction of its writing, as in `dir`.
  public var direction: String { self == .arabic ? "rtl" : "ltr" }
}
