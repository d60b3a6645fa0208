public import Foundation

/// Parses dates as feeds write them, which is often not as the standards require.
public enum FeedDate {
  /// Parses a date of RFC 822 or RFC 3339, or a common misspelling of one.
  ///
  /// Day names are ignored in any language. Years have two or four digits. Seconds, zone and even
  /// the time may be missing; the zone is then UTC, the time midnight.
  ///
  /// - Returns: nil when it is not a date, or when the day is beyond the month's end.
  public static func parse(_ text: String) -> Date? {
    let scalars = Array(text.utf8.prefix(100))
    let digits = scalars.drop { $0.isBlank }.prefix(5)
    // Nothing but an RFC 3339 date begins with four digits and a hyphen.
    if digits.count == 5, digits.dropLast().allSatisfy(\.isDigit), digits.last == 0x2D {
      return internet(scalars)
    }
    return mail(text)
  }

  // MARK: RFC 3339

  /// Parses `2026-11-21T12:31:26.5+01:00`; the T may be a space, and anything after the day may be
  /// missing.
  private static func internet(_ bytes: [UInt8]) -> Date? {
    var reader = DigitReader(bytes)
    reader.skipBlanks()
    guard let year = reader.number(digits: 4...4), reader.take("-"),
      let month = reader.number(digits: 1...2), reader.take("-"),
      let day = reader.number(digits: 1...2)
    else { return nil }
    var clock = Clock()
    if reader.take("T") || reader.take("t") || reader.blanks() {
      clock = reader.clock() ?? clock
    }
    reader.skipBlanks()
    let offset = zone(String(decoding: reader.rest, as: UTF8.self)) ?? 0
    return date(year, month, day, clock, offset: offset)
  }

  // MARK: RFC 822

  /// Parses `Sat, 21 Nov 2026 12:31:26 +0100` and its variants.
  private static func mail(_ text: String) -> Date? {
    let separators: Set<Character> = [",", ";", "(", ")", "/"]
    let words = text.prefix(100).split { $0.isWhitespace || separators.contains($0) }.map(
      String.init
    )
    var numbers: [Int] = []
    var month: Int?
    var clock: Clock?
    var offset: Int?
    var year: Int?
    for word in words {
      var parts = [word]
      // 21-Nov-2026, 21.11.2026
      let pieces = word.split { $0 == "-" || $0 == "." }.map(String.init)
      if pieces.count == 3, pieces[0].first?.isNumber == true { parts = pieces }
      for part in parts {
        if part.contains(":"), clock == nil {
          var reader = DigitReader(Array(part.utf8))
          clock = reader.clock()
          if clock != nil, !reader.rest.isEmpty {
            offset = zone(String(decoding: reader.rest, as: UTF8.self))
          }
        } else if let number = Int(part.prefix { $0.isASCII && $0.isNumber }),
          part.first?.isNumber == true, part.count <= 4
        {
          if part.count == 4, year == nil { year = number } else { numbers.append(number) }
        } else if clock != nil, let found = zone(part) {
          offset = offset ?? found
        } else if clock != nil, ["pm", "am"].contains(part.lowercased()) {
          clock?.setHalf(afternoon: part.lowercased() == "pm")
        } else if part.first?.isLetter == true {
          // The last match wins: the weekday "mardi" or "mar." also looks like March.
          month = monthNumber(part) ?? month
        }
      }
    }
    guard let day = numbers.first else { return nil }
    var rest = numbers.dropFirst()
    if month == nil { month = rest.popFirst() }
    if year == nil { year = rest.popFirst().map { $0 < 70 ? 2000 + $0 : 1900 + $0 } }
    guard let month, let year else { return nil }
    return date(year, month, day, clock ?? Clock(), offset: offset ?? 0)
  }

  /// Returns the month whose name begins like the word, in the languages that feeds are known to
  /// use.
  private static func monthNumber(_ word: String) -> Int? {
    let folded = word.lowercased().folding(options: .diacriticInsensitive, locale: nil)
    for (number, beginnings) in months.enumerated()
    where beginnings.contains(where: { folded.hasPrefix($0) }) {
      return number + 1
    }
    return nil
  }

