import Foundation
import FuzzTargets
import PageNotes

/// Reads a change file of the synchronised folder; encoding what was accepted and reading it again
/// must change nothing.
enum ChangeFileBody: FuzzBody {
  static let name = "change-file"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let found = try read(Data(input))
    let count = input.split(separator: 0x0A).count
    try require(
      found.lines.count + found.damaged == count,
      "of \(count) lines \(found.lines.count) are whole, \(found.damaged) damaged"
    )
    try require(found.forged == 0, "\(found.forged) lines are taken that nobody sealed")
    var written = Data()
    for line in found.lines {
      try require(line.last == 0x0A && !line.dropLast().contains(0x0A), "a line is not one line")
      written += line
    }
    let again = try read(written)
    try require(
      again.lines == found.lines && again.damaged == 0,
      "what was taken in is not read as it was written: \([UInt8](written).text)"
    )
  }

  private static func read(_ bytes: Data) throws(FuzzFinding) -> ReadChanges {
    let outcome = try FuzzOutcome { try ReadChanges(bytes) }
    guard let changes = outcome.value else { throw FuzzFinding("reading ends: \(outcome)") }
    return changes
  }

  static var seeds: [[UInt8]] {
    func line(
      _ state: String,
      device: String = "abc",
      note: String = "n-1",
      number: Int = 12
    ) -> String {
      #"{"device":"\#(device)","note":"\#(note)","previous":11,"sequence":\#(number),"state":{\#(state)}}"#
    }
    func versions(_ field: String, _ values: String...) -> String {
      let versions = values.enumerated().map { number, value in
        #""v\#(number)":{"stamp":"0199a0b1c2d30004@abc","value":\#(value)}"#
      }
      return #""\#(field)":{\#(versions.joined(separator: ","))}"#
    }
    let legacy = #""stamp":"0199a0b1c2d30004@abc""#
    return [
      line(""), line(versions("target", #""page http://a.test/""#)),
      line(versions("target", #""site a.test""#, #""host a.test""#)),
      line(versions("emoji", #""🐦""#) + "," + versions("snoozeMinutes", "30", "5")),
      line(versions("created", "1763800000000") + "," + versions("changed", "-1")),
      line(versions("texts", #""hello\nworld""#, #""é""#) + #","replaced":["v3","v4"]"#),
      line(#""texts":{"v1":{"redated":3,\#(legacy),"value":"x"}}"#),
      line(#""counts":{"abc":{"shown":1,"left":2,"viewed":3}}"#), line("", number: 1),
      line("", device: "A"), line("", note: ""), line(#""emoji":{"x":{"stamp":"x","value":""}}"#),
      #"{"device":"a","format":1,"note":"n","sequence":1,"state":{"emoji":{\#(legacy),"value":"x"}}}"#,
      "2 abcdefgh AAAA", "3 abcdefgh AAAA", "{", "\n\n" + line("") + "\n" + line("").dropLast(),
      "[]",
    ].map { Array($0.utf8) }
  }
}
