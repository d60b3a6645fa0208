import Foundation
import Testing

@testable import ExtensionHost

/// What extensions print, as it is kept.
struct ExtensionLogTests {
  @Test("a line has neither controls nor changes of direction, and stays one")
  func controls() throws {
    let folder = try TemporaryFolder()
    let log = try ExtensionLog(directory: folder.url, limit: 1 << 20)
    log.add(
      "a\u{202E}b\u{1B}[2J\u{9B}5m\u{2066}\u{200B}\u{7}c\u{2028}host: forged\nمی‌خواهم 👩‍⚕️",
      by: .printed,
      of: "com.example.x"
    )
    log.add(String(repeating: "x", count: 1_000_000), by: .printed, of: "com.example.x")
    let text = try log.text(of: "com.example.x")
    let hidden = text.unicodeScalars.filter { scalar in
      scalar.value < 0x20 && scalar != "\n" || 0x7F <= scalar.value && scalar.value < 0xA0
        || [0x202E, 0x2066, 0x200B, 0x2028].contains(scalar.value)
    }
    #expect(hidden.isEmpty)
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.contains(" printed: ") })
    #expect(text.contains("می‌خواهم 👩‍⚕️"))
    #expect(text.contains("(998,000 more characters)") && text.utf8.count < 4_000)
  }
}