  private static let months = [
    ["jan", "gen", "ene"], ["feb", "fev", "fevr"], ["mar", "maer", "mrt"],
    ["apr", "avr", "abr"], ["may", "mai", "mag", "mei", "maj"], ["jun", "juin", "giu"],
    ["jul", "juil", "lug"], ["aug", "aou", "ago"], ["sep", "set"], ["oct", "okt", "ott", "out"],
    ["nov"], ["dec", "dez", "dic"],
  ]

  /// Parses a zone (`+0100`, `+01:00`, `GMT`, `EST`, `Z` …) to seconds east of Greenwich; nil for
  /// anything else.
  private static func zone(_ text: String) -> Int? {
    let word = text.trimmingWhitespace().uppercased()
    for prefix in ["GMT", "UTC"] where word.hasPrefix(prefix) && word.count > 3 {
      return zone(String(word.dropFirst(3)))
    }
    if let sign = word.first, sign == "+" || sign == "-" {
      let digits = word.dropFirst().filter { $0 != ":" }.prefix { $0.isASCII && $0.isNumber }
      guard let number = Int(digits), digits.count <= 4 else { return nil }
      let hours = digits.count <= 2 ? number : number / 100
      let minutes = digits.count <= 2 ? 0 : number % 100
      guard hours <= 18, minutes < 60 else { return nil }
      return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
    return zones[word].map { $0 * 3600 }
  }

  private static let zones = [
    "Z": 0, "GMT": 0, "UT": 0, "UTC": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7,
    "MDT": -6, "PST": -8, "PDT": -7, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "CEST": 2, "MEZ": 1,
    "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "JST": 9, "AEST": 10, "AEDT": 11,
  ]

  // MARK: Calendar

  /// A time of day.
  fileprivate struct Clock {
    var hour = 0
    var minute = 0
    var second = 0.0

    mutating func setHalf(afternoon: Bool) {
      guard hour <= 12 else { return }
      hour = hour % 12 + (afternoon ? 12 : 0)
    }
  }

  private static func date(
    _ year: Int,
    _ month: Int,
    _ day: Int,
    _ clock: Clock,
    offset: Int
  )
    -> Date?
  {
    guard (1970...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= days(in: month, of: year), clock.hour <= 24, clock.minute < 60, clock.second < 61
    else { return nil }
    let seconds =
      Double(dayNumber(year, month, day)) * 86_400 + Double(clock.hour * 3600 + clock.minute * 60)
      + clock.second - Double(offset)
    return Date(timeIntervalSince1970: seconds)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns days since 1970-01-01 in the Gregorian calendar, counting years from March so that
  /// leap days come last.
  private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

/// Reads digits and signs of a date, byte by byte.
private struct DigitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var rest: ArraySlice<UInt8> { bytes[position...] }

  mutating func number(digits: ClosedRange<Int>) -> Int? {
    var value = 0
    var count = 0
    while position < bytes.count, bytes[position].isDigit, count < digits.upperBound {
      value = value * 10 + Int(bytes[position] - 0x30)
      position += 1
      count += 1
    }
    return count >= digits.lowerBound ? value : nil
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  mutating func blanks() -> Bool {
    let start = position
    skipBlanks()
    return position > start
  }

  mutating func skipBlanks() {
    while position < bytes.count, bytes[position].isBlank { position += 1 }
  }

  /// Parses `12:31`, `12:31:26` or `12:31:26.5`.
  mutating func clock() -> FeedDate.Clock? {
    let start = position
    guard let hour = number(digits: 1...2), take(":"), let minute = number(digits: 1...2) else {
      position = start
      return nil
    }
    var clock = FeedDate.Clock(hour: hour, minute: minute)
    if take(":"), let second = number(digits: 1...2) {
      clock.second = Double(second)
      if take(".") || take(",") {
        var unit = 0.1
        while position < bytes.count, bytes[position].isDigit {
          clock.second += Double(bytes[position] - 0x30) * unit
          unit /= 10
          position += 1
        }
      }
    }
    return clock
  }
}
