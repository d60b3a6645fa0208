import ContentBlockerConverter
import Foundation

// Converts filter lists with AdGuard's SafariConverterLib: OUT FILTERS…
// Prints the library's own counts as JSON.

let arguments = CommandLine.arguments.dropFirst()
guard let out = arguments.first, arguments.count > 1 else {
  FileHandle.standardError.write(Data("usage: adguard-convert OUT FILTERS…\n".utf8))
  exit(2)
}
var lines: [String] = []
for path in arguments.dropFirst() {
  let text = try String(contentsOfFile: path, encoding: .utf8)
  lines += text.components(separatedBy: .newlines)
}
let result = ContentBlockerConverter().convertArray(rules: lines, safariVersion: SafariVersion(18))
try result.safariRulesJSON.write(toFile: out, atomically: false, encoding: .utf8)
print(
  """
  {"lines": \(lines.count), "filters": \(result.sourceRulesCount), \
  "taken": \(result.sourceSafariCompatibleRulesCount), "rules": \(result.safariRulesCount), \
  "refused": \(result.errorsCount), "discarded": \(result.discardedSafariRules)}
  """
)
