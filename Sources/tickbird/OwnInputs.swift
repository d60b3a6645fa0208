internal import CommandInput
internal import CommandOutput

/// The files that a command reads, which it must not write over.
struct OwnInputs {
  private let paths: [String]

  /// Takes paths; `-` is standard input, and no file.
  init(_ paths: [String]) { self.paths = paths }

  /// Checks that a file can be written, and that it is none of the inputs, by whatever path.
  ///
  /// - Throws: `InputError` or `OutputError`.
  func check(output: String) throws {
    try OutputFile.check(output)
    try refuse(output)
  }

  /// Refuses an output that is one of the inputs; also where the names of outputs are made from another.
  func refuse(_ output: String) throws(InputError) {
    guard let identity = ByteInput.identity(path: output),
      let input = paths.first(where: { ByteInput.identity(path: $0) == identity })
    else { return }
    throw InputError(
      "\(output) is \(input == output ? "read" : "\(input), which is read") by this command; give "
        + "another file for the output"
    )
  }
}
