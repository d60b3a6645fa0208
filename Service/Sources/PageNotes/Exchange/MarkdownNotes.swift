internal import Foundation

/// Exported notes as Markdown: each has a heading, a list of its fields, and its text as a
/// quotation.
///
///     ## 📝 example.com
///
///     - id: `0c2f…`
///     - site: `example.com`
///     - emoji: 📝
///     - snooze: 15 minutes
///     - plan: `{"limit":{"visits":3}}`
///     - created: 2026-11-21T12:00:00.000Z
///     - changed: 2026-11-21T12:00:00.000Z
///     - counts: shown 0, left 0, viewed 0
///
///     > First line\
///     > second line
///
/// Each line of the text is a line of the quotation and ends with a hard break, except the last.
/// Further quotations hold the texts of other devices. A heading begins a note; the list requires
/// only one of `site`, `host`, `path` and `page`.
enum MarkdownNotes {
  // MARK: Writing

  static func write(_ archive: NoteArchive) -> String {
    var text = "# Notes\n"
    for note in archive.notes {
      let target = note.draft.target
      text += "\n## \(escaped(note.draft.emoji)) \(escaped(target.address))\n\n"
      if let id = note.id { text += "- id: `\(id)`\n" }
      text += "- \(target.kind.rawValue): \(escaped(target.address))\n"
      text += "- emoji: \(escaped(note.draft.emoji))\n"
      text += "- snooze: \(note.draft.snoozeMinutes) minutes\n"
      if note.draft.plan != .always { text += "- plan: `\(note.draft.plan.json)`\n" }
      if let created = note.created { text += "- created: \(NoteTime.text(created))\n" }
      if let changed = note.changed { text += "- changed: \(NoteTime.text(changed))\n" }
      let counts = note.counts
      text += "- counts: shown \(counts.shown), left \(counts.left), viewed \(counts.viewed)\n"
      text += "\n" + quotation(note.draft.text)
      for other in note.otherTexts {
        text += "\nAlso written, on another device:\n\n" + quotation(other)
      }
    }
    return text
  }

