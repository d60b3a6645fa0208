internal import ArgumentParser

/// What all options have in common that name a file or a folder to write.
enum OutputOption {
  /// Refuses an option that is given without a name, as scripts do with a variable that is not set.
  ///
  /// - Parameters:
  ///   - path: The option's value; `nil` if it is not given.
  ///   - option: The option.
  ///   - kind: What it names.
  /// - Throws: `ValidationError` that names the option.
  static func requireName(
    _ path: String?,
    of option: String,
    naming kind: String = "a file"
  ) throws(ValidationError) {
    guard path?.isEmpty ?? false else { return }
    throw ValidationError("\(option) needs \(kind), and its value is empty.")
  }
}
