/// Translates Safari's rule lists to a browser's declarative rules.
///
///     let translation = Translator.translate([ads, privacy], to: .chromium)
///     translation.rules          // what the browser is given
///     translation.lists[0]       // what happened to each rule
///
/// Nothing is dropped silently: each rule has a verdict, also if it does not fit.
/// Documentation/DeclarativeRules.md defines what “exact” promises.
public enum Translator {
  /// Translates lists that are active together.
  ///
  /// - Parameters:
  ///   - lists: The lists, in their order.
  ///   - browser: The browser and its limits.
  /// - Returns: The browser's rules and the verdicts.
  /// - Complexity: O(*n*) for *n* bytes of patterns and domains, and sorting.
  public static func translate(
    _ lists: [DeclarativeList],
    to browser: DeclarativeBrowser = .chromium
  ) -> Translation {
    let best = Assembly(lists, browser, namesParties: true)
    guard best.hasTooMany else { return best.translation }
    // Fewer but less exact rules may cover more.
    let small = Assembly(lists, browser, namesParties: false)
    return best.lostCount <= small.lostCount ? best.translation : small.translation
  }
}
