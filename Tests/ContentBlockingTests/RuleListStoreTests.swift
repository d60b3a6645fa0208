import ContentBlocking
import Foundation
import RuleCompiler
import RuleMatching
import Testing

@Suite("The store of compiled lists")
struct RuleListStoreTests {
  static let identifiers = [
    "ads", "", ".", "..", "...", "../../etc/passwd", "/", "a/b", "a\\b", "%2F", "a%", " ", "-",
    "ContentRuleList-ads", "Süß", "е\u{301}", "広告", "👩‍👩‍👧", "a\u{0}b", "a\nb",
    String(repeating: "x", count: 184), String(repeating: "広", count: 20),
  ]

  @Test("a list is found, listed and removed under any identifier", arguments: identifiers)
  func anyIdentifier(_ identifier: String) throws {
    try withFolder { folder in
      let inner = folder.appendingPathComponent("store")
      let store = try RuleListStore(directory: inner)
      let json = plainList(("ads", "block"))
      let made = try store.compileContentRuleList(
        forIdentifier: identifier,
        encodedContentRuleList: json
      )
      let found = try store.lookUpContentRuleList(forIdentifier: identifier)
      for list in [made, found] {
        #expect(list.identifier == identifier)
        #expect(list.source == json)
      }
      #expect(try store.availableContentRuleListIdentifiers() == [identifier])
      // Nothing is beside the store, and one file is in it.
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: inner.path).count == 1)
      try store.removeContentRuleList(forIdentifier: identifier)
      #expect(try store.availableContentRuleListIdentifiers().isEmpty)
      #expect(
        storeError { () throws(RuleListStoreError) in
          try store.lookUpContentRuleList(forIdentifier: identifier)
        }?.code == .lookUpFailed
      )
    }
  }

  @Test("all identifiers live side by side")
  func manyIdentifiers() throws {
    try withFolder { folder in
      let store = try RuleListStore(directory: folder)
      for (number, identifier) in Self.identifiers.enumerated() {
        try store.compileContentRuleList(
          forIdentifier: identifier,
          encodedContentRuleList: plainList(("a\(number)", "block"))
        )
      }
      #expect(try store.availableContentRuleListIdentifiers() == Self.identifiers.sorted())
      for (number, identifier) in Self.identifiers.enumerated() {
        let list = try store.lookUpContentRuleList(forIdentifier: identifier)
        #expect(list.source == plainList(("a\(number)", "block")))
      }
    }
  }

  @Test("an identifier that is too long for a file's name is refused by every call")
  func longIdentifier() throws {
    try withFolder { folder in
      let store = try RuleListStore(directory: folder)
      let json = plainList(("a", "block"))
      let message =
        "the identifier is too long for a file's name: at most 184 bytes when "
        + "percent-encoded"
      for identifier in [
        String(repeating: "x", count: 185), String(repeating: "/", count: 62),
        String(repeating: "x", count: 100_000),
      ] {
        let compile = storeError { () throws(RuleListStoreError) in
          try store.compileContentRuleList(forIdentifier: identifier, encodedContentRuleList: json)
        }
        let lookUp = storeError { () throws(RuleListStoreError) in
          try store.lookUpContentRuleList(forIdentifier: identifier)
        }
        let remove = storeError { () throws(RuleListStoreError) in
          try store.removeContentRuleList(forIdentifier: identifier)
        }
        #expect(compile?.code == .compileFailed)
        #expect(lookUp?.code == .lookUpFailed)
        #expect(remove?.code == .removeFailed)
        #expect([compile, lookUp, remove].map { $0?.message } == [message, message, message])
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test("files that the store has not made are not listed")
  func foreignFiles() throws {
    try withFolder { folder in
      let store = try RuleListStore(directory: folder)
      for name in ["readme", "ContentRuleList-%41", "ContentRuleList-a b", "ContentRuleList-%zz"] {
        try Data().write(to: folder.appendingPathComponent(name))
      }
      #expect(try store.availableContentRuleListIdentifiers().isEmpty)
    }
  }

  @Test("a list that was looked up stays usable when it is replaced and removed")
  func lookedUpListsLiveOn() throws {
    try withFolder { folder in
      let store = try RuleListStore(directory: folder)
      try store.compileContentRuleList(
        forIdentifier: "list",
        encodedContentRuleList: plainList(("old", "block"))
      )
      let old = try store.lookUpContentRuleList(forIdentifier: "list")
      let new = try store.compileContentRuleList(
        forIdentifier: "list",
        encodedContentRuleList: plainList(("new", "block"))
      )
      try store.removeContentRuleList(forIdentifier: "list")
      var before = ContentBlocker(lists: [old])
      var after = ContentBlocker(lists: [new])
      let load = try makeLoad("https://x.test/old")
      #expect(before.decision(for: load).isBlocked)
      #expect(!after.decision(for: load).isBlocked)
      #expect(old.source == plainList(("old", "block")))
    }
  }

  @Test("while a list is being replaced, readers find the old one or the new one")
  func replacing() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tickbird-store-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try RuleListStore(directory: folder)
    let texts = [plainList(("old", "block")), plainList(("new", "block"), ("more", "make-https"))]
    try store.compileContentRuleList(forIdentifier: "list", encodedContentRuleList: texts[0])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask { @concurrent in
          for round in 0..<60 {
            let text = texts[(writer + round) % 2]
            let made = try store.compileContentRuleList(
              forIdentifier: "list",
              encodedContentRuleList: text
            )
            #expect(made.source == text)
          }
        }
      }
      group.addTask { @concurrent in
        for _ in 0..<400 {
          let found = try store.lookUpContentRuleList(forIdentifier: "list")
          #expect(texts.contains(found.source))
          #expect(try store.availableContentRuleListIdentifiers() == ["list"])
        }
      }
      try await group.waitForAll()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
  }

  @Test("the same list compiles to the same bytes")
  func sameBytes() throws {
    let json = listText([
      (#""url-filter":".*""#, ##""type":"css-display-none","selector":"#a""##),
      (#""url-filter":"x[0-9]+y""#, #""type":"block""#),
      (#""url-filter":"z","if-domain":["*a.test","b.test"]"#, #""type":"make-https""#),
      (
        #""url-filter":"q","resource-type":["image","script"]"#,
        #""type":"notify","notification":"n""#
      ),
    ])
    let first = try ContentRuleList.compile(json).file
    for _ in 0..<5 { #expect(try ContentRuleList.compile(json).file == first) }
    try withFolder { folder in
      let store = try RuleListStore(directory: folder)
      try store.compileContentRuleList(forIdentifier: "list", encodedContentRuleList: json)
      let file = folder.appendingPathComponent("ContentRuleList-list")
      #expect(Array(try Data(contentsOf: file)) == first)
    }
  }
}
