import Foundation
import FuzzTargets
import PageNotes

/// Reads a change file from the folder that devices share; what is taken in is written again, which
/// must be read as the same.
enum ChangeFileBody: FuzzBody {
  static let name = "change-file"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let found = try read(Data(input))
    let count = input.split(separator: 0x0A).count
    try require(
      found.lines.count + found.damaged + found.newer == count,
      "of \(count) lines \(found.lines.count) are whole, \(found.damaged) damaged"
    )
    var written = Data()
    for line in found.lines {
      try require(line.last == 0x0A && !line.dropLast().contains(0x0A), "a line is not one line")
      written += line
    }
    let again = try read(written)
    try require(
      again == ReadChanges(lines: found.lines),
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
      format: Int = 1,
      device: String = "abc",
      note: String = "n-1"
    ) -> String {
      #"{"device":"\#(device)","format":\#(format),"note":"\#(note)","sequence":12,"state":{\#(state)}}"#
    }
    let stamp = #""stamp":"0199a0b1c2d30004@abc""#
    return [
      line(""), line(#""target":{\#(stamp),"value":"page http://a.test/"}"#),
      line(#""target":{\#(stamp),"value":"site a.test"}"#),
      line(#""emoji":{\#(stamp),"value":"🐦"},"snoozeMinutes":{\#(stamp),"value":30}"#),
      line(#""created":{\#(stamp),"value":1763800000000},"changed":{\#(stamp),"value":-1}"#),
      line(#""texts":{"v1":{\#(stamp),"text":"hello\nworld"},"v2":{\#(stamp),"text":"é"}}"#),
      line(#""texts":{"v1":{\#(stamp),"text":"x"}},"replaced":["v1","v2"]"#),
      line(#""counts":{"abc":{"shown":1,"left":2,"viewed":3}}"#), line("", format: 2),
      line("", device: "A"), line("", note: ""), line(#""emoji":{"stamp":"x","value":""}"#),
      "{", "\n\n" + line("") + "\n" + line("").dropLast(), "[]",
    ].map { Array($0.utf8) }
  }
}
