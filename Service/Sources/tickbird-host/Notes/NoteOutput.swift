internal import ArgumentParser
internal import CommandArguments
internal import Foundation
internal import PageNotes
internal import TextOutput

/// Writes notes to the terminal, or as JSON.
struct NoteOutput: ParsableArguments {
  @OptionGroup var format: FormatOption

  /// Prints a list, or what to do if it is empty.
  func show(_ notes: [Note], empty: () -> OutputText) throws {
    if format.isJSON {
      StandardOutput.json(String(decoding: try Note.json(notes, now: Date()), as: UTF8.self))
    } else if notes.isEmpty {
      StandardOutput.line(empty())
    } else {
      for note in notes { StandardOutput.line(Self.line(note)) }
    }
  }

  /// Reports what was done to a note.
  func say(_ what: String, _ note: Note) throws {
    if format.isJSON {
      try show([note]) { "" }
    } else {
      StandardOutput.line("\(what) \(Self.line(note))")
    }
  }

  /// Returns the first letters of an id, which suffice to name the note.
  static func short(_ note: Note) -> String { String(note.id.prefix(8)) }

  /// Formats a note on one line: id, emoji, target, the beginning of the text.
  static func line(_ note: Note) -> OutputText {
    var first = note.text.split(separator: "\n").first.map(String.init) ?? ""
    if first.count > 60 { first = first.prefix(59) + "…" }
    if first != note.text, !first.hasSuffix("…") { first += " …" }
    var marks: [String] = []
    if note.isSnoozed(at: Date()) { marks.append("snoozed") }
    if note.plan != .always { marks.append("planned") }
    if !note.otherTexts.isEmpty { marks.append("\(note.otherTexts.count + 1) texts") }
    let mark = marks.isEmpty ? "" : "  [\(marks.joined(separator: ", "))]"
    return "\(short(note))  \(note.emoji)  \(words(note.target))  \(first)\(asIs: mark)"
  }

  /// Formats a note in full.
  static func full(_ note: Note) -> OutputText {
    var lines: [OutputText] = [
      "\(note.emoji)  \(words(note.target))",
      "",
      "\(lines: note.text)",
      "",
      "id        \(note.id)",
      "snooze    \(note.snoozeMinutes) minutes",
    ]
    for line in PlanWords.lines(note.plan) { lines.append("shown     \(line)") }
    if let end = note.snoozedUntil, note.isSnoozed(at: Date()) {
      lines.append("snoozed   until \(time(end))")
    }
    lines += [
      "created   \(time(note.created))",
      "changed   \(time(note.changed))",
      "counts    shown \(note.counts.shown), left \(note.counts.left), viewed \(note.counts.viewed)",
    ]
    for other in note.otherTexts {
      lines += ["", "Also written, on another device:", "", "\(lines: other)"]
    }
    if !note.otherTexts.isEmpty {
      lines += ["", "“tickbird notes edit \(short(note)) --settle” keeps the first text alone."]
    }
    return OutputText(joining: lines)
  }

  static func words(_ target: NoteTarget) -> String {
    switch target.kind {
    case .site: "\(target.address) and below"
    case .host: target.address
    case .path: "\(target.address)/…"
    case .page: "page \(target.address)"
    }
  }

  static func time(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm"
    return formatter.string(from: date)
  }
}
