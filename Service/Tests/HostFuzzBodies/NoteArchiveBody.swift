import Foundation
import FuzzTargets
import PageNotes

/// Parses a file of notes, JSON or Markdown; encoding it in either format and parsing it again must
/// change nothing.
enum NoteArchiveBody: FuzzBody {
  static let name = "note-archive"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    guard let archive = try FuzzOutcome({ try NoteArchive(data: Data(input)) }).value else {
      return
    }
    let json = try FuzzOutcome { try archive.json() }
    guard let json = json.value else {
      throw FuzzFinding("what was read cannot be written: \(json)")
    }
    let fromJSON = try FuzzOutcome { try NoteArchive(data: json) }
    try require(fromJSON.value == archive, "\([UInt8](json).text) is read as \(fromJSON)")
    let markdown = archive.markdown()
    let fromMarkdown = try FuzzOutcome { try NoteArchive(data: Data(markdown.utf8)) }
    try require(fromMarkdown.value == archive, "\(markdown) is read as \(fromMarkdown)")
  }

  static var seeds: [[UInt8]] {
    let note =
      #"{"id":"a-1","kind":"page","url":"http://a.test/","text":"one\ntwo","emoji":"🐦","#
      + #""snoozeMinutes":30,"created":"2026-11-22T10:00:00.000Z"}"#
    let json = #"{"format":"tickbird-notes","version":1,"notes":[\#(note)]}"#
    let written = [
      json, json.replacing("page", with: "site"), json.replacing("one", with: "# *x* <b>"),
    ]
    .compactMap { text in
      (try? NoteArchive(data: Data(text.utf8))).map { Array($0.markdown().utf8) }
    }
    return written
      + [
        json, #"{"notes":[]}"#, #"{"format":"x","version":9,"notes":[{}]}"#, "", "# Notes\n",
        "## 🐦 http://a.test/\n\nText\n", "> x\n\n---\n", "{\"notes\":[{\"text\":\"\\u0000\"}]}",
        "\u{FEFF}{}", "[a](http://b/)\n\n- x\n", "```\nx\n```\n", "<!-- a -->\n",
      ].map { Array($0.utf8) }
  }
}
