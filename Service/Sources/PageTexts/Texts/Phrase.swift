internal import ContentRules
internal import Mustache

/// A sentence in the reader's language, with values that others may have written.
///
/// As a value of a template it is plain text, as attributes and titles need it. ``shown`` is for what
/// is read on the page: there each value is isolated, so that it does not turn the sentence around.
public struct Phrase: Sendable, CustomStringConvertible {
  enum Piece: Sendable {
    /// Of the pages' own texts.
    case own(String)
    /// A value, whose direction is its own.
    case value(String)
    /// A message of the program, in English.
    case english(String)
    /// A part of a command or a program.
    case code(String)
  }

  var pieces: [Piece]

  /// The sentence without markup, unescaped.
  public var description: String {
    pieces.map { piece in
      switch piece {
      case .own(let text), .value(let text), .english(let text), .code(let text): text
      }
    }
    .joined()
  }

  /// Whether it says nothing.
  public var isEmpty: Bool { description.isEmpty }

  /// The sentence as markup.
  public var markup: String {
    pieces.map { piece in
      switch piece {
      case .own(let text): Template.escaped(text)
      case .value(let text): "<bdi>\(Template.escaped(DisplayText.lines(text)))</bdi>"
      case .english(let text):
        "<span lang=\"en\" dir=\"ltr\">\(Template.escaped(DisplayText.lines(text)))</span>"
      case .code(let text): "<code dir=\"ltr\">\(Template.escaped(DisplayText.lines(text)))</code>"
      }
    }
    .joined()
  }

  /// The sentence as a template's value that is shown as markup; not for attributes.
  public var shown: any Sendable { Template.constant(markup) }

  /// A text of the program that is in English whatever the reader's language is, such as a diagnostic.
  public static func english(_ text: String) -> Phrase { Phrase(pieces: [.english(text)]) }

  /// A part of a command or a program.
  public static func code(_ text: String) -> Phrase { Phrase(pieces: [.code(text)]) }

  /// Something that others have written, alone.
  public static func value(_ text: String) -> Phrase { Phrase(pieces: [.value(text)]) }
}

/// What can be put into a text: a number, which is written as the reader writes it; something that
/// others have written; or another phrase.
public protocol TextValue: Sendable {
  /// Returns it as a part of a phrase.
  func phrase(_ texts: Texts) -> Phrase
}

extension Int: TextValue {
  /// Returns the number as the reader writes it.
  public func phrase(_ texts: Texts) -> Phrase { Phrase(pieces: [.own(texts.number(self))]) }
}

extension String: TextValue {
  /// Returns the text as a value.
  public func phrase(_ texts: Texts) -> Phrase { .value(self) }
}

extension Phrase: TextValue {
  /// Returns the phrase itself.
  public func phrase(_ texts: Texts) -> Phrase { self }
}
