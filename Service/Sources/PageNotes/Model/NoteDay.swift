public import Foundation

/// What happened with a note on one day, on this device.
public struct NoteDay: Hashable, Sendable {
  /// How often its pages were visited while they were free.
  public var visits: Int
  /// How many seconds its pages were in front while they were free.
  public var seconds: Int
  /// How often it was shown.
  public var shown: Int
  /// How often "Leave" was chosen.
  public var left: Int
  /// How often "View Website" was chosen.
  public var viewed: Int

  /// Creates a day; all zero by default.
  public init(visits: Int = 0, seconds: Int = 0, shown: Int = 0, left: Int = 0, viewed: Int = 0) {
    self.visits = visits
    self.seconds = seconds
    self.shown = shown
    self.left = left
    self.viewed = viewed
  }

  /// For how many days what happened is kept.
  public static let kept = 60

  /// Numbers the day of a time: days since 1970-01-01, as the device's calendar counts them.
  public static func number(of time: Date, calendar: Calendar = .current) -> Int {
    let offset = calendar.timeZone.secondsFromGMT(for: time)
    return Int(((time.timeIntervalSince1970 + Double(offset)) / 86_400).rounded(.down))
  }
}
