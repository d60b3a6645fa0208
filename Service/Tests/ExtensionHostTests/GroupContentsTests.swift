import ExtensionMessages
import Foundation
import Testing

@testable import ExtensionHost

/// What the user sets in the place of an extension's app.
@Suite("The contents of an application group")
struct GroupContentsTests {
  private let group = "group.com.example.blocker"
  private let identifier = "com.example.blocker"

  /// A host with an extension that nobody signed, and the folder of its group.
  private func scene(_ groups: [String]? = nil) async throws -> (TestHost, URL) {
    let test = try await TestHost()
    let bundle = try await test.add(identifier, groups: groups ?? [group])
    guard let first = (groups ?? [group]).first else { return (test, test.data) }
    return (test, try await test.groupFolder(first, of: bundle))
  }

  private func set(
    _ value: MessageValue?,
    _ key: String = "key",
    _ group: String? = nil,
    in test: TestHost
  ) async throws {
    try await test.host.setGroupValue(value, for: key, in: group, of: identifier)
  }

  @Test("Values are read again as they were set, and the state names the folder")
  func values() async throws {
    let (test, folder) = try await scene()
    #expect(try await test.host.describeGroup(nil, of: identifier).values == [:])
    let values: [String: MessageValue] = [
      "flag": .bool(true), "zero": .integer(0), "one": .integer(1), "number": .double(0.5),
      "text": .string("ü <&> \"\n"), "data": .data([0, 255]), "date": .date(86_400),
      "list": .array([.string("a"), .array([]), [:]]), "": .string("no name"),
      "more": ["flag": .bool(false), "least": .integer(.min)],
    ]
    for (key, value) in values { try await set(value, key, in: test) }
    let found = try await test.host.describeGroup(nil, of: identifier)
    #expect(found == GroupDescription(group: group, path: folder.path, values: values))
    // Other values of an app stay.
    try await set(nil, "flag", in: test)
    try await set(nil, "none", in: test)
    #expect(
      try await test.host.describeGroup(group, of: identifier).values
        == values.filter { $0.key != "flag" }
    )
    #expect(try await test.host.summary(of: identifier).groupFolders[group]?.path == folder.path)
    #expect(try await test.host.logText(of: identifier).contains("\"flag\" was removed"))
  }

  @Test(
    "What defaults cannot have is refused by its key, and nothing is written",
    arguments: [
      .null, .array([.null]), ["member": .uuid(high: 1, low: 2)],
      .string(String(repeating: "x", count: 10_000_000)),
    ] as [MessageValue]
  )
  func wrongValues(value: MessageValue) async throws {
    let (test, _) = try await scene()
    try await set(.integer(1), in: test)
    let message = await test.refusal { try await set(value, in: test) }
    #expect(message.contains("\"key"), "\(message)")
    #expect(try await test.host.describeGroup(nil, of: identifier).values == ["key": .integer(1)])
  }

  @Test("A group is found by its name, or for being the only one")
  func names() async throws {
    let (none, _) = try await scene([])
    #expect(await none.refusal { try await set(.integer(1), in: none) }.contains("no application"))
    let (several, _) = try await scene([group, "group.other"])
    let message = await several.refusal { try await set(.integer(1), in: several) }
    #expect(
      message.contains(group) && message.contains("group.other") && message.contains("--group")
    )
    try await set(.integer(1), "key", "group.other", in: several)
    #expect(try await several.host.describeGroup(group, of: identifier).values == [:])
    for name in ["group.stranger", "../Groups", ""] {
      let message = await several.refusal { try await set(.integer(1), "key", name, in: several) }
      #expect(message.contains("has no application group"), "\(message)")
    }
    await #expect(throws: ErrorReport.self) {
      try await several.host.describeGroup(nil, of: "com.example.none")
    }
  }

  @Test("Files are copied, replaced and removed, in folders too")
  func files() async throws {
    let (test, folder) = try await scene()
    let source = test.folder.url.appending(path: "list.json")
    for text in ["[]", "[1]"] {
      try Data(text.utf8).write(to: source)
      try await test.host.setGroupFile("Lists/de/rules.json", to: source, in: nil, of: identifier)
      let copy = folder.appending(path: "Lists/de/rules.json")
      #expect(try String(contentsOf: copy, encoding: .utf8) == text)
    }
    try await test.host.setGroupFile("Lists/de/rules.json", to: nil, in: nil, of: identifier)
    try await test.host.setGroupFile("none", to: nil, in: nil, of: identifier)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Lists/de").isEmpty
    )
    for name in ["", "/etc/x", "../x", "a/../../x", "a//b", "./x", "a/", "x\0y"] {
      let message = await test.refusal {
        try await test.host.setGroupFile(name, to: source, in: nil, of: identifier)
      }
      #expect(message.contains("is not the path of a file"), "\(name): \(message)")
    }
    for missing in ["none.json", "."] {
      let message = await test.refusal {
        try await test.host.setGroupFile(
          "x",
          to: test.folder.url.appending(path: missing),
          in: nil,
          of: identifier
        )
      }
      #expect(message != "" && !message.hasPrefix("other error"), "\(message)")
    }
  }

  @Test("No file takes the place of the group's defaults")
  func defaultsStay() async throws {
    let (test, _) = try await scene()
    try await set(.integer(1), in: test)
    let source = test.folder.url.appending(path: "rubbish")
    try Data("rubbish".utf8).write(to: source)
    for name in ["Library/Preferences/\(group).plist", "Library/Preferences", "Library"] {
      let message = await test.refusal {
        try await test.host.setGroupFile(name, to: source, in: nil, of: identifier)
      }
      #expect(message.contains("the defaults of \(group)"), "\(name): \(message)")
    }
    #expect(try await test.host.describeGroup(nil, of: identifier).values == ["key": .integer(1)])
    try await test.host.setGroupFile(
      "Library/Preferences/other.plist",
      to: source,
      in: nil,
      of: identifier
    )
  }

  @Test("No link that an extension left leads out of its group's folder")
  func links() async throws {
    let (test, folder) = try await scene()
    let files = FileManager.default
    let outside = test.folder.url.appending(path: "outside")
    try files.createDirectory(at: outside, withIntermediateDirectories: true)
    let precious = outside.appending(path: "precious")
    try Data("mine".utf8).write(to: precious)
    let source = test.folder.url.appending(path: "source")
    try Data("copied".utf8).write(to: source)

    // A folder that is a link gives way, and a file that is one is replaced itself.
    try files.createSymbolicLink(at: folder.appending(path: "Lists"), withDestinationURL: outside)
    try await test.host.setGroupFile("Lists/precious", to: source, in: nil, of: identifier)
    try files.createSymbolicLink(at: folder.appending(path: "file"), withDestinationURL: precious)
    try await test.host.setGroupFile("file", to: source, in: nil, of: identifier)
    #expect(try String(contentsOf: precious, encoding: .utf8) == "mine")

    try files.removeItem(at: folder.appending(path: "Library"))
    try files.createSymbolicLink(at: folder.appending(path: "Library"), withDestinationURL: outside)
    try await set(.integer(1), in: test)
    #expect(try files.contentsOfDirectory(atPath: outside.path) == ["precious"])

    let defaults = folder.appending(path: "Library/Preferences/\(group).plist")
    try files.removeItem(at: defaults)
    try files.createSymbolicLink(at: defaults, withDestinationURL: precious)
    #expect(await test.refusal { try await set(.integer(1), in: test) }.contains("not a file"))
    #expect(try String(contentsOf: precious, encoding: .utf8) == "mine")
  }

  @Test("Defaults that are no property list are left as they are, and the file is named")
  func damaged() async throws {
    let (test, folder) = try await scene()
    let file = folder.appending(path: "Library/Preferences/\(group).plist")
    for text in ["rubbish", "<plist><array/></plist>", "<plist><dict><key>a</key>"] {
      try Data(text.utf8).write(to: file)
      let message = await test.refusal { try await set(.integer(1), in: test) }
      #expect(message.contains(file.path) && message.contains("move the file away"), "\(message)")
      #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
    // A process that was killed while it created the file leaves it empty.
    try Data().write(to: file)
    try await set(.integer(1), in: test)
  }

  @Test(
    "A handler reads what was set, and nothing is set while one runs",
    .enabled(if: TestHost.hasSandbox, "extensions run only where the kernel can confine them")
  )
  func handlers() async throws {
    let test = try await TestHost()
    let entitlements = ["com.apple.security.application-groups": [group]]
    try await test.install(
      .handler("SettingsBlocker").with { $0.entitlements = entitlements },
      isOn: false
    )
    try await set(.array([.string("ads.test")]), "domains", in: test)
    try await test.host.turnOn(identifier)
    #expect(try #require(await test.sources[identifier]).contains("*ads.test"))
    await test.host.waitForProcesses()
    let runs = try await test.host.describeGroup(nil, of: identifier).values["runs"]
    #expect(runs == .integer(1))

    let web = "com.example.web"
    try await test.install(
      .handler("SilentHandler").asWebExtension.with {
        $0.entitlements = ["com.apple.security.application-groups": ["group.com.example.web"]]
      }
    )
    let request = Task { try await test.host.ask(.null, of: web) }
    while await test.host.runningExtensions.isEmpty {
      try await Task.sleep(for: .milliseconds(5))
    }
    let message = await test.refusal {
      try await test.host.setGroupValue(.integer(1), for: "key", in: nil, of: web)
    }
    #expect(message.contains("is running"), "\(message)")
    try await test.host.turnOff(web)
    _ = await request.result
    await test.host.waitForProcesses()
    try await test.host.setGroupValue(.integer(1), for: "key", in: nil, of: web)
  }
}
