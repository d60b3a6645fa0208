import ContentBlocking
import ContentRules
import Foundation
import RuleCompiler
import RuleMatching
import Testing

@Suite("What the store does when something is wrong")
struct StoreFaultTests {
  /// A store with one list, `list`, and the place of its file.
  private func withList(_ body: (RuleListStore, URL) throws -> Void) throws {
    try withFolder { folder in
      let store = try RuleListStore(directory: folder)
      try store.compileContentRuleList(
        forIdentifier: "list",
        encodedContentRuleList: plainList(("ads", "block"))
      )
      try body(store, folder.appendingPathComponent("ContentRuleList-list"))
    }
  }

  private func lookUpError(_ store: RuleListStore) -> RuleListStoreError? {
    storeError { () throws(RuleListStoreError) in
      try store.lookUpContentRuleList(forIdentifier: "list")
    }
  }

  private func compileError(_ store: RuleListStore, _ json: [UInt8]) -> RuleListStoreError? {
    storeError { () throws(RuleListStoreError) in
      try store.compileContentRuleList(forIdentifier: "list", encodedContentRuleList: json)
    }
  }

  @Test("a list that is refused leaves the active one")
  func refusedList() throws {
    try withList { store, _ in
      let error = compileError(store, plainList(("a|b", "block")))
      #expect(error?.code == .compileFailed)
      #expect(
        error?.message
          == "Rule list compilation failed: Invalid or unsupported regular expression."
      )
      #expect(error?.report?.webKitError?.webKitError == .jsonInvalidRegex)
      #expect(error?.isOfSystem == false)
      let list = try store.lookUpContentRuleList(forIdentifier: "list")
      #expect(list.source == plainList(("ads", "block")))
      #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory.path).count == 1)
    }
  }

  @Test("a list beyond the limits leaves the active one, and names the rule")
  func expensiveList() throws {
    try withList { store, _ in
      var limits = CompilerLimits()
      limits.instructionsPerFilter = 10
      limits.instructionsPerTable = 0
      let strict = try RuleListStore(directory: store.directory, limits: limits)
      let error = compileError(
        strict,
        plainList(("a", "block"), ("[ab]+[cd]+[ef]+[gh]+[ij]+[kl]+[mn]+[op]+", "block"))
      )
      #expect(error?.code == .compileFailed)
      #expect(error?.report == nil)
      #expect(error?.message.contains("rule 1") == true, "\(error?.message ?? "")")
      let list = try store.lookUpContentRuleList(forIdentifier: "list")
      #expect(list.source == plainList(("ads", "block")))
    }
  }

  @Test("a file of another version is compiled again from its source, and replaced")
  func otherVersion() throws {
    try withList { store, file in
      let good = try Data(contentsOf: file)
      var bytes = Array(good)
      bytes[8] = 99
      try Data(bytes).write(to: file)
      let list = try store.lookUpContentRuleList(forIdentifier: "list")
      #expect(list.source == plainList(("ads", "block")))
      var blocker = ContentBlocker(lists: [list])
      #expect(blocker.decision(for: try makeLoad("https://x.test/ads")).isBlocked)
      #expect(try Data(contentsOf: file) == good)
    }
  }

  @Test("a file of another version without a source, or with one that is refused, says so")
  func otherVersionWithoutSource() throws {
    try withList { store, file in
      var bytes = Array(try Data(contentsOf: file))
      bytes[8] = 99
      try Data(bytes[..<100]).write(to: file)
      let short = lookUpError(store)
      #expect(short?.code == .versionMismatch)
      #expect(
        short?.message
          == "the compiled list list is of another version and has no source; compile it again"
      )
      // The source is the last section; its first byte is the array's bracket.
      let start =
        Int(bytes[FileLayout.contentStart - 8]) | Int(bytes[FileLayout.contentStart - 7]) << 8
        | Int(bytes[FileLayout.contentStart - 6]) << 16
      try #require(bytes[start] == UInt8(ascii: "["))
      bytes[start] = UInt8(ascii: "{")
      try Data(bytes).write(to: file)
      let refused = lookUpError(store)
      #expect(refused?.code == .versionMismatch)
      #expect(
        refused?.message
          == "the compiled list list is of another version, and its source is not accepted: "
          + "Rule list compilation failed: Failed to parse the JSON String."
      )
      #expect(refused?.report?.webKitError?.webKitError == .jsonInvalid)
    }
  }

  @Test("every flipped bit is noticed, or leaves a list that is whole")
  func flippedBits() throws {
    try withList { store, file in
      let good = Array(try Data(contentsOf: file))
      let source = plainList(("ads", "block"))
      let sourceStart = good.count - (source.count + 7) / 8 * 8
      for offset in good.indices {
        var bytes = good
        bytes[offset] ^= 1 << (offset % 8)
        try Data(bytes).write(to: file)
        if (8..<12).contains(offset) {
          // Another version: compiled again.
          let list = try store.lookUpContentRuleList(forIdentifier: "list")
          #expect(list.source == plainList(("ads", "block")))
          continue
        }
        if offset >= sourceStart {
          // Deciding does not need the source, which has a checksum of its own.
          let list = try store.lookUpContentRuleList(forIdentifier: "list")
          #expect(list.compiled.isSourceIntact == (list.source == source))
          continue
        }
        let error = lookUpError(store)
        #expect(error?.code == .lookUpFailed, "byte \(offset)")
        #expect(error?.message.hasPrefix("the compiled list list is damaged: ") == true)
        #expect(error?.message.hasSuffix("; compile the list again") == true)
      }
    }
  }

  @Test("a file that was cut off anywhere is damaged")
  func truncated() throws {
    try withList { store, file in
      let good = Array(try Data(contentsOf: file))
      for length in [0, 1, 7, 8, 11, 12, 31, 32, 119, 120, good.count / 2, good.count - 1] {
        try Data(good[..<length]).write(to: file)
        let error = lookUpError(store)
        #expect(error?.code == .lookUpFailed, "\(length) bytes")
        #expect(error?.message.hasSuffix("; compile the list again") == true, "\(length) bytes")
      }
      try Data(good + [0]).write(to: file)
      #expect(lookUpError(store)?.code == .lookUpFailed)
      // A damaged list can be replaced.
      try store.compileContentRuleList(
        forIdentifier: "list",
        encodedContentRuleList: plainList(("ads", "block"))
      )
      #expect(Array(try Data(contentsOf: file)) == good)
    }
  }

  @Test("a list that is not there is said to be missing")
  func missing() throws {
    try withFolder { folder in
      let store = try RuleListStore(directory: folder)
      let found = lookUpError(store)
      #expect(found?.code == .lookUpFailed)
      #expect(
        found?.message
          == "there is no list under the identifier list in \(folder.path); compile it first"
      )
      let removed = storeError { () throws(RuleListStoreError) in
        try store.removeContentRuleList(forIdentifier: "list")
      }
      #expect(removed?.code == .removeFailed)
      #expect(
        removed?.message == "there is no list under the identifier list in \(folder.path)"
      )
    }
  }

  @Test("a folder in a list's place is neither read, nor replaced, nor removed")
  func folderInPlace() throws {
    try withFolder { folder in
      let store = try RuleListStore(directory: folder)
      let place = folder.appendingPathComponent("ContentRuleList-list")
      let inside = place.appendingPathComponent("kept")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Data([1]).write(to: inside)
      let found = lookUpError(store)
      #expect(found?.code == .lookUpFailed)
      #expect(
        found?.message
          == "the compiled list list cannot be opened at \(place.path); give the file's "
          + "permissions, or remove what is there and compile the list again (is a directory)"
      )
      let compiled = compileError(store, plainList(("a", "block")))
      #expect(compiled?.code == .compileFailed)
      #expect(compiled?.isOfSystem == true)
      #expect(
        compiled?.message
          == "the compiled list list cannot be written to \(place.path); make room or give the "
          + "folder's permissions (is a directory)"
      )
      let removed = storeError { () throws(RuleListStoreError) in
        try store.removeContentRuleList(forIdentifier: "list")
      }
      #expect(removed?.code == .removeFailed)
      #expect(
        removed?.message.hasPrefix("the compiled list list cannot be removed from ") == true
      )
      #expect(try Data(contentsOf: inside) == Data([1]))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
          == ["ContentRuleList-list"]
      )
    }
  }

  @Test("a pipe in a list's place does not make the reader wait")
  func pipeInPlace() throws {
    try withFolder { folder in
      let store = try RuleListStore(directory: folder)
      let place = folder.appendingPathComponent("ContentRuleList-list")
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["mkfifo", place.path]
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
      #expect(lookUpError(store)?.code == .lookUpFailed)
    }
  }

  @Test("a store's folder that cannot be made or has gone is unusable")
  func unusableFolder() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("file")
      try Data().write(to: file)
      for place in [file, file.appendingPathComponent("below")] {
        let error = storeError { () throws(RuleListStoreError) in
          try RuleListStore(directory: place)
        }
        #expect(error?.code == .folderUnusable)
        #expect(
          error?.message.hasPrefix(
            "the store's folder \(place.path) cannot be created; give another one ("
          ) == true
        )
      }
      let gone = folder.appendingPathComponent("gone")
      let store = try RuleListStore(directory: gone)
      try FileManager.default.removeItem(at: gone)
      #expect(compileError(store, plainList(("a", "block")))?.code == .compileFailed)
      #expect(lookUpError(store)?.code == .lookUpFailed)
      let listed = storeError { () throws(RuleListStoreError) in
        try store.availableContentRuleListIdentifiers()
      }
      #expect(listed?.code == .folderUnusable)
    }
  }

  @Test(
    "a folder without permission to write keeps serving lists, those of another version too",
    .enabled(if: getuid() != 0, "The superuser may write everywhere.")
  )
  func readOnlyFolder() throws {
    try withList { store, file in
      var bytes = Array(try Data(contentsOf: file))
      bytes[8] = 99
      try Data(bytes).write(to: file)
      let path = store.directory.path
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: path)
      defer {
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
      }
      let error = compileError(store, plainList(("a", "block")))
      #expect(error?.code == .compileFailed)
      #expect(error?.message.contains("give the folder's permissions") == true)
      let list = try store.lookUpContentRuleList(forIdentifier: "list")
      #expect(list.source == plainList(("ads", "block")))
    }
  }
}
