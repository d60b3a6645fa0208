import CommandInput
import Testing

@Suite("Maps of converted lists")
struct SourceMapTests {
  private static let map = """
    {"version":1,"sources":["a.txt","b.txt"],"rules":3,"lines":[
    {"file":"a.txt","line":2,"outcome":"converted","rules":[2,0],"reason":null},
    {"file":"b.txt","line":9,"outcome":"converted","rules":[0],"reason":null},
    {"file":"b.txt","line":10,"outcome":"comment","rules":[],"reason":null}]}
    """

  private func message(_ text: String) -> String? {
    do throws(InputError) {
      _ = try SourceMap(Array(text.utf8), name: "m")
      return nil
    } catch {
      return error.message
    }
  }

  @Test("each rule has its lines, in the order of the map")
  func lines() throws {
    let map = try SourceMap(Array(Self.map.utf8), name: "m")
    #expect(map.files == ["a.txt", "b.txt"] && map.ruleCount == 3)
    #expect(map.lines(ofRule: 0).map { [$0.file, $0.line] } == [[0, 2], [1, 9]])
    #expect(map.lines(ofRule: 2).map { [$0.file, $0.line] } == [[0, 2]])
    for rule in [-1, 1, 3, Int.max] { #expect(map.lines(ofRule: rule).isEmpty) }
  }

  @Test("a file is known by its text, where the map has digests")
  func digests() throws {
    #expect(try SourceMap(Array(Self.map.utf8), name: "m").describes([1], of: "a.txt"))
    let digest = ByteDigest(Array("||a.test^".utf8)).text
    let text = Self.map.replacing(
      #""rules":3"#,
      with: #""digests":["\#(digest)","0"],"rules":3"#,
      maxReplacements: 1
    )
    let map = try SourceMap(Array(text.utf8), name: "m")
    #expect(map.describes(Array("||a.test^".utf8), of: "a.txt"))
    #expect(!map.describes(Array("||b.test^".utf8), of: "a.txt"))
    #expect(!map.describes([], of: "b.txt"))
    #expect(map.describes([], of: "c.txt"))
  }

  @Test("a list with another number of rules is refused, with the way out")
  func fit() throws {
    let map = try SourceMap(Array(Self.map.utf8), name: "m")
    try map.check(list: "l", ruleCount: 3)
    do throws(InputError) {
      try map.check(list: "l", ruleCount: 4)
      Issue.record("accepted")
    } catch {
      #expect(
        error.message
          == "m is the map of a list with 3 rules, but l has 4; give the map that was written with "
          + "it, or convert it again with --map"
      )
    }
  }

  @Test(
    "what is no map is refused at its place",
    arguments: [
      ("", "", "m:1:1: expected a value"), ("[]", "[]", "m:1:1: there is no version"),
      (#""version":1"#, #""version":2"#, "m:1:12: only version 1"),
      (#""rules":3"#, #""rules":2"#, "m:2:57: there is no such rule; the list has 2 rules"),
      (#""rules":3"#, #""rules":-1"#, "m:1:50: the number of rules"),
      (#""rules":3"#, #""rules":99999999"#, "m:1:50: the number of rules"),
      (#""rules":3,"#, "", #"m:1:1: "rules" is missing"#),
      (#""rules":3"#, #""digests":[],"rules":3"#, "m:1:52: there is a digest for each source"),
      (#""rules":3"#, #""digests":[1,2],"rules":3"#, "m:1:53: a digest is a text"),
      (#""rules":3"#, #""digests":0,"rules":3"#, #"m:1:1: "digests" is missing"#),
      (#"[2,0]"#, #"[2,-1]"#, "m:2:59: there is no such rule"),
      (#"[2,0]"#, #"[2,"0"]"#, "m:2:60: there is no such rule"),
      (#"[2,0]"#, "2", #"m:2:1: "rules" is missing"#),
      (#""line":9"#, #""line":0"#, "m:3:24: lines are numbered"),
      (#""file":"b.txt","line":9"#, #""file":"c","line":9"#, "m:3:10: the file is not"),
    ]
  )
  func faults(old: String, new: String, start: String) throws {
    let text =
      old.isEmpty || old == new
      ? new : Self.map.replacing(old, with: new, maxReplacements: 1)
    #expect(message(text)?.hasPrefix(start) == true, "\(message(text) ?? "accepted")")
  }
}
