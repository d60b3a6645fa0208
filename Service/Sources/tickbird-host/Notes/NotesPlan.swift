internal import ArgumentParser
internal import CommandArguments
internal import Foundation
internal import PageNotes
internal import TextOutput

/// The options about when a note is shown, for adding and changing notes.
struct PlanOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Show the note only then: days and hours, such as "mon-fri 9:00-17:00", "sat,sun" or \
      "daily 22:00-6:00". May be given several times.
      """,
      valueName: "times"
    )
  )
  var shown: [String] = []
  @Option(help: "Leave so many minutes of each day free before the note is shown.")
  var freeMinutes: Int?
  @Option(help: "Leave so many visits of each day free before the note is shown.")
  var freeVisits: Int?
  @Option(help: "Let “View Website” wait so many seconds.") var delay: Int?
  @Option(help: "Let it wait so many seconds more each further time of a day.")
  var delayGrowth: Int?

  /// Whether none was given.
  var isEmpty: Bool {
    shown.isEmpty && freeMinutes == nil && freeVisits == nil && delay == nil && delayGrowth == nil
  }

  func validate() throws {
    guard freeMinutes == nil || freeVisits == nil else {
      throw ValidationError("--free-minutes and --free-visits exclude each other; give one.")
    }
    _ = try plan(changing: .always)
  }

  /// Returns a plan with what was given; the rest is as before.
  func plan(changing old: NotePlan) throws -> NotePlan {
    do {
      let seconds = delay ?? old.delay?.seconds
      let growth = delayGrowth ?? old.delay?.growth
      return try NotePlan(
        times: shown.isEmpty ? old.times : shown.map { try PlanWords.times($0) },
        limit: freeMinutes.map { .minutes($0) } ?? freeVisits.map { .visits($0) } ?? old.limit,
        delay: seconds == nil && growth == nil
          ? nil : .init(seconds: seconds ?? 0, growth: growth ?? 0)
      )
    } catch let error as NoteError {
      throw ValidationError("\(error)")
    }
  }
}

/// Plans of notes in words.
enum PlanWords {
  private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  /// Reads days and hours, such as "mon-fri 9:00-17:00".
  static func times(_ text: String) throws -> NotePlan.Times {
    let words = text.lowercased().split(separator: " ").map(String.init)
    func wrong() -> ValidationError {
      ValidationError(
        """
        “\(text)” names no times; write days and hours, such as "mon-fri 9:00-17:00", "sat,sun" or \
        "daily 22:00-6:00".
        """
      )
    }
    guard let first = words.first, words.count <= 2 else { throw wrong() }
    var chosen: [Int] = []
    if first == "daily" {
      chosen = Array(1...7)
    } else {
      for part in first.split(separator: ",") {
        let ends = part.split(separator: "-").map { days.firstIndex(of: String($0)) }
        guard let start = ends.first ?? nil, let end = ends.last ?? nil, ends.count <= 2 else {
          throw wrong()
        }
        // "sat-tue" goes past the end of the week.
        chosen += (0...(end - start + 7) % 7).map { (start + $0) % 7 + 1 }
      }
    }
    guard words.count == 2 else { return try NotePlan.Times(days: chosen, from: 0, to: 1440) }
    let hours = words[1].split(separator: "-").map { minutes(String($0)) }
    guard hours.count == 2, let from = hours[0], let to = hours[1] else { throw wrong() }
    return try NotePlan.Times(days: chosen, from: from % 1440, to: to == 0 ? 1440 : to)
  }

  /// Reads a time of day, such as "9:00" or "24:00".
  private static func minutes(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let hour = Int(parts[0]), (0...24).contains(hour),
      let minute = parts.count == 2 ? Int(parts[1]) : 0, (0..<60).contains(minute),
      hour < 24 || minute == 0
    else { return nil }
    return hour * 60 + minute
  }

  /// Returns a plan as lines; none for a note that is always shown.
  static func lines(_ plan: NotePlan) -> [String] {
    func clock(_ minutes: Int) -> String {
      String(format: "%d:%02d", minutes / 60, minutes % 60)
    }
    var lines = plan.times.map { times in
      let names =
        times.days.count == 7 ? "daily" : times.days.map { days[$0 - 1] }.joined(separator: ",")
      return "\(names) \(clock(times.from))-\(clock(times.to))"
    }
    switch plan.limit {
    case .minutes(let count): lines.append("after \(count) free minutes of a day")
    case .visits(let count): lines.append("after \(count) free visits of a day")
    case nil: break
    }
    if let delay = plan.delay {
      let growth = delay.growth == 0 ? "" : ", and \(delay.growth) more each time of a day"
      lines.append("with “View Website” after \(delay.seconds) seconds\(growth)")
    }
    return lines
  }
}

/// `notes focus`.
struct NotesFocus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "focus",
    abstract: "Begins or ends a focus session, in which no note lets its pages be seen.",
    discussion: """
      All notes are shown, also those that are snoozed, planned for other times, or have something \
      free, and “View Website” waits until the session is over. Without an argument, says whether \
      there is one.

      For example:
        tickbird notes focus 25
      """
  )
  @Argument(help: "Its length in minutes, from now on.") var minutes: Int?
  @Flag(help: "End the session.") var off = false
  @OptionGroup var format: FormatOption

  func validate() throws {
    guard minutes == nil || !off else {
      throw ValidationError("--off ends a session, and takes no minutes.")
    }
    guard minutes != 0 else { throw ValidationError("A session has at least one minute.") }
  }

  func run() throws {
    let store = try NoteAccess.open()
    let before = try store.focusEnd()
    if let minutes { try store.focus(minutes: minutes) }
    if off { try store.focus(minutes: 0) }
    let end = try store.focusEnd()
    if format.isJSON {
      let time = end.map { "\(Int64($0.timeIntervalSince1970 * 1000))" } ?? "null"
      return StandardOutput.json("{\n  \"focusUntil\" : \(time)\n}")
    }
    guard let end else {
      return StandardOutput.line(
        off && before != nil ? "The focus session has ended." : "There is no focus session."
      )
    }
    StandardOutput.line("Focus until \(NoteOutput.time(end)).")
  }
}
