public import Foundation

/// When a note is shown, how much of its pages is free before it, and how long the way past it takes.
///
/// As JSON, in requests, answers and exported files; every key may be absent:
///
///     { "times": [{ "days": [1, 2, 3, 4, 5], "from": 540, "to": 1020 }],
///       "limit": { "minutes": 30 },
///       "delay": { "seconds": 5, "growth": 5 } }
///
/// Days are 1 (Monday) to 7 (Sunday), times are minutes since midnight, in the time zone of the device.
/// The plan without any key is that of a note that is always shown.
public struct NotePlan: Hashable, Sendable {
  /// A part of the week.
  public struct Times: Hashable, Sendable {
    /// The days on which it begins, sorted: 1 is Monday, 7 is Sunday.
    public let days: [Int]
    /// When it begins, in minutes since midnight, below 1440.
    public let from: Int
    /// When it ends, in minutes since midnight, from 1 to 1440; on the next day if that is not later.
    public let to: Int

    /// Creates a part of the week.
    ///
    /// - Throws: ``NoteError`` with code `value`.
    public init(days: [Int], from: Int, to: Int) throws(NoteError) {
      guard !days.isEmpty, days.allSatisfy({ (1...7).contains($0) }) else {
        throw NoteError(.value, "The days of a time are numbers from 1 (Monday) to 7 (Sunday)")
      }
      guard (0..<1440).contains(from), (1...1440).contains(to), from != to else {
        throw NoteError(
          .value,
          """
          A time begins at 0 to 1439 minutes after midnight and ends at 1 to 1440, not at the same \
          minute; \(from) to \(to) is none
          """
        )
      }
      self.days = Array(Set(days)).sorted()
      self.from = from
      self.to = to
    }

    /// Returns whether a minute since midnight is in it, on a day from 1 (Monday) to 7 (Sunday).
    func contains(day: Int, minute: Int) -> Bool {
      if from < to { return days.contains(day) && (from..<to).contains(minute) }
      let before = day == 1 ? 7 : day - 1
      return days.contains(day) && minute >= from || days.contains(before) && minute < to
    }
  }

  /// What is free on each day, on each device, before the note is shown.
  public enum Limit: Hashable, Sendable {
    /// So many minutes in front of the person.
    case minutes(Int)
    /// So many visits, each of which lasts as long as "View Website" does.
    case visits(Int)
  }

  /// How long "View Website" waits.
  public struct Delay: Hashable, Sendable {
    /// The seconds at the first time of a day.
    public let seconds: Int
    /// The seconds that each further time of the day adds.
    public let growth: Int

    /// The longest that "View Website" waits, in seconds.
    public static let longest = 600

    /// Creates a delay.
    ///
    /// - Throws: ``NoteError`` with code `value`.
    public init(seconds: Int, growth: Int) throws(NoteError) {
      guard (0...Self.longest).contains(seconds), (0...Self.longest).contains(growth) else {
        throw NoteError(.value, "A delay, and what it grows by, are 0 to \(Self.longest) seconds")
      }
      self.seconds = seconds
      self.growth = growth
    }

    /// Returns the seconds to wait after so many times on a day.
    func seconds(after times: Int) -> Int {
      min(seconds + growth * min(max(times, 0), Self.longest), Self.longest)
    }
  }

  /// The parts of the week in which the note is shown; empty for always.
  public let times: [Times]
  /// What is free before; nil for nothing.
  public let limit: Limit?
  /// How long "View Website" waits; nil for not at all.
  public let delay: Delay?

  /// The most parts of the week.
  public static let timesLimit = 28
  /// The most free minutes or visits of a day.
  public static let freeLimit = 1440

  /// The plan of a note that is always shown.
  public static let always = NotePlan()

  private init() { (times, limit, delay) = ([], nil, nil) }

