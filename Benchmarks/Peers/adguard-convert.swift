import ContentBlockerConverter
import Foundation

// Converts filter lists with AdGuard's SafariConverterLib: OUT FILTERS…, or --each, with an array of
// filters in each line of standard input, and their list in each line of standard output.
// Prints the library's own counts as JSON.

func convert(_ lines: [String]) -> ConversionResult {
  ContentBlockerConverter().convertArray(rules: lines, safariVersion: SafariVersion(26))
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["--each"] {
  while let line = readLine() {
    let filters = try JSONDecoder().decode([String].self, from: Data(line.utf8))
    print(convert(filters).safariRulesJSON.replacingOccurrences(of: "\n", with: " "))
  }
} else if arguments.count > 1 {
  var lines: [String] = []
  for path in arguments.dropFirst() {
    lines += try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
  }
  let result = convert(lines)
  try result.safariRulesJSON.write(toFile: arguments[0], atomically: false, encoding: .utf8)
  print(
    """
    {"lines": \(lines.count), "filters": \(result.sourceRulesCount), \
    "taken": \(result.sourceSafariCompatibleRulesCount), "rules": \(result.safariRulesCount), \
    "refused": \(result.errorsCount), "discarded": \(result.discardedSafariRules)}
    """
  )
} else {
  FileHandle.standardError.write(Data("usage: adguard-convert OUT FILTERS… | --each\n".utf8))
  exit(2)
}
