internal import CommandInput
internal import CommandOutput
internal import ContentRules

/// The baseline that `--write-baseline` creates while lists are checked.
///
/// Replaces nothing but a baseline: a user who forgets the file's name would give that of a list.
struct NewBaseline {
  let path: String
  private let names: ListNames
  private var baseline = Baseline()
  /// The lists of this run, with or without findings.
  private var checked: Set<String> = []
  /// Whether the file was given as a list, too.
  private var isList = false

  /// Checks the file's path.
  ///
  /// - Throws: ``InputError`` if another file is there.
  init(path: String) throws(InputError) {
    self.path = path
    names = ListNames(baseline: path)
    try requireReplaceable()
  }

  /// Accepts all warnings and notes of a list that its settings do not exclude.
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

  /// Writes the file; keeps what was accepted in lists that were not checked now but still exist.
  ///
  /// - Returns: The number of findings of this run that are accepted, and of others that stay
  ///   accepted.
  /// - Throws: `InputError` if another file is there, `OutputError` if it cannot be written.
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

  /// Ensures that no file but a baseline is overwritten.
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
    // A pipe, a device or an empty file has nothing to lose.
    guard ByteInput.identity(path: path) != nil, let start = try ByteInput(path: path).next(),
      !Baseline.isBaseline(startingWith: start)
    else { return }
    throw InputError(
      "\(path) is no baseline and was left as it is; after --write-baseline comes a file for what is "
        + "accepted, such as accepted.baseline, and then the lists"
    )
  }
}
