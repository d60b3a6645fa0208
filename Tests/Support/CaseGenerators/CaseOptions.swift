/// The options of generated cases.
public struct CaseOptions: Sendable {
  /// The number of rules per list.
  public var ruleCount: ClosedRange<Int> = 1...12
  /// The number of loads per list.
  public var loadCount = 16
  /// How often a rule repeats the trigger or the url filter of an earlier one, in percent.
  public var repetition = 25
  /// How often a pattern matches everything, in percent; four times as often for hiding rules,
  /// where alone it makes a difference.
  public var universalPatterns = 4
  /// How often a trigger has a condition, in percent.
  public var conditions = 30
  /// How often a trigger has flags of a kind, in percent for each kind.
  public var flags = 14
  /// The weights of the nine actions, by their type words.
  public var actionWeights = [
    "block": 30, "block-cookies": 10, "css-display-none": 18, "ignore-previous-rules": 9,
    "ignore-following-rules": 5, "make-https": 9, "notify": 9, "redirect": 5, "modify-headers": 5,
  ]
  /// How often a rule has an `_identifier`, in percent.
  public var identifiers = 6
  /// Whether many hosts and words with common beginnings, endings and cases are used.
  public var hasManyNames = false
  /// Whether to generate patterns that are hard for automata, within reason.
  public var isHostile = false
  /// Whether most patterns are texts that overlap themselves, such as `aaaaaaa`, many with a gap behind them.
  public var hasOverlappingTexts = false
  /// Whether most patterns are of texts that nearly every URL has, such as `https?://`.
  public var hasCommonTexts = false

  /// Creates options for cases of all kinds in their usual mixture.
  public init() {}

  /// Cases in which every third rule is an ignore rule.
  public static var ignoring: Self {
    var options = Self()
    options.actionWeights["ignore-previous-rules"] = 30
    options.actionWeights["ignore-following-rules"] = 15
    return options
  }

  /// Cases in which most rules hide, many of them everywhere.
  public static var hiding: Self {
    var options = Self()
    options.actionWeights["css-display-none"] = 150
    options.universalPatterns = 8
    return options
  }

  /// Cases with a given number of rules, which share hosts and words.
  public static func large(ruleCount: Int) -> Self {
    var options = Self()
    options.ruleCount = ruleCount...ruleCount
    options.loadCount = 64
    options.universalPatterns = 0
    // Otherwise segments would be short, and nearly every load would meet an ignore rule.
    options.actionWeights["ignore-previous-rules"] = 1
    options.actionWeights["ignore-following-rules"] = 1
    options.hasManyNames = true
    return options
  }

  /// Cases in which patterns and URLs have texts that overlap themselves.
  public static var overlapping: Self {
    var options = Self()
    options.hasOverlappingTexts = true
    return options
  }

  /// Cases in which patterns are of texts by which no URL can be told from another.
  public static var common: Self {
    var options = Self()
    options.hasCommonTexts = true
    options.conditions = 60
    return options
  }

  /// Cases whose patterns are hard on automata.
  public static var hostile: Self {
    var options = Self()
    options.ruleCount = 1...6
    options.isHostile = true
    return options
  }
}