  private static func quotation(_ text: String) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    let quoted = lines.map { "> " + escaped(String($0)) }
    return quoted.joined(separator: "\\\n") + "\n"
  }

  /// The characters that can begin markup anywhere in a line.
  private static let special: Set<Unicode.Scalar> = [
    "\\", "`", "*", "_", "[", "]", "<", ">", "&", "~", "|", "#", "@", "$",
  ]

  /// Returns a line with all markup escaped, including autolinks of common extensions.
  static func escaped(_ line: String) -> String {
    let scalars = Array(line.unicodeScalars)
    var result = String.UnicodeScalarView()
    // A number followed by a dot or parenthesis begins a list item; so do - and +.
    let digits = scalars.prefix { ("0"..."9").contains($0) }.count
    for (index, scalar) in scalars.enumerated() {
      let isEdge = index == 0 || index == scalars.count - 1
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      let isMarkup: Bool =
        switch scalar {
        case _ where special.contains(scalar): true
        case "-", "+", "=": index == 0
        case ".", ")":
          index == digits && digits > 0 || scalar == "." && isAfterWWW(scalars, index)
        case ":": next == "/"
        default: false
        }
      if scalar.properties.isWhitespace, isEdge || scalar == "\t" {
        result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      } else {
        if isMarkup { result.append("\\") }
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func isAfterWWW(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    index >= 3 && scalars[index - 3..<index].allSatisfy { $0 == "w" || $0 == "W" }
  }

  // MARK: Reading

  static func read(_ text: String) throws(NoteError) -> NoteArchive {
    var reader = Reader()
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    for (index, scalars) in lines.enumerated() {
      var line = String(scalars)
      if line.unicodeScalars.last == "\r" { line.unicodeScalars.removeLast() }
      do throws(NoteError) {
        try reader.take(line, number: index + 1)
      } catch {
        throw NoteError(.archive, "line \(reader.place(index + 1)): \(error.message)")
      }
    }
    do throws(NoteError) {
      try reader.finish()
    } catch {
      throw NoteError(.archive, "line \(reader.place(lines.count)): \(error.message)")
    }
    return NoteArchive(archived: reader.notes)
  }

  private struct Reader {
    var notes: [ArchivedNote] = []
    private var fields: [Substring: String]?
    private var heading = 0
    private var faultLine: Int?
    private var texts: [[String]] = []
    private var isInQuotation = false

    private static let known: Set<Substring> = [
      "id", "site", "host", "path", "page", "emoji", "snooze", "plan", "created", "changed",
      "counts",
    ]

    /// Returns the line to report; faults of a whole note are reported at its heading.
    func place(_ line: Int) -> Int { faultLine ?? line }

    mutating func take(_ line: String, number: Int) throws(NoteError) {
      // Compares bytes: a space followed by a combining accent is a different character.
      if line.utf8.starts(with: "## ".utf8) {
        try finish()
        heading = number
        fields = [:]
        texts = []
        isInQuotation = false
      } else if fields == nil {
        return
      } else if line.utf8.first == UInt8(ascii: ">") {
        if !isInQuotation { texts.append([]) }
        isInQuotation = true
        var content = line.unicodeScalars.dropFirst()
        if content.first == " " { content.removeFirst() }
        texts[texts.count - 1].append(String(content))
      } else {
        isInQuotation = false
        guard line.utf8.starts(with: "- ".utf8), let colon = line.firstIndex(of: ":") else {
          return
        }
        let name = line.dropFirst(2).prefix(upTo: colon)
        guard Self.known.contains(name) else { return }
        // Compares scalars: a space and a combining accent form one character.
        let value = Substring(
          line[line.index(after: colon)...].unicodeScalars.drop { $0 == " " }
        )
        guard fields?[name] == nil else { throw NoteError(.archive, "“\(name)” is there twice") }
        let isCode = value.hasPrefix("`") && value.hasSuffix("`") && value.count > 1
        fields?[name] = isCode ? String(value.dropFirst().dropLast()) : unescaped(value)
      }
    }

    mutating func finish() throws(NoteError) {
      guard let fields else { return }
      faultLine = heading
      guard notes.count < NoteArchive.countLimit else {
        throw NoteError(.archive, "More than \(NoteArchive.countLimit) notes. Split the file")
      }
      let kinds = NoteTarget.Kind.allCases.filter { fields[$0.rawValue[...]] != nil }
      guard let kind = kinds.first, kinds.count == 1, let address = fields[kind.rawValue[...]]
      else {
        throw NoteError(
          .archive,
          "The note needs one line that begins “- site:”, “- host:”, “- path:” or “- page:”"
        )
      }
      var id: String?
      if let text = fields["id"] {
        id = NoteID.checked(text)
        if id == nil {
          throw NoteError(.archive, "The id “\(text)” has more than letters, digits and hyphens")
        }
      }
      let joined = texts.map { Self.joined($0) }
      var note = ArchivedNote(
        id: id,
        draft: try NoteDraft(
          target: NoteTarget(imported: kind, address: address),
          text: joined.first ?? "",
          emoji: fields["emoji"] ?? NoteText.defaultEmoji,
          snoozeMinutes: try snooze(fields["snooze"]),
          plan: try NotePlan(json: fields["plan"] ?? "{}")
        )
      )
      for other in joined.dropFirst().prefix(16) {
        note.otherTexts.append(try NoteText.checked(other))
      }
      note.created = try time(fields["created"])
      note.changed = try time(fields["changed"])
      note.counts = counts(fields["counts"] ?? "")
      notes.append(note)
      self.fields = nil
      faultLine = nil
    }

    private func snooze(_ text: String?) throws(NoteError) -> Int {
      guard let text else { return NoteText.defaultSnoozeMinutes }
      guard let minutes = text.split(separator: " ").first.flatMap({ Int($0) }) else {
        throw NoteError(.archive, "“\(text)” is not a number of minutes")
      }
      return minutes
    }

    private func time(_ text: String?) throws(NoteError) -> Date? {
      guard let text else { return nil }
      guard let date = NoteTime.date(text) else {
        throw NoteError(.archive, "“\(text)” is not a time as 2026-11-21T12:00:00.000Z is")
      }
      return date
    }

    private func counts(_ text: String) -> NoteCounts {
      var counts = NoteCounts()
      let words = text.split { $0 == " " || $0 == "," }
      for (name, number) in zip(words, words.dropFirst()) {
        guard let number = Int(number) else { continue }
        switch name {
        case "shown": counts.shown = number
        case "left": counts.left = number
        case "viewed": counts.viewed = number
        default: break
        }
      }
      return counts.bounded()
    }

    /// Joins lines whose hard breaks end all but the last; a missing break is accepted.
    private static func joined(_ lines: [String]) -> String {
      let last = lines.count - 1
      return lines.enumerated().map { index, line in
        let scalars = line.unicodeScalars
        let slashes = scalars.reversed().prefix { $0 == "\\" }.count
        let hasBreak = index < last && slashes % 2 == 1
        return unescaped(hasBreak ? Substring(line.unicodeScalars.dropLast()) : line[...])
      }.joined(separator: "\n")
    }
  }

  /// Reverses ``escaped(_:)``; anything that is not an escape stays.
  static func unescaped(_ line: Substring) -> String {
    let scalars = Array(line.unicodeScalars)
    var result = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      if scalars[index] == "\\", index + 1 < scalars.count, isPunctuation(scalars[index + 1]) {
        result.append(scalars[index + 1])
        index += 2
      } else if scalars[index] == "&", let (scalar, length) = reference(scalars[index...]) {
        result.append(scalar)
        index += length
      } else {
        result.append(scalars[index])
        index += 1
      }
    }
    return String(result)
  }

  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// Decodes a reference such as `&#9;`, and returns its length.
  private static func reference(
    _ scalars: ArraySlice<Unicode.Scalar>
  ) -> (Unicode.Scalar, Int)? {
    guard scalars.dropFirst().first == "#" else { return nil }
    let digits = scalars.dropFirst(2).prefix(8).prefix { ("0"..."9").contains($0) }
    guard !digits.isEmpty, scalars.dropFirst(2 + digits.count).first == ";",
      let value = UInt32(String(String.UnicodeScalarView(digits))),
      let scalar = Unicode.Scalar(value)
    else { return nil }
    return (scalar, digits.count + 3)
  }
}
