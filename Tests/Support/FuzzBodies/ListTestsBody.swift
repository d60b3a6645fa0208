import ContentBlocking
import FuzzTargets
import ListTesting

/// Reads files of tests for lists.
///
/// What is read is written again, as if it had been recorded, and must be read as the same loads.
enum ListTestsBody: FuzzBody {
  static let name = "list-tests"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let (file, faults) = ListTestReader.read(input, name: "a")
    var last = 0
    for fault in faults {
      try require(fault.line > last && fault.column > 0, "a fault at \(fault.line)")
      last = fault.line
    }
    var writer = ListTestWriter()
    for expectation in file.expectations {
      try require(!expectation.claims.isEmpty, "nothing is expected")
      try require(expectation.byteRange.upperBound <= input.count, "\(expectation.byteRange)")
      writer.add(expectation.load, LoadDecision())
    }
    let text = writer.text(lists: [], comment: [])
    let again = ListTestReader.read(Array(text.utf8), name: "b")
    try require(again.faults.isEmpty, "\(text) has faults: \(again.faults)")
    let loads = Set(file.expectations.map(\.load))
    let reread = Set(again.file.expectations.map(\.load))
    try require(
      reread.isSubset(of: loads) && loads.count - reread.count <= writer.leftOutCount,
      "\(text) has other loads"
    )
  }

  static var seeds: [[UInt8]] {
    [
      "list: a.json\n\n[page https://a.test/]\npage => hide .ad, show .b\nhttps://b.test/x image => block\n",
      "[frame https://f.test/ on https://a.test/] # c\r\nframe => load\r\nws://a/ websocket => load",
      "https://a.test/x document on https://b.test/ in https://c.test/ method POST => unchanged # x",
      "http://a/ xhr child-frame third-party => block by \"a\\.b\", cookies kept by rule 1:2",
      "permission: *://*/*\nhttp://a/ image => redirect \"http://b/,\", https",
      "x:a b image => load\ndata:x image on x:y => load", "[page", "=>", "list:", "#",
    ].map { Array($0.utf8) }
  }
}
