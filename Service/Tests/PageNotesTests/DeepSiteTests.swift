import Foundation
import TestSupport
import Testing

@testable import PageNotes

/// A host of one label more than sites are looked up with.
let deepSite = String(repeating: "a.", count: 128) + "example"

@Suite("Sites of more labels than are looked up")
struct DeepSiteTests {
  @Test("A note for a site of more labels than are looked up is refused, with another way")
  func tooManyLabels() throws {
    let most = String(repeating: "a.", count: 127) + "example"
    let address = "www." + deepSite
    #expect(try NoteTarget(.site, address: "https://www.\(most)/x").address == most)
    let error = #expect(throws: NoteError.self) { try NoteTarget(.site, address: address) }
    #expect(error?.code == .address)
    #expect(
      error?.message == """
        The site “\(PageAddress.shortened(deepSite))” has 129 labels, and notes are looked up for sites of at most \
        128; attach the note to the host, a path or a page
        """
    )
    for kind in [NoteTarget.Kind.host, .path, .page] {
      #expect(try NoteTarget(kind, address: address).contains(PageAddress(address)))
    }
    // A note that an older version took is still one.
    #expect(NoteTarget(key: "s" + deepSite)?.isTooDeep == true)
  }

  @Test("A note for a site of too many labels is left out and named, and all else arrives")
  func tooDeep() throws {
    let pair = try SyncPair()
    let stamp = Stamp(clock: 1 << 56, device: "older")
    func state(_ key: String, _ text: String, name: String) -> NoteState {
      var state = NoteState()
      state.write(key, to: \.target, name: "t\(name)", stamp: stamp)
      state.writeText(text, name: name, stamp: stamp)
      return state
    }
    try pair.insert(
      [
        (note: "n1", state: state("sn.example", "one", name: "v1")),
        (note: "n2", state: state("s" + deepSite, "deep", name: "v2")),
        (note: "n3", state: state("sm.example", "three", name: "v3")),
      ],
      device: "older",
      file: "older"
    )
    let report = try NoteSynchronizer(pair.one).synchronize()
    #expect(
      report.problems == [
        """
        tickbird-notes-older.sealed: 1 lines attach a note to a site of more than 128 labels, for which \
        notes are not looked up; on the device that wrote them, attach it to a host, a path or a page.
        """
      ]
    )
    #expect(try pair.one.notes().map(\.text).sorted() == ["one", "three"])
    // It is read once, is no loss that other notes would be written again for, and ends no other device's notes.
    let quiet = try NoteSynchronizer(pair.one).synchronize()
    #expect(quiet.filesRead == 0 && quiet.linesWritten == 0)
    try pair.two.add(SyncPair.draft("two"))
    try pair.exchange()
    #expect(try pair.one.count() == 3)
    // What a device has from an older version of itself stays there, and its file is not written again for it.
    try pair.one.write { database in
      var row = NoteRow(id: "n4")
      row.state = state("s" + deepSite, "own", name: "v4")
      try row.save(database, isHere: true)
    }
    #expect(try NoteSynchronizer(pair.one).synchronize().linesWritten == 1)
    let file = try pair.file(of: pair.one)
    try Data(contentsOf: file).write(to: file)
    #expect(try NoteSynchronizer(pair.one).synchronize().linesWritten == 0)
    #expect(try pair.one.note(id: "n4").text == "own")
    #expect(try pair.one.note(for: PageAddress(deepSite))?.id == "n4")
    try pair.one.change(id: "n4", NoteChange(target: NoteTarget(.host, address: "example.com")))
    try pair.exchange()
    #expect(try pair.two.note(id: "n4").text == "own")
  }
}
