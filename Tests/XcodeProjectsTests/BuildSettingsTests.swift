import Foundation
import Testing

@testable import XcodeProjects

@Suite("Build settings")
struct BuildSettingsTests {
  private func settings(_ levels: [(String, String)]...) -> BuildSettings {
    var settings = BuildSettings(configuration: "Release")
    for level in levels {
      settings.push(
        level.map { BuildSettings.Assignment(key: $0.0, value: $0.1, origin: "test") }
      )
    }
    return settings
  }

  @Test(
    "variables, modifiers and inheritance",
    arguments: [
      ("plain", "plain"), ("$(NAME)", "My App"), ("${NAME}!", "My App!"), ("$NAME", "$NAME"),
      ("$(NAME:rfc1034identifier)", "My-App"), ("$(NAME:c99extidentifier)", "My_App"),
      ("$(NAME:lower)", "my app"), ("$(NAME:upper)", "MY APP"), ("$(NAME:unknown)", "My App"),
      ("$(NAME:rfc1034identifier:lower)", "my-app"), ("$(DIGIT:identifier)", "_9_x"),
      ("$(NONE)", ""), ("$(NONE:default=other)", "other"), ("$(NAME:default=other)", "My App"),
      ("$(PREFIX_$(KIND))", "org.example"),
      ("$(FILE:base) $(FILE:suffix) $(FILE:file)", "c .d c.d"),
      ("$(FILE:dir)", "/a/b/"), ("$(open", "$(open"), ("$$(NAME)", "$My App"), ("$()", ""),
      ("$(FLAGS)", "-a -b -c"), ("$(SELF)", "low high"),
    ]
  )
  func values(text: String, expected: String) throws {
    let settings = settings(
      [("NAME", "My App"), ("FLAGS", "-a"), ("SELF", "low"), ("DIGIT", "9 x")],
      [("KIND", "APP"), ("PREFIX_APP", "org.example"), ("FLAGS", "$(inherited) -b")],
      [("FLAGS", "$(inherited) -c"), ("SELF", "$(SELF) high"), ("FILE", "/a/b/c.d")]
    )
    #expect(try settings.expand(text).text == expected)
  }

  @Test("a variable without value is named")
  func unknown() throws {
    #expect(try settings([("A", "$(B)")]).expand("$(A)$(C)").unknown == ["B", "C"])
  }

  @Test("settings that refer to each other are an error with their names")
  func loops() {
    let settings = settings([("A", "$(B)"), ("B", "x$(C:lower)"), ("C", "${A}")])
    #expect(
      throws: XcodeProjectError(
        .settings,
        "the build settings A → B → C → A refer to each other in a loop"
      )
    ) { try settings.value("A") }
  }

  @Test("values that double with each step, or refer on and on, end in an error")
  func bounds() {
    let doubling = (0..<60).map { ("A\($0)", "$(A\($0 + 1))$(A\($0 + 1))") }
    let chain = (0..<10_000).map { ("A\($0)", "$(A\($0 + 1))") }
    let nested = [("A0", String(repeating: "$(", count: 20_000))]
    let deep = [
      ("A0", String(repeating: "$(", count: 5_000) + String(repeating: ")", count: 5_000))
    ]
    #expect(throws: XcodeProjectError.self) { try settings(doubling).value("A0") }
    #expect(throws: XcodeProjectError.self) { try settings(chain).value("A0") }
    #expect(throws: XcodeProjectError.self) { try settings(deep).value("A0") }
    #expect(throws: Never.self) { try settings(nested).value("A0") }
  }

  @Test("conditions on the configuration are worked out, others ignored")
  func conditions() throws {
    let settings = settings([
      ("A", "plain"), ("A[config=Rel*]", "release"), ("B[config=Debug]", "debug"),
      ("A[sdk=macosx*]", "mac"), ("A[config=Release][arch=arm64]", "arm"),
    ])
    #expect(try settings.value("A") == "release")
    #expect(try settings.value("B") == nil)
    #expect(settings.conditional.map(\.value) == ["mac", "arm"])
  }

  @Test("words are split as a shell does")
  func words() {
    #expect(
      BuildSettings.words(#" a "b c"  d\ e 'f "g"' "" "#) == ["a", "b c", "d e", "f \"g\"", ""]
    )
  }

  @Test("a configuration file is included by its name without the ending, too")
  func includeWithoutEnding() throws {
    let fixture = try Fixture("Xcode8")
    defer { fixture.remove() }
    let file = fixture.folder.appendingPathComponent("Config/Shared.xcconfig")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains("Names.xcconfig"))
    try fixture.write(
      text.replacing("Names.xcconfig", with: "Names"),
      to: "Config/Shared.xcconfig"
    )
    #expect(try XcodeProject(at: fixture.folder).extensionTargets().first?.point != nil)
    #expect(try !fixture.plan().findings.contains { $0.line.contains("Config/Names") })
  }

  @Test("configuration files that include each other are an error with their names")
  func includes() throws {
    let fixture = try Fixture("Xcode8")
    defer { fixture.remove() }
    try fixture.write("#include \"Shared.xcconfig\"\n", to: "Config/Names.xcconfig")
    let target = try #require(try XcodeProject(at: fixture.folder).extensionTargets().first)
    #expect(
      target.status
        == .refused(
          "Xcode8/Config/Shared.xcconfig includes Xcode8/Config/Names.xcconfig includes "
            + "Xcode8/Config/Shared.xcconfig: configuration files include each other"
        )
    )
  }
}
