/// The syntax that a filter list is written in.
///
/// Adblock Plus, AdGuard and uBlock Origin share most of it, and lists borrow from each other, so a
/// dialect decides only what the three read differently.
package enum FilterDialect: String, CaseIterable, Sendable {
  /// Adblock Plus.
  case abp
  /// AdGuard.
  case adguard
  /// uBlock Origin.
  case ubo
  /// A hosts file, or one domain a line.
  case hosts

  /// The name of the syntax, for people.
  package var name: String {
    switch self {
    case .abp: "Adblock Plus"
    case .adguard: "AdGuard"
    case .ubo: "uBlock Origin"
    case .hosts: "hosts files and lists of domains"
    }
  }

  /// The names that are true in `!#if` when the list is read for Safari.
  var conditionNames: Set<String> {
    switch self {
    case .abp: ["env_safari", "ext_abp"]
    case .adguard: ["env_safari", "adguard", "adguard_ext_safari"]
    case .ubo: ["env_safari", "ext_ublock"]
    case .hosts: []
    }
  }
}
