/// Splits a script into names, texts and signs.
struct ScriptWords {
  struct Word: Equatable {
    enum Kind: Equatable {
      case name(String)
      /// A text in quotation marks, without escapes resolved.
      case text(String)
      case sign(UInt8)
      case number
    }

    let kind: Kind
    let offset: Int
  }

  private let bytes: [UInt8]
  private var position = 0
  /// The last words, which say whether a slash divides, and whether a name is a member.
  private var previous: [Word.Kind] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The word that was read last.
  var last: Word.Kind? { previous.last }

  /// The name before the dot before the word that was read last; `nil` if there is none.
  var owner: String? {
    guard previous.count >= 3, case .name(let owner) = previous[previous.count - 3] else {
      return nil
    }
    return owner
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func byte(at offset: Int) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
    default: false
    }
  }

  /// Returns the next word; `nil` at the end.
  mutating func next() -> Word? {
    while let byte {
      let start = position
      switch byte {
      case 0x00...0x20: position += 1
      case UInt8(ascii: "/"):
        if skipComment() { continue }
        guard !isDivision else { return sign() }
        skipPattern()
        return note(.text(""), start)
      case UInt8(ascii: "\""), UInt8(ascii: "'"): return note(.text(text(byte)), start)
      case 0x30...0x39:
        skipName()
        return note(.number, start)
      case _ where Self.isNamePart(byte):
        skipName()
        return note(.name(String(decoding: bytes[start..<position], as: UTF8.self)), start)
      default: return sign()
      }
    }
    return nil
  }

  private mutating func note(_ kind: Word.Kind, _ offset: Int) -> Word {
    previous.append(kind)
    if previous.count > 4 { previous.removeFirst() }
    return Word(kind: kind, offset: offset)
  }

  private mutating func sign() -> Word {
    let start = position
    position += 1
    return note(.sign(bytes[start]), start)
  }

  private mutating func skipName() {
    while let byte, Self.isNamePart(byte) { position += 1 }
  }

  /// Whether the word just read is a member of something else than the global object.
  func isMember(_ word: Word) -> Bool {
    guard previous.count >= 2, previous[previous.count - 2] == .sign(UInt8(ascii: ".")) else {
      return false
    }
    guard previous.count >= 3, case .name(let owner) = previous[previous.count - 3] else {
      return true
    }
    return !["globalThis", "window", "self"].contains(owner)
  }

  /// Reads the members behind a name: `.tabs?.create`.
  mutating func chain() -> [String] {
    var names: [String] = []
    while true {
      var ahead = self
      guard var word = ahead.next() else { return names }
      if word.kind == .sign(UInt8(ascii: "?")) {
        guard let dot = ahead.next() else { return names }
        word = dot
      }
      guard word.kind == .sign(UInt8(ascii: ".")), let member = ahead.next(),
        case .name(let name) = member.kind, names.count < 8
      else { return names }
      names.append(name)
      self = ahead
    }
  }

  /// Whether a slash divides here, and begins no pattern.
  private var isDivision: Bool {
    switch previous.last {
    case nil: false
    case .number, .text: true
    case .sign(let sign): sign == UInt8(ascii: ")") || sign == UInt8(ascii: "]")
    case .name(let name): !["return", "typeof", "case", "in", "of", "void"].contains(name)
    }
  }

  private mutating func skipComment() -> Bool {
    switch byte(at: 1) {
    case UInt8(ascii: "/"):
      while let byte, byte != 0x0A { position += 1 }
      return true
    case UInt8(ascii: "*"):
      position += 2
      while position < bytes.count,
        bytes[position] != UInt8(ascii: "*") || byte(at: 1) != UInt8(ascii: "/")
      {
        position += 1
      }
      position = min(position + 2, bytes.count)
      return true
    default: return false
    }
  }

  /// Skips a pattern between slashes; one that does not end on its line is none.
  private mutating func skipPattern() {
    var index = position + 1
    var isInClass = false
    while index < bytes.count, bytes[index] != 0x0A {
      switch bytes[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "/") where !isInClass:
        position = index + 1
        return
      default: break
      }
      index += 1
    }
    position += 1
  }

  /// Reads a text in quotation marks; one that does not end on its line ends there.
  private mutating func text(_ quote: UInt8) -> String {
    position += 1
    let start = position
    while let byte, byte != quote, byte != 0x0A {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    let end = min(position, bytes.count)
    position = min(end + 1, bytes.count)
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}
