import Foundation
import TestSupport
import Testing

/// The committed tables are what their scripts write, where the scripts' input is installed.
@Suite struct GeneratedTablesTests {
  private func expectReproduced(by script: String, _ committed: String) throws {
    let root = SharedData.packageRoot
    let output = FileManager.default.temporaryDirectory
      .appendingPathComponent("tickbird-\(UUID().uuidString).swift")
    defer { try? FileManager.default.removeItem(at: output) }
    let path = root.appendingPathComponent("Scripts").appendingPathComponent(script).path
    _ = try InstalledData.output(of: [InstalledData.python, path, "--output", output.path])
    let written = try Data(contentsOf: output)
    let expected = try Data(contentsOf: root.appendingPathComponent(committed))
    // Comparing the lengths first keeps a failure's report short.
    #expect(written.count == expected.count)
    #expect((written == expected) as Bool, "run Scripts/\(script)")
  }

  @Test(
    .enabled(
      if: InstalledData.hasUnicodeOfTables && InstalledData.has(InstalledData.python),
      "unicode-data of the tables' version, or python3, is not installed"
    )
  )
  func domainTablesAreReproduced() throws {
    try expectReproduced(by: "generate-idna-tables", "Sources/WebURL/IDNA/IDNAData.swift")
  }

  @Test(
    .enabled(
      if: InstalledData.hasPublicSuffixListOfTable && InstalledData.has(InstalledData.python),
      "publicsuffix of the table's edition, or python3, is not installed"
    )
  )
  func publicSuffixesAreReproduced() throws {
    try expectReproduced(
      by: "generate-public-suffixes",
      "Sources/WebURL/PublicSuffix/PublicSuffixData.swift"
    )
  }
}
