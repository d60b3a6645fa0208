/// A table of a configuration file.
struct TOMLTable {
  /// Its name; empty for the lines before the first table.
  var name: String
  var line: Int
  var entries: [TOMLEntry] = []
}

/// A key with its value.
struct TOMLEntry {
  var key: String
  var value: TOMLValue
  var line: Int
}

/// The value of a key.
enum TOMLValue: Equatable {
  case string(String)
  case integer(Int)
  case boolean(Bool)
  case strings([String])
}

/// The reason why a file is not a configuration.
struct TOMLFault: Error {
  var line: Int
  var message: String
}

/// Reads the subset of TOML that settings need.
///
/// The subset has tables, bare keys, one-line strings, integers, booleans, arrays of strings and
/// comments. Anything else is refused with its line.
///
/// > Source: TOML 1.0.0. No library for it can be had where this is built.
enum TOMLSubset {
  /// Returns the tables of a text, in its order; the first has no name.
  static func tables(in text: String) throws(TOMLFault) -> [TOMLTable] {
    var reader = Reader(text)
    return try reader.read()
  }

  private struct Reader {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var line = 1

    init(_ text: String) {
      scalars = Array(text.unicodeScalars)
      // Editors on Windows write a byte order mark.
      if scalars.first == "\u{FEFF}" { index = 1 }
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private func fault(_ message: String) -> TOMLFault { TOMLFault(line: line, message: message) }

    mutating func read() throws(TOMLFault) -> [TOMLTable] {
      var tables: [TOMLTable] = []
      var names: Set<String> = []
      var keys: Set<String> = []
      var table = TOMLTable(name: "", line: 1)
      while true {
        try skip(lineEnds: true)
        guard let scalar = next else { return tables + [table] }
        if scalar == "[" {
          index += 1
          let name = try bareKey()
          guard next == "]" else { throw fault("expected ] after the table's name") }
          index += 1
          guard names.insert(name).inserted else { throw fault("[\(name)] stands twice") }
          tables.append(table)
          table = TOMLTable(name: name, line: line)
          keys.removeAll()
        } else {
          let start = line
          let key = try bareKey()
          try skip(lineEnds: false)
          guard next == "=" else { throw fault("expected = after \(key)") }
          index += 1
          try skip(lineEnds: false)
          let value = try value()
          guard keys.insert(key).inserted else {
            throw TOMLFault(line: start, message: "\(key) stands twice")
          }
          table.entries.append(TOMLEntry(key: key, value: value, line: start))
        }
        try skip(lineEnds: false)
        guard next == nil || next == "\n" else { throw fault("expected the end of the line") }
      }
    }

    /// Skips spaces and comments, and line ends if they are allowed here.
    private mutating func skip(lineEnds: Bool) throws(TOMLFault) {
      while let scalar = next {
        switch scalar {
        case " ", "\t": index += 1
        case "\r" where index + 1 < scalars.count && scalars[index + 1] == "\n": index += 1
        case "\n":
          guard lineEnds else { return }
          index += 1
          line += 1
        case "#":
          while let scalar = next, scalar != "\n" {
            if scalar.value < 0x20, scalar != "\t", scalar != "\r" {
              throw fault("a control character stands in the comment")
            }
            index += 1
          }
        default: return
        }
      }
    }

    private mutating func bareKey() throws(TOMLFault) -> String {
      var key = ""
      while let scalar = next, scalar.isASCII,
        scalar.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains(scalar)
      {
        key.unicodeScalars.append(scalar)
        index += 1
      }
      guard !key.isEmpty else { throw fault("expected a name of letters, digits and hyphens") }
      return key
    }

    private mutating func value() throws(TOMLFault) -> TOMLValue {
      switch next {
      case "\"", "'": return .string(try string())
      case "[": return .strings(try strings())
      default:
        var word = ""
        while let scalar = next, !" \t\r\n#,]".unicodeScalars.contains(scalar) {
          word.unicodeScalars.append(scalar)
          index += 1
        }
        if word == "true" || word == "false" { return .boolean(word == "true") }
        let digits = word.hasPrefix("-") || word.hasPrefix("+") ? word.dropFirst() : word[...]
        if digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(word),
          digits.utf8.count == 1 || !digits.hasPrefix("0")
        {
          return .integer(number)
        }
        throw fault(
          word.isEmpty
            ? "expected a value"
            : "\(word) is no value here: write a string in quotation marks, a whole number, true,"
              + " false, or an array of strings"
        )
      }
    }

    private mutating func strings() throws(TOMLFault) -> [String] {
      var strings: [String] = []
      index += 1
      while true {
        try skip(lineEnds: true)
        if next == "]" { break }
        guard next == "\"" || next == "'" else {
          throw fault(next == nil ? "the array has no end" : "an array holds strings here")
        }
        strings.append(try string())
        try skip(lineEnds: true)
        if next == "]" { break }
        guard next == "," else { throw fault("expected , or ] in the array") }
        index += 1
      }
      index += 1
      return strings
    }

    private mutating func string() throws(TOMLFault) -> String {
      guard let quote = next else { throw fault("expected a string") }
      index += 1
      if next == quote, index + 1 < scalars.count, scalars[index + 1] == quote {
        throw fault("strings of several lines are not read here")
      }
      var string = ""
      while let scalar = next, scalar != quote {
        guard scalar.value >= 0x20 && scalar.value != 0x7F || scalar == "\t" else {
          throw fault(
            scalar == "\n" ? "the string has no end" : "a control character stands in the string"
          )
        }
        index += 1
        if scalar == "\\", quote == "\"" {
          string.unicodeScalars.append(try escaped())
        } else {
          string.unicodeScalars.append(scalar)
        }
      }
      guard next == quote else { throw fault("the string has no end") }
      index += 1
      return string
    }

    private mutating func escaped() throws(TOMLFault) -> Unicode.Scalar {
      guard let letter = next else { throw fault("the string has no end") }
      index += 1
      switch letter {
      case "\"", "\\": return letter
      case "b": return "\u{8}"
      case "t": return "\t"
      case "n": return "\n"
      case "f": return "\u{C}"
      case "r": return "\r"
      case "u", "U":
        let count = letter == "u" ? 4 : 8
        let end = min(index + count, scalars.count)
        let digits = String(String.UnicodeScalarView(scalars[index..<end]))
        guard digits.utf8.count == count, digits.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
          let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
        else { throw fault("\\\(letter) must be followed by \(count) hexadecimal digits") }
        index = end
        return scalar
      default:
        throw fault(
          "\\\(letter) is no escape in TOML; in single quotation marks a"
            + " backslash stands for itself"
        )
      }
    }
  }
}
