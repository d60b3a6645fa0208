import BrowserPipe
import Foundation
import TestSupport
import Testing

@Suite("Browsers over a pipe")
struct BrowserPipeTests {
  /// Makes a program that answers as a browser does: it writes a text for each message that it reads.
  private func program(_ scratch: Scratch, _ script: String) throws -> String {
    try scratch.program("browser", "#!/bin/bash\n" + script).path
  }

  @Test("answers and events come to those who wait for them, and the profile goes away")
  func talking() throws {
    let scratch = try Scratch()
    let log = scratch.folder.appending(path: "arguments").path
    let path = try program(
      scratch,
      #"""
      for word in "$@"; do case $word in --user-data-dir=*) echo "${word#*=}" > "\#(log)";; esac; done
      number=0
      while IFS= read -r -d '' message <&3; do
        number=$((number + 1))
        printf '{"method":"Something.happened","params":{"n":%s},"sessionId":"s"}\0' $number >&4
        case $message in
        *Refused*) printf '{"id":%s,"error":{"message":"not today"}}\0' $number >&4 ;;
        *) printf '{"id":%s,"result":{"product":"x"}}\0' $number >&4 ;;
        esac
      done
      """#
    )
    let browser = try DevToolsConnection(program: path)
    let profile = try String(contentsOfFile: log, encoding: .utf8).trimmingCharacters(in: .newlines)
    let folder = URL(filePath: profile).deletingLastPathComponent().path
    let attributes = try FileManager.default.attributesOfItem(atPath: folder)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    var events: [Int] = []
    browser.onEvent = { method, params, session in
      #expect(method == "Something.happened")
      #expect(session == "s")
      events.append(params["n"]?.integer ?? 0)
    }
    #expect(try browser.call("Any.thing")["product"]?.string == "x")
    do {
      _ = try browser.call("Some.Refused")
      Issue.record("no error")
    } catch {
      #expect(error.code == .refused)
      #expect(error.message == "Some.Refused: not today")
    }
    #expect(events == [2, 3])
    browser.close()
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test("a browser that never stops talking is waited for no longer than others")
  func flood() throws {
    let scratch = try Scratch()
    let path = try program(
      scratch,
      #"""
      IFS= read -r -d '' message <&3
      printf '{"id":1,"result":{}}\0' >&4
      while printf '{"method":"Some.noise"}\0' >&4; do :; done 2> /dev/null
      """#
    )
    let browser = try DevToolsConnection(program: path)
    defer { browser.close() }
    let start = ContinuousClock.now
    var count = 0
    browser.onEvent = { _, _, _ in
      count += 1
      // So that the noise comes faster than it is heard.
      usleep(1_000)
    }
    try browser.wait(until: start + .milliseconds(300))
    #expect(count > 10)
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test(
    "a program that is no browser is an error, and leaves nothing behind",
    arguments: [
      ("exit 1", "cannot-start"), ("exec 3<&- 4>&-; sleep 100", "cannot-start"),
      (#"printf 'garbage\0' >&4; sleep 100"#, "gone"),
    ]
  )
  func noBrowser(_ script: String, _ code: String) throws {
    let scratch = try Scratch()
    let path = try program(scratch, script)
    let start = ContinuousClock.now
    do {
      _ = try DevToolsConnection(program: path)
      Issue.record("no error")
    } catch {
      // The first error says that it cannot be started, if it ended.
      #expect(error.code.rawValue == code || error.code == .cannotStart)
    }
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test("a browser is found by its variable, then by its names")
  func finding() throws {
    let scratch = try Scratch()
    let path = try program(scratch, "")
    #expect(try BrowserProgram.path(["TICKBIRD_CHROMIUM": path]) == path)
    do {
      _ = try BrowserProgram.path(["TICKBIRD_CHROMIUM": path + "x"])
      Issue.record("no error")
    } catch {
      #expect(error.code == .missingBrowser)
      #expect(error.message.contains("TICKBIRD_CHROMIUM"))
    }
    try FileManager.default.moveItem(
      atPath: path,
      toPath: scratch.folder.appending(path: "chromium").path
    )
    #expect(
      try BrowserProgram.path(["PATH": scratch.folder.path])
        == scratch.folder.appending(path: "chromium").path
    )
  }
}
