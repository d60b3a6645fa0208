internal import CommandInput
internal import CommandOutput
internal import ContentRules

/// The baseline that `--write-baseline` names, while lists are checked for it.
///
/// Nothing but a baseline is ever replaced: who forgets the file's name gives that of a list.
struct NewBaseline {
  let path: String
  private let names: ListNames
  private var baseline = Baseline()
  /// The lists of this run, with or without findings.
  private var checked: Set<String> = []
  /// Whether the file itself was given as a list.
  private var isList = false

  /// Looks at the place of the file.
  ///
  /// - Throws: ``InputError`` where something else stands there.
  init(path: String) throws(InputError) {
    self.path = path
    names = ListNames(baseline: path)
    try requireReplaceable()
  }

  /// Accepts all warnings and notes of a list that its settings do not leave out.
  mutating func add(
    _ list: String,
    _ text: [UInt8],
    settings: CheckSettings,
    options: ReadingOptions
  ) {
    var settings = settings
    settings.severity = settings.acceptedSeverity
    var filter = FindingFilter(settings: settings)
    var keys = FindingKeys()
    var counts: [FindingKey: Int] = [:]
    _ = RuleListReader.read(text.span, options: options) { diagnostic, rule in
      guard diagnostic.severity < .error, filter.admits(diagnostic, rule, text.span) else { return }
      counts[keys.key(of: diagnostic, in: rule, text.span), default: 0] += 1
    }
    let name = names.name(of: list)
    checked.insert(name)
    baseline.lists[name] = counts
    if let identity = ByteInput.identity(path: list), identity == ByteInput.identity(path: path) {
      isList = true
    }
  }

  /// Writes the file, with what was accepted in lists that were not checked now and are still there.
  ///
  /// - Returns: How many findings of this run are accepted, and how many others stay so.
  /// - Throws: `InputError` where there is something else, `OutputError` where it cannot be written.
  func write() throws -> (accepted: Int, kept: Int) {
    try requireReplaceable()
    var all = baseline
    if ByteInput.identity(path: path) != nil, let old = try? Baseline(path: path) {
      for (list, counts) in old.lists where !checked.contains(list) {
        guard let place = names.path(of: list), ByteInput.identity(path: place) != nil else {
          continue
        }
        all.lists[list] = counts
      }
    }
    try OutputFile.replace(path, with: all.text)
    return (baseline.count, all.count - baseline.count)
  }

  /// Makes sure that no file is lost but a baseline.
  private func requireReplaceable() throws(InputError) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard name != CheckConfiguration.fileName else {
      throw InputError(
        "\(path) is the name of the settings of tickbird check; give the baseline another, such as "
          + "accepted.baseline"
      )
    }
    guard !isList else {
      throw InputError(
        "\(path) is one of the lists that were checked and was left as it is; give the baseline "
          + "another name, such as accepted.baseline"
      )
    }
    // A pipe or a device has nothing to lose, nor has an empty file.
    guard ByteInput.identity(path: path) != nil, let start = try ByteInput(path: path).next(),
      !Baseline.isBaseline(startingWith: start)
    else { return }
    throw InputError(
      "\(path) is no baseline and was left as it is; after --write-baseline comes a file for what is "
        + "accepted, such as accepted.baseline, and then the lists"
    )
  }
}
