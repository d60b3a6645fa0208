internal import ExtensionBundles

/// A row of an older folder's `Settings.plist`.
struct LegacySetting {
  static let fileName = "Settings.plist"
  private static let kinds: Set<String> = [
    "Hidden", "TextField", "CheckBox", "Slider", "PopUpButton", "ListBox", "RadioButtons", "Group",
    "Separator",
  ]

  /// What its scripts get.
  let json: ManifestValue
  /// Whether the user sees it.
  let isShown: Bool

  /// Reads a row; `nil` for one of an unknown kind, or without the key that it needs.
  init?(_ value: PropertyListValue) {
    guard let type = value["Type"]?.string, Self.kinds.contains(type) else { return nil }
    let key = value["Key"]?.string ?? ""
    let isTitle = type == "Group" || type == "Separator"
    guard isTitle || !key.isEmpty else { return nil }
    func number(_ name: String, _ usual: Int) -> ManifestValue {
      switch value[name] {
      case .integer?, .real?, .unsigned?: value[name]?.manifestValue ?? ManifestValue(.null)
      case .string(let text)?:
        Double(text).map { ManifestValue(.number("\($0)")) } ?? Self.whole(usual)
      default: Self.whole(usual)
      }
    }
    let titles = value["Titles"]?.array?.map { $0.string ?? "" } ?? []
    let values = value["Values"]?.array?.map(\.manifestValue) ?? []
    isShown = type != "Hidden"
    json = .object([
      ("type", .string(type == "ListBox" ? "PopUpButton" : type)),
      ("isList", ManifestValue(.bool(type == "ListBox"))), ("key", .string(isTitle ? "" : key)),
      ("title", .string(value["Title"]?.string ?? key)),
      ("value", value["DefaultValue"]?.manifestValue ?? ManifestValue(.null)),
      ("trueValue", value["TrueValue"]?.manifestValue ?? ManifestValue(.bool(true))),
      ("falseValue", value["FalseValue"]?.manifestValue ?? ManifestValue(.bool(false))),
      ("minimum", number("MinimumValue", 0)), ("maximum", number("MaximumValue", 100)),
      ("step", number("StepValue", 1)),
      ("isPassword", ManifestValue(.bool(value["Password"]?.truth ?? false))),
      ("isSecure", ManifestValue(.bool(value["Secure"]?.truth ?? false))),
      ("titles", .strings(Array(titles.prefix(values.count)))),
      ("values", ManifestValue(.array(Array(values.prefix(titles.count))))),
    ])
  }

  private static func whole(_ number: Int) -> ManifestValue {
    ManifestValue(.number(String(number)))
  }
}
