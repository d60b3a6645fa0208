internal import CommandOutput
internal import ListTesting

/// The results of tests as JUnit's XML, in the form that continuous-integration services read.
///
/// A test file is a suite, an expectation is a case of it, named by its text and section. What makes
/// a file or a list unusable is an error of the suite.
struct ListTestJUnit {
  let report: ListTestReport

  func text() -> String {
    let errorCount = report.files.reduce(0) { $0 + Self.errors(of: $1).count }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites name=\"tickbird test\" tests=\"\(report.triedCount + errorCount)\""
    text += " failures=\"\(report.failedCount)\" errors=\"\(errorCount)\""
    text += " time=\"\(Self.seconds(report.files.flatMap(\.outcomes)))\">\n"
    for file in report.files { text += suite(file) }
    return text + "</testsuites>\n"
  }

  private static func errors(
    of file: ListTestReport.TestFile
  ) -> [(name: String, line: Int?, message: String)] {
    file.faults.map { ("line \($0.line), column \($0.column)", $0.line, $0.message) }
      + (file.trouble.map { [("lists and tests", nil, $0)] } ?? [])
  }

  private func suite(_ file: ListTestReport.TestFile) -> String {
    let errors = Self.errors(of: file)
    let name = Self.attribute(file.name)
    var text = "  <testsuite name=\"\(name)\" tests=\"\(file.outcomes.count + errors.count)\""
    text += " failures=\"\(file.failedCount)\" errors=\"\(errors.count)\" skipped=\"0\""
    text += " time=\"\(Self.seconds(file.outcomes))\">\n"
    for error in errors {
      let line = error.line.map { " line=\"\($0)\"" } ?? ""
      text += "    <testcase name=\"\(Self.attribute(error.name))\" classname=\"\(name)\""
      text += " file=\"\(name)\"\(line) time=\"0.000000\">\n"
      text += "      <error type=\"invalid-test\" message=\"\(Self.attribute(error.message))\"/>\n"
      text += "    </testcase>\n"
    }
    for outcome in file.outcomes { text += testCase(outcome, name) }
    return text + "  </testsuite>\n"
  }

  private func testCase(_ outcome: ListTestReport.Outcome, _ name: String) -> String {
    let expectation = outcome.expectation
    var text = "    <testcase name=\"\(Self.attribute(expectation.title))\" classname=\"\(name)\""
    text += " file=\"\(name)\" line=\"\(expectation.line)\" time=\"\(Self.seconds([outcome]))\""
    guard !outcome.holds else { return text + "/>\n" }
    let message = outcome.sentences[0]
    text += ">\n      <failure type=\"failed-expectation\""
    text += " message=\"\(Self.attribute(message))\">"
    text += Self.content(
      "\(Shown.line(name)):\(expectation.line):\(expectation.column)\n"
        + outcome.reasons.map { ($0.isQuote ? "    " : "") + Shown.line($0.text) }
        .joined(separator: "\n")
    )
    return text + "</failure>\n    </testcase>\n"
  }

  /// Returns the time that expectations took, in seconds with six digits behind the point.
  private static func seconds(_ outcomes: [ListTestReport.Outcome]) -> String {
    let microseconds = Int((outcomes.reduce(0) { $0 + $1.seconds } * 1_000_000).rounded())
    let rest = String(microseconds % 1_000_000)
    return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - rest.count) + rest
  }

  /// Returns a text for an attribute.
  private static func attribute(_ text: String) -> String { content(Shown.line(text)) }

  /// Returns a text for an element, with line feeds as its only controls.
  private static func content(_ text: String) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count + 32)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): output += Array("&amp;".utf8)
      case UInt8(ascii: "<"): output += Array("&lt;".utf8)
      case UInt8(ascii: ">"): output += Array("&gt;".utf8)
      case UInt8(ascii: "\""): output += Array("&quot;".utf8)
      case 0x0A: output.append(byte)
      case ..<0x20: output += Array("\u{FFFD}".utf8)
      case 0xBE, 0xBF:
        // XML cannot have U+FFFE and U+FFFF; U+FFFD differs from them in this byte.
        output.append(output.suffix(2).elementsEqual([0xEF, 0xBF]) ? 0xBD : byte)
      default: output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
