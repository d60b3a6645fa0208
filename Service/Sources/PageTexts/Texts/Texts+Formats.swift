public import Foundation

/// Numbers, sizes and times as the reader's locale writes them.
extension Texts {
  /// Formats a whole number.
  public func number(_ number: Int) -> String {
    number.formatted(.number.locale(locale))
  }

  /// Formats a number of bytes, such as "1.5 MB".
  public func size(_ bytes: Int) -> Phrase {
    let style = ByteCountFormatStyle(style: .file, spellsOutZero: false, locale: locale)
    return Phrase(pieces: [.own(Int64(bytes).formatted(style))])
  }

  /// Returns the values for a `time` element: for machines, for people, and relative to now.
  public func time(_ date: Date, now: Date = Date()) -> [String: any Sendable] {
    [
      "machine": date.formatted(.iso8601), "human": short(date, now: now).shown,
      "full": full(date),
    ]
  }

  /// Formats near times relatively, and others as a date.
  public func short(_ date: Date, now: Date) -> Phrase {
    let seconds = now.timeIntervalSince(date)
    switch seconds {
    case 0..<60: return self("time_now")
    case 60..<3600: return counted("time_minutes_ago", Int(seconds / 60))
    default: break
    }
    let calendar = calendar
    let clock = Phrase(pieces: [.own(date.formatted(style.hour().minute()))])
    if calendar.isDate(date, inSameDayAs: now) { return self("time_today", clock) }
    if let yesterday = calendar.date(byAdding: .day, value: -1, to: now),
      calendar.isDate(date, inSameDayAs: yesterday)
    {
      return self("time_yesterday", clock)
    }
    let day = style.day().month(.wide)
    let isThisYear = calendar.isDate(date, equalTo: now, toGranularity: .year)
    return Phrase(pieces: [.own(date.formatted(isThisYear ? day : day.year()))])
  }

  /// Formats a day and the time on it, such as "21 Nov 2026 at 23:05".
  public func full(_ date: Date) -> String {
    date.formatted(style.year().month(.abbreviated).day().hour().minute())
  }

  /// Formats a day.
  public func day(_ date: Date) -> String {
    date.formatted(style.year().month(.wide).day())
  }

  private var calendar: Calendar {
    var calendar = locale.calendar
    calendar.locale = locale
    calendar.timeZone = timeZone
    return calendar
  }

  private var style: Date.FormatStyle {
    Date.FormatStyle(locale: locale, calendar: calendar, timeZone: timeZone)
  }
}
