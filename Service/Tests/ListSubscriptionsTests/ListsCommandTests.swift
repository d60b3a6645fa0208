import Foundation
import Glibc
import HostTestSupport
import ListIngestion
import Testing

@testable import ListSubscriptions

@Suite("tickbird lists")
struct ListsCommandTests {
  @Test("An empty state says what to do, and nothing is made or fetched")
  func empty() throws {
    let folder = try TestFolder()
    let home = folder.url.appending(path: "home")
    let command = HostProgram(home: home)
    for arguments in [[], ["show"], ["update"], ["update", "--due"]] as [[String]] {
      let result = try command.run(["lists"] + arguments)
      #expect(result.status == 0 && result.output.contains("tickbird lists add"), "\(result)")
    }
    #expect(try command.run("lists", "show", "--format", "json").output == "[\n\n]\n")
    let catalogue = try command.run("lists", "catalogue").output
    #expect(catalogue.contains("easylist: EasyList") && catalogue.contains("GPL-3.0-or-later"))
    #expect(try command.run("lists", "catalogue", "de").output.contains("easylist-germany"))
    #expect(!FileManager.default.fileExists(atPath: home.appending(path: "data").path))
  }

  @Test("Wrong input is refused in words and with a status")
  func wrong() throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    let cases: [([String], Int32, String)] = [
      (["add"], 2, "Missing expected argument"), (["add", "nothing.txt"], 2, "there is no file"),
      (["add", "ftp://x.example/"], 2, "no address of a list"),
      (["remove", "x"], 1, "no lists yet"),
      (["show", "x"], 1, "no lists yet"), (["on", "x"], 1, "no lists yet"),
      (["update", "x"], 1, "no lists yet"), (["catalogue", "xx"], 1, "no list for xx"),
      (["add", folder.url.path], 2, "is a folder"), (["add", "x", "--name", ""], 2, "--name"),
      (["add", "/dev/null"], 2, "cannot be read"), (["show", "--format", "x"], 2, "--format"),
    ]
    for (arguments, status, words) in cases {
      let result = try command.run(["lists"] + arguments)
      #expect(result.status == status, "\(arguments): \(result)")
      #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
    }
  }

  @Test("A list's whole life: add, show, update, off, on, remove; browsers see each step")
  func life() async throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    let server = try ListServer { _ in .text(filters(3, header: "! Title: Made-up\u{1B}[31m\n")) }
    let port = try HostPort(command)
    func lists() throws -> [[String: Any]] {
      var answer = try port.ask(["type": "lists", "question": 1])
      // A notice of the step before may come first.
      while answer["type"] as? String == "changed" { answer = try port.receive() }
      return answer["lists"] as? [[String: Any]] ?? []
    }
    #expect(try lists().isEmpty)
    let added = try await command.run("lists", "add", server.address + "/ads.txt")
    #expect(added.status == 0, "\(added)")
    #expect(
      added.output.contains("as ads: 4 rules made of 3 filters") && !added.output.contains("\u{1B}")
    )
    #expect(try port.receive()["type"] as? String == "changed")
    let list = try #require(try lists().first)
    #expect(list["identifier"] as? String == "list:ads")
    let part = try port.ask([
      "type": "part", "question": 2, "digest": list["digest"] ?? "", "offset": 0,
    ])
    let bytes = Data(base64Encoded: try #require(part["bytes"] as? String))
    #expect(bytes?.starts(with: Data("TICKBIRD".utf8)) == true)
    #expect(bytes?.count == list["size"] as? Int)
    server.answer { _ in .text(filters(8)) }
    let updated = try await command.run("lists", "update")
    #expect(updated.status == 0 && updated.output.contains("9 rules made of 8 filters, before 4"))
    #expect(try port.receive()["type"] as? String == "changed")
    #expect(try lists().first?["digest"] as? String != list["digest"] as? String)
    server.answer { _ in .status(500) }
    let failed = try await command.run("lists", "update", "ads")
    #expect(failed.status == 1 && failed.errors.contains("the previous version stays in use"))
    #expect(try await command.run("lists", "show", "ads").output.contains("last error:"))
    let json = try await command.run("lists", "show", "ads", "--format", "json").bytes
    let shown = try JSONSerialization.jsonObject(with: json) as? [String: Any]
    #expect((shown?["fault"] as? [String: Any])?["code"] as? String == "fetch-failed")
    #expect((shown?["files"] as? [String: Any])?["map"] is String)
    #expect(try await command.run("lists", "off", "ads").status == 0)
    #expect(try lists().isEmpty)
    #expect(try await command.run("lists", "on", "ads").status == 0)
    #expect(try lists().count == 1)
    #expect(try await command.run("lists", "remove", "ads").output.contains("Removed"))
    #expect(try lists().isEmpty)
    _ = try port.close()
  }

  @Test("Browsers add, update, switch and remove lists by the same calls, and no files")
  func wire() throws {
    let folder = try TestFolder()
    let server = try ListServer { _ in .text(filters(3)) }
    let port = try HostPort(HostProgram(home: folder.url))
    func ask(_ question: [String: Any]) throws -> [String: Any] {
      let answer = try port.exchange(JSONSerialization.data(withJSONObject: question))
      let object = try JSONSerialization.jsonObject(with: answer) as? [String: Any]
      // Notices may come before an answer.
      return object?["type"] as? String == "changed" ? try port.receive() : object ?? [:]
    }
    let catalogue = try ask(["type": "catalogue"])["entries"] as? [[String: Any]]
    #expect(catalogue?.contains { $0["id"] as? String == "easylist" } == true)
    #expect((try ask(["type": "subscriptions"])["lists"] as? [Any])?.isEmpty == true)
    let file = try ask(["type": "addList", "source": "/etc/hosts"])
    #expect(file["type"] as? String == "error" && file["code"] as? String == "bad-source")
    // What comes out of somebody's file was not typed by the user.
    let foreign = try ask([
      "type": "addList", "source": "\(server.address)/ads.txt", "localAddresses": [] as [String],
    ])
    #expect(foreign["code"] as? String == "fetch-failed" && server.requests.isEmpty, "\(foreign)")
    let added = try ask(["type": "addList", "source": "\(server.address)/ads.txt", "name": "Ads"])
    let list = added["list"] as? [String: Any]
    #expect(list?["id"] as? String == "ads" && list?["rules"] as? Int == 4, "\(added)")
    server.answer { _ in .text("<html>") }
    let updates = try ask(["type": "updateLists", "lists": ["ads"]])["updates"] as? [[String: Any]]
    #expect(updates?.first?["outcome"] as? String == "failed")
    let shown = try ask(["type": "subscriptions"])["lists"] as? [[String: Any]]
    #expect((shown?.first?["fault"] as? String)?.contains("web page") == true)
    let off = try ask(["type": "switchList", "list": "ads", "isOn": false])["list"]
    #expect((off as? [String: Any])?["isOn"] as? Bool == false)
    #expect(try ask(["type": "removeList", "list": "ads"])["type"] as? String == "listRemoved")
    #expect(try ask(["type": "removeList", "list": "ads"])["code"] as? String == "not-found")
    #expect(try ask(["type": "removeList"])["type"] as? String == "error")
    #expect(try port.close() == 0)
  }

  @Test("What is said of lists counts and names as people do")
  func words() async throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    func file(_ name: String, _ text: String) throws -> String {
      let file = folder.url.appending(path: name)
      try Data(text.utf8).write(to: file)
      return file.path
    }
    let empty = try file("empty.txt", "")
    let nothing = try await command.run("lists", "add", empty).errors
    #expect(nothing.contains("\(empty): there is nothing in it"), "\(nothing)")
    let broken = try file("e.json", "[{\"trigger\":{}}]")
    let refused = try await command.run("lists", "add", broken).errors
    #expect(
      refused.contains("\(broken):1:") && refused.contains(": WebKit refuses it"),
      "\(refused)"
    )
    // Cut off within what is compressed.
    let cut = folder.url.appending(path: "cut.gz")
    try Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]).write(to: cut)
    let half = try await command.run("lists", "add", cut.path).errors
    #expect(half.contains("\(cut.path): it is cut off"), "\(half)")
    let unknown = try await command.run("lists", "add", "esylist").errors
    #expect(unknown.contains("tickbird lists catalogue"), "\(unknown)")
    let mine = try file("mine.txt", "||ads.example^\n")
    #expect(try await command.run("lists", "own", mine).output.contains("rules act: "))
    let one = try file("one.json", #"[{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}]"#)
    #expect(try await command.run("lists", "own", one).output.contains("rules act: 1 rule."))
    let partly = try file("partly.txt", "||ads.example^\n##+js(x)\n")
    let account = try await command.run("lists", "own", partly).output
    #expect(account.contains("1 impossible") && account.contains("first: line 2"), "\(account)")
    let printed = try await command.run("lists", "own").output
    #expect(printed == "||ads.example^\n##+js(x)\n")
    _ = try await command.run("lists", "own", one)
    // Their text stays when the list is removed, and is told of.
    let removed = try await command.run("lists", "remove", "own-rules").output
    #expect(removed.contains("text stays in") && removed.contains("Own/rules.txt"), "\(removed)")
    #expect(try await command.run("lists", "own").output.contains("url-filter"))
    _ = try await command.run("lists", "add", mine)
    let plain = try await command.run("lists", "remove", "mine").output
    #expect(plain.contains("the file \(mine) stays"), "\(plain)")
    // What is gone does not stay, and what else is in the list's folder does.
    _ = try await command.run("lists", "add", mine)
    let other = folder.url.appending(path: "data/Subscriptions/Lists/mine/remember.txt")
    try Data("me".utf8).write(to: other)
    try FileManager.default.removeItem(atPath: mine)
    let gone = try await command.run("lists", "remove", "mine").output
    #expect(gone.contains("was not there any more") && !gone.contains("\(mine) stays"), "\(gone)")
    #expect(gone.contains("What is not Tickbird's stays: \(other.path)."), "\(gone)")
    #expect(FileManager.default.fileExists(atPath: other.path))
  }

  @Test("The service updates what is due by itself, and leaves the rest")
  func service() async throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    let server = try ListServer { _ in .text(filters(3)) }
    for name in ["due", "later"] {
      #expect(try await command.run("lists", "add", "\(server.address)/\(name).txt").status == 0)
    }
    let store = SubscriptionStore(data: folder.url.appending(path: "data"))
    _ = try store.change("due") { $0.next = Date(timeIntervalSinceNow: -1) }
    server.answer { _ in .text(filters(5)) }
    let process = try command.process(["run"])
    try process.run()
    for _ in 0..<600 where try store.subscription("due").summary?.rules != 6 {
      try await Task.sleep(for: .milliseconds(50))
    }
    process.terminate()
    process.waitUntilExit()
    #expect(try store.subscription("due").summary?.rules == 6)
    #expect(try store.subscription("later").summary?.rules == 4)
    #expect(server.requests.map(\.path) == ["/due.txt", "/later.txt", "/due.txt"])
  }

  @Test("A list that was killed on its way leaves nothing, and the old one acting")
  func killed() async throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    let stalled = ListServer.Answer(
      body: Array(filters(10).utf8),
      length: 100_000,
      isStalled: true
    )
    let server = try ListServer { _ in stalled }
    func killed(_ arguments: String...) async throws {
      let count = server.requests.count
      let process = try command.process(["lists"] + arguments)
      try process.run()
      while server.requests.count == count { try await Task.sleep(for: .milliseconds(20)) }
      process.send(SIGKILL)
      process.waitUntilExit()
    }
    try await killed("add", server.address + "/ads.txt")
    #expect(try await command.run("lists").output.contains("There are no lists yet"))
    server.answer { _ in .text(filters(4)) }
    #expect(try await command.run("lists", "add", server.address + "/ads.txt").status == 0)
    server.answer { _ in stalled }
    try await killed("update", "ads")
    let data = folder.url.appending(path: "data")
    #expect(try SubscribedLists(data: data).files().map(\.identifier) == ["list:ads"])
    server.answer { _ in .text(filters(6)) }
    #expect(try await command.run("lists", "update").output.contains("7 rules"))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: data.appending(path: "Subscriptions/Lists").path
    )
    #expect(names == ["ads"])
  }

  @Test("How the process that prepares a list ended is told, and it is ended after a time")
  func preparation() async throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    let none = try await command.run("lists", "prepare", folder.url.path)
    #expect(none.status == 0 && none.output.isEmpty, "\(none)")
    let answer = folder.url.appending(path: "answer.json")
    #expect(try String(contentsOf: answer, encoding: .utf8).contains("\"failure\":\""))
    try FileManager.default.removeItem(at: answer)
    let preparation = ListPreparation.process(
      URL(filePath: "/bin/sh"),
      arguments: ["-c", "kill -9 $$"]
    )
    let error = await #expect(throws: SubscriptionError.self) {
      try await preparation.run(folder.url)
    }
    #expect(error?.code == .notPrepared && error?.message.contains("more memory") == true)
    let slow = ListPreparation.process(
      URL(filePath: "/bin/sh"),
      arguments: ["-c", "exec sleep 20"],
      seconds: 0.2
    )
    let late = await #expect(throws: SubscriptionError.self) { try await slow.run(folder.url) }
    #expect(late?.message.contains("too long") == true, "\(String(describing: late))")
  }
}