  /// Creates a plan.
  ///
  /// - Throws: ``NoteError`` with code `value`.
  public init(times: [Times] = [], limit: Limit? = nil, delay: Delay? = nil) throws(NoteError) {
    guard times.count <= Self.timesLimit else {
      throw NoteError(.value, "A plan has at most \(Self.timesLimit) times")
    }
    let free =
      switch limit {
      case .minutes(let count), .visits(let count): count
      case nil: 1
      }
    guard (1...Self.freeLimit).contains(free) else {
      throw NoteError(.value, "A limit is 1 to \(Self.freeLimit) minutes or visits of a day")
    }
    self.times = times
    self.limit = limit
    self.delay = delay.flatMap { $0.seconds == 0 && $0.growth == 0 ? nil : $0 }
  }

  /// Returns whether the note is shown at a time, as far as the week goes.
  public func covers(_ time: Date, calendar: Calendar = .current) -> Bool {
    guard !times.isEmpty else { return true }
    var gregorian = Calendar(identifier: .gregorian)
    gregorian.timeZone = calendar.timeZone
    let parts = gregorian.dateComponents([.weekday, .hour, .minute], from: time)
    // Foundation's weeks begin with Sunday as 1.
    let day = ((parts.weekday ?? 1) + 5) % 7 + 1
    let minute = (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
    return times.contains { $0.contains(day: day, minute: minute) }
  }

  /// Returns whether what is free is used up.
  public func isUsedUp(_ day: NoteDay) -> Bool {
    switch limit {
    case .minutes(let minutes): day.seconds >= minutes * 60
    case .visits(let visits): day.visits >= visits
    case nil: true
    }
  }

  /// How long "View Website" waits after so many times on a day, in seconds.
  public func wait(after times: Int) -> Int { delay?.seconds(after: times) ?? 0 }
}

extension NotePlan: Codable {
  /// The plan as JSON has it, which may be any.
  private struct Object: Codable {
    struct Times: Codable {
      let days: [Int]
      let from: Int
      let to: Int
    }
    struct Limit: Codable {
      let minutes: Int?
      let visits: Int?
    }
    struct Delay: Codable {
      let seconds: Int
      let growth: Int?
    }
    let times: [Times]?
    let limit: Limit?
    let delay: Delay?
  }

  /// Decodes and checks a plan; unknown keys are ignored.
  public init(from decoder: any Decoder) throws {
    let object = try Object(from: decoder)
    var limit: Limit?
    if let given = object.limit {
      guard (given.minutes == nil) != (given.visits == nil) else {
        throw NoteError(.value, "A limit has either “minutes” or “visits”")
      }
      limit = given.minutes.map(Limit.minutes) ?? given.visits.map(Limit.visits)
    }
    try self.init(
      times: (object.times ?? []).map { try Times(days: $0.days, from: $0.from, to: $0.to) },
      limit: limit,
      delay: object.delay.map { try Delay(seconds: $0.seconds, growth: $0.growth ?? 0) }
    )
  }

  /// Encodes the plan; what is not there has no key.
  public func encode(to encoder: any Encoder) throws {
    let free: Object.Limit? =
      switch limit {
      case .minutes(let count): Object.Limit(minutes: count, visits: nil)
      case .visits(let count): Object.Limit(minutes: nil, visits: count)
      case nil: nil
      }
    try Object(
      times: times.isEmpty
        ? nil : times.map { Object.Times(days: $0.days, from: $0.from, to: $0.to) },
      limit: free,
      delay: delay.map { Object.Delay(seconds: $0.seconds, growth: $0.growth) }
    ).encode(to: encoder)
  }
}

extension NotePlan {
  /// The plan as JSON with sorted keys, the same for equal plans.
  public var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // Numbers and arrays of them can always be encoded.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Reads a plan from JSON.
  ///
  /// - Throws: ``NoteError`` with code `value`.
  public init(json: String) throws(NoteError) {
    do {
      self = try JSONDecoder().decode(NotePlan.self, from: Data(json.utf8))
    } catch let error as NoteError {
      throw error
    } catch {
      throw NoteError(
        .value,
        "“\(json.prefix(200))” is not a plan as {\"limit\":{\"visits\":3}} is"
      )
    }
  }
}
