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
    for file in try SourceFile.ofPrograms() where file.text.range(of: "Command") != nil {
      let commands = file.lines.count {
        $0.hasSuffix("Command {")
          && $0.contains(/^ *(struct|extension) .*: .*(Parsable|Service)Command/)
      }
      var named = 0
      for (number, line) in file.lines.enumerated() where line.contains("CommandConfiguration(") {
        named += 1
        let beginning = file.lines[number...].prefix(2).joined()
        #expect(
          beginning.contains(/CommandConfiguration\(\s*commandName:/),
          "\(file.path):\(number + 1): give the command a commandName"
        )
      }
      #expect(named >= commands, "\(file.path): a command has no CommandConfiguration(")
      count += commands
    }
    #expect(count > 100)
  }
}
