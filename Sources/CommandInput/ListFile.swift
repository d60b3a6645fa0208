package import ContentBlocking
package import ContentRules
internal import RuleCompiler
internal import RuleMatching

/// A rule list in a file: JSON or compiled, plain or gzip.
package struct ListFile {
  /// The file's name as given; "standard input" for `-`.
  package let name: String
  /// Whether the file is a compiled list.
  package let isCompiled: Bool
  /// The list.
  package let list: ContentRuleList
  /// A note to report, if any.
  package var note: String?

  /// The reason why a list cannot be used.
  package enum Failure: Error {
    /// The file cannot be read, or has no list.
    case unreadable(InputError)
    /// WebKit refuses the list.
    case refused(RuleListReport, text: [UInt8])
    /// Compiling would cost too much.
    case exceedsLimits(CompileErrorText)
  }

  /// The message of an exceeded limit.
  package struct CompileErrorText: Sendable {
    /// The rule in question.
    package var rule: Int?
    /// The sentence.
    package var message: String
  }

  /// The most bytes of a compressed list.
  package static let sizeLimit = 1 << 30

  /// A list's JSON text, from a compiled file if it is one.
  package struct Source {
    /// The file's name.
    package var name: String
    /// Whether the file is a compiled list.
    package var isCompiled: Bool
    /// Whether the file is compressed by gzip.
    package var isCompressed: Bool
    /// The text.
    package var text: [UInt8]
  }

  /// Reads the JSON text of a list.
  package static func source(
    path: String,
    sizeLimit: Int = sizeLimit
  ) throws(InputError) -> Source {
    let input = try ByteInput(path: path)
    let bytes = try input.readAll(limit: sizeLimit)
    guard isCompiled(bytes) else {
      return Source(
        name: input.name,
        isCompiled: false,
        isCompressed: input.isCompressed,
        text: bytes
      )
    }
    guard let text = FileLayout.source(ofAnyVersion: bytes) else {
      throw InputError(
        "\(input.name) is a compiled list, but damaged; compile it again from its JSON"
      )
    }
    return Source(
      name: input.name,
      isCompiled: true,
      isCompressed: input.isCompressed,
      text: text
    )
  }

  /// Opens a list to decide loads with.
  ///
  /// Maps a compiled list in a plain file; recompiles one of another version from its source.
  package init(path: String) throws(Failure) {
    let bytes: [UInt8]
    do throws(InputError) {
      let input = try ByteInput(path: path)
      name = input.name
      var start = try input.next() ?? []
      if Self.isCompiled(start), !input.isCompressed, path != "-",
        let mapped = try? CompiledRuleList(mapping: path)
      {
        isCompiled = true
        list = ContentRuleList(identifier: name, compiled: mapped)
        return
      }
      try input.readAll(into: &start, limit: Self.sizeLimit)
      bytes = start
    } catch {
      throw .unreadable(error)
    }
    isCompiled = Self.isCompiled(bytes)
    guard isCompiled else {
      list = try Self.compiled(bytes, name)
      return
    }
    do throws(RuleListError) {
      list = try ContentRuleList(identifier: name, compiledFile: bytes)
    } catch {
      guard case .damaged(let fault) = error, case .unsupportedVersion = fault.code,
        let text = FileLayout.source(ofAnyVersion: bytes)
      else {
        throw .unreadable(
          InputError("\(name) is a compiled list that cannot be used: \(Self.message(of: error))")
        )
      }
      list = try Self.compiled(text, name)
      note =
        "\(name) was compiled by another version; its source was compiled again, and will be at "
        + "each start until you run tickbird compile"
    }
  }

  private static func compiled(
    _ text: [UInt8],
    _ name: String
  ) throws(Failure) -> ContentRuleList {
    do throws(RuleListError) {
      return try ContentRuleList(identifier: name, encodedContentRuleList: text)
    } catch {
      switch error {
      case .refused(let report): throw .refused(report, text: text)
      case .exceedsLimits(let fault):
        throw .exceedsLimits(CompileErrorText(rule: fault.rule, message: fault.message))
      case .damaged(let fault): throw .unreadable(InputError("\(name): \(fault.message)"))
      }
    }
  }

  private static func message(of error: RuleListError) -> String {
    if case .damaged(let fault) = error { fault.message } else { error.message }
  }

  /// Whether bytes begin as a compiled list does.
  package static func isCompiled(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "TICKBIRD".utf8) }
}
