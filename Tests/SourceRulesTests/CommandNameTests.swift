import Foundation
import Testing

/// Each command says its name.
///
/// ArgumentParser would make it from the type's name, at each start and for all commands, which took a third of
/// a short command's instructions.
struct CommandNameTests {
  @Test("no command leaves its name to be made from its type's")
  func names() throws {
    var count = 0
    for file in try SourceFile.ofPrograms() {
      for (number, line) in file.lines.enumerated() where line.contains("CommandConfiguration(") {
        count += 1
        let beginning = file.lines[number...].prefix(2).joined()
        #expect(
          beginning.contains(/CommandConfiguration\(\s*commandName:/),
          "\(file.path):\(number + 1): give the command a commandName"
        )
      }
    }
    #expect(count > 100)
  }
}
