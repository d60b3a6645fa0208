/// A text with filters, and where it came from.
package struct FilterSource: Sendable {
  /// The file's name for messages and accounts.
  package var name: String
  /// How it is read.
  package var dialect: FilterDialect
  /// The bytes of the file, and behind them lines that were joined of several.
  package var text: [UInt8]
  /// How many bytes the file has.
  package let fileSize: Int

  /// Creates a source from its parts.
  package init(name: String, dialect: FilterDialect, text: [UInt8]) {
    self.name = name
    self.dialect = dialect
    self.text = text
    fileSize = text.count
  }
}

/// A line of a source, and whether it is a filter at all.
package struct FilterLine: Sendable {
  /// What a line is, as far as directives decide it.
  package enum Standing: UInt8, Sendable {
    /// To be read as a filter or a comment.
    case ordinary
    /// A directive or a hint, which was followed.
    case directive
    /// `!#safari_cb_affinity`, which has no meaning for one list.
    case affinity
    /// Within an `!#if` that does not hold for Safari.
    case switchedOff
    /// Behind a hint that it is for other platforms.
    case otherPlatform
    /// An `!#include` that was not followed; ``FilterCollection/refusals`` says why.
    case refused
    /// A line that is longer than ``FilterCollectionReader/longestLine``.
    case tooLong
  }

  /// The number of the source in the collection.
  package var source: Int32
  /// The line's number in it, from 1.
  package var number: Int32
  /// Where the line begins, without white space.
  package var start: UInt32
  /// Where it ends, without white space.
  package var end: UInt32
  /// What it is.
  package var standing: Standing

  /// The bytes of the line in its source.
  package var range: Range<Int> { Int(start)..<Int(end) }
}

/// All lines of some lists and of what they include, in the order in which they are read.
package struct FilterCollection: Sendable {
  /// The texts, those included behind those that include them.
  package var sources: [FilterSource] = []
  /// All lines of all texts.
  package var lines: [FilterLine] = []
  /// Why an include was not followed, by the number of its line in ``lines``.
  package var refusals: [Int: String] = [:]
  /// Whether there were more lines than ``FilterCollectionReader/mostLines``, and some are missing.
  package var isCut = false

  /// The text of a source.
  package func text(of line: FilterLine) -> [UInt8] { sources[Int(line.source)].text }
}
