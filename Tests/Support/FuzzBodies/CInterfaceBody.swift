import CInterface
import CTickbird
import ContentBlocking
import FuzzTargets
import RuleAudit

/// Calls the C interface with damaged columns and loads; each row must be decided as alone, or refused, and
/// nothing outside of the caller's memory be touched, which the address sanitizer notices.
///
/// The first byte selects what the input is: a compiled list, a list's text, findings, or a batch. A batch begins with a
/// byte of switches, one with the number of rows, and three for each offset; the rest are the texts' bytes.
enum CInterfaceBody: FuzzBody {
  static let name = "c-interface"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var reader = InputReader(input)
    switch reader.byte() % 4 {
    case 0: try checkOpening(reader.rest())
    case 1: try checkCompiling(reader.rest())
    case 3:
      let findings = reader.rest()
      try checkFindings(findings)
      // With the right seal as well, so that what is behind it is tried.
      let text = Array(findings.dropLast(AuditPartial.sealSize))
      try checkFindings(AuditPartial.sealed(text))
    default: try checkBatch(&reader)
    }
  }

  // MARK: Lists

  private static func checkOpening(_ bytes: [UInt8]) throws(FuzzFinding) {
    var list: OpaquePointer?
    var message = unsafe tickbird_text()
    let status = unsafe tickbird_list_open(bytes, bytes.count, &list, &message)
    defer {
      unsafe tickbird_list_free(list)
      unsafe tickbird_text_free(message)
    }
    try require(
      unsafe (status == tickbird_status(TICKBIRD_OK)) == (list != nil),
      "status \(status) does not go with the list"
    )
    try require(
      unsafe (list != nil) == (message.size == 0),
      "a refusal without a message, or a message without one"
    )
  }

  private static func checkCompiling(_ text: [UInt8]) throws(FuzzFinding) {
    var list: OpaquePointer?
    var report = unsafe tickbird_text()
    let status = unsafe tickbird_compile(text, text.count, nil, &list, &report)
    defer {
      unsafe tickbird_list_free(list)
      unsafe tickbird_text_free(report)
    }
    let isAccepted = status == tickbird_status(TICKBIRD_OK)
    try require(unsafe isAccepted == (list != nil), "status \(status) does not go with the list")
    let shown = unsafe String(
      decoding: UnsafeRawBufferPointer(start: report.bytes, count: report.size),
      as: UTF8.self
    )
    try require(
      shown.contains("\"accepted\":\(isAccepted),"),
      "the report of status \(status) begins with \(shown.prefix(80))"
    )
  }

  // MARK: Findings

  private static func withAudit<Value>(
    _ body: (OpaquePointer?) throws(FuzzFinding) -> Value
  ) throws(FuzzFinding) -> Value {
    var list: OpaquePointer?
    var audit: OpaquePointer?
    let text = Array(listText.utf8)
    try require(
      unsafe tickbird_compile(text, text.count, nil, &list, nil) == 0
        && tickbird_audit_create(&list, nil, 1, nil, &audit) == 0,
      "no audit is made"
    )
    defer {
      unsafe tickbird_audit_free(audit)
      unsafe tickbird_list_free(list)
    }
    return try unsafe body(audit)
  }

  /// Findings are added or refused; what was added can be reported, and added again.
  private static func checkFindings(_ bytes: [UInt8]) throws(FuzzFinding) {
    try unsafe withAudit { audit throws(FuzzFinding) in
      var text = unsafe tickbird_text()
      guard unsafe tickbird_audit_merge(audit, bytes, bytes.count, nil) == 0 else { return }
      for form in Int32(TICKBIRD_AUDIT_TEXT)...Int32(TICKBIRD_AUDIT_PARTIAL) {
        let status = unsafe tickbird_audit_report(audit, form, 20, 1, &text)
        unsafe tickbird_text_free(text)
        try require(status == 0, "form \(form) of the report ends with status \(status)")
      }
      let status = unsafe tickbird_audit_findings(audit, &text)
      defer { unsafe tickbird_text_free(text) }
      try require(
        unsafe status == 0 && tickbird_audit_merge(audit, text.bytes, text.size, nil) == 0,
        "its own findings are refused"
      )
    }
  }

  /// The findings about two rows.
  private static func findings() -> [UInt8] {
    let bytes =
      (try? unsafe withAudit { audit throws(FuzzFinding) in
        let urls = Array("https://a.test/adsno url".utf8)
        let offsets: [Int32] = [0, 18, 24]
        var text = unsafe tickbird_text()
        unsafe urls.withUnsafeBytes { urls in
          unsafe offsets.withUnsafeBytes { offsets in
            unsafe script.withUnsafeBytes { word in
              var batch = unsafe tickbird_batch()
              unsafe batch.struct_size = MemoryLayout<tickbird_batch>.size
              unsafe batch.rows = 2
              unsafe batch.url = tickbird_column(
                offsets: offsets.baseAddress,
                offset_size: 4,
                bytes: urls.baseAddress?.assumingMemoryBound(to: CChar.self),
                byte_count: urls.count,
                validity: nil,
                first: 0
              )
              unsafe batch.every_type = tickbird_string(
                bytes: word.baseAddress?.assumingMemoryBound(to: CChar.self),
                size: word.count
              )
              _ = unsafe tickbird_audit_add(audit, &batch, nil)
            }
          }
        }
        _ = unsafe tickbird_audit_findings(audit, &text)
        defer { unsafe tickbird_text_free(text) }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: text.bytes, count: text.size))
      })
    return bytes ?? []
  }

  // MARK: Batches

  private static let listText = #"""
    [{"trigger":{"url-filter":"ads"},"action":{"type":"block"}},
     {"trigger":{"url-filter":"ads/x"},"action":{"type":"ignore-previous-rules"}},
     {"trigger":{"url-filter":"a","resource-type":["script"]},"action":{"type":"block-cookies"}},
     {"trigger":{"url-filter":"b","if-domain":["*a.test"]},
      "action":{"type":"css-display-none","selector":".b"}}]
    """#

  /// The offsets and bytes of a column, in memory of exactly their size.
  private struct Texts {
    var offsets: [Int64]
    var bytes: [UInt8]
  }

  private static func checkBatch(_ reader: inout InputReader) throws(FuzzFinding) {
    let switches = reader.byte()
    let rows = Int(reader.byte() % 16)
    var columns: [Texts] = []
    for _ in 0..<3 {
      // Offsets are small and mostly ascending, but may be anything.
      var place = 0
      var offsets: [Int64] = []
      for _ in 0...rows {
        let number = reader.number()
        place = number > 0xFF_FFF0 ? number - 0x100_0000 : place + number % 48
        offsets.append(Int64(number > 0xF0_0000 ? number - 0x100_0000 : place))
      }
      columns.append(Texts(offsets: offsets, bytes: []))
    }
    let validity = [reader.byte(), reader.byte()]
    for number in 0..<3 {
      let size = columns[number].offsets.last.map { max(0, min(4096, Int($0))) } ?? 0
      columns[number].bytes = (0..<size).map { _ in reader.byte() }
    }
    var list: OpaquePointer?
    let text = Array(listText.utf8)
    try require(
      unsafe tickbird_compile(text, text.count, nil, &list, nil) == tickbird_status(TICKBIRD_OK),
      "the list of the batches is refused"
    )
    defer { unsafe tickbird_list_free(list) }
    try unsafe decide(list, columns, validity, rows, switches)
  }

  private static func decide(
    _ list: OpaquePointer?,
    _ columns: [Texts],
    _ validity: [UInt8],
    _ rows: Int,
    _ switches: UInt8
  ) throws(FuzzFinding) {
    var decider: OpaquePointer?
    var single: OpaquePointer?
    var lists = unsafe [list]
    defer {
      unsafe tickbird_decider_free(decider)
      unsafe tickbird_decider_free(single)
    }
    try require(
      unsafe tickbird_decider_create(&lists, 1, &decider) == 0
        && tickbird_decider_create(&lists, 1, &single) == 0,
      "no decider is made"
    )
    let places = unsafe columns.map { unsafe copied($0.offsets) }
    let bytes = unsafe columns.map { unsafe copied($0.bytes) }
    let bits = unsafe copied(validity)
    let flags = UnsafeMutablePointer<UInt32>.allocate(capacity: max(rows, 1))
    let faults = UnsafeMutablePointer<UInt8>.allocate(capacity: max(rows, 1))
    let ends = UnsafeMutablePointer<Int64>.allocate(capacity: rows + 1)
    let numbers = UnsafeMutablePointer<UInt32>.allocate(capacity: 8)
    defer {
      for number in columns.indices { unsafe places[number].deallocate() }
      for number in columns.indices { unsafe bytes[number].deallocate() }
      unsafe bits.deallocate()
      unsafe flags.deallocate()
      unsafe faults.deallocate()
      unsafe ends.deallocate()
      unsafe numbers.deallocate()
    }
    func column(_ number: Int) -> tickbird_column {
      unsafe tickbird_column(
        offsets: UnsafeRawPointer(places[number]),
        offset_size: 8,
        bytes: UnsafePointer(bytes[number]).map {
          unsafe UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)
        },
        byte_count: columns[number].bytes.count,
        validity: switches & 1 != 0 ? UnsafePointer(bits) : nil,
        first: 0
      )
    }
    var batch = unsafe tickbird_batch()
    unsafe batch.struct_size = MemoryLayout<tickbird_batch>.size
    unsafe batch.rows = rows
    unsafe batch.url = column(0)
    if switches & 2 != 0 { unsafe batch.page = column(1) }
    if switches & 4 != 0 { unsafe batch.type = column(2) }
    unsafe batch.flags = flags
    unsafe batch.faults = faults
    unsafe batch.rule_offsets = ends
    unsafe batch.rule_numbers = numbers
    unsafe batch.rule_capacity = 8
    let status = unsafe script.withUnsafeBufferPointer { word in
      unsafe batch.every_type = tickbird_string(
        bytes: UnsafeRawPointer(word.baseAddress)?.assumingMemoryBound(to: CChar.self),
        size: word.count
      )
      return unsafe tickbird_decide_batch(decider, &batch)
    }
    try require(
      [TICKBIRD_OK, TICKBIRD_BAD_ARGUMENT, TICKBIRD_FULL].contains(Int(status)),
      "a batch ends with status \(status)"
    )
    try require(
      unsafe batch.done <= rows && (status == 0) == (batch.done == rows),
      "\(unsafe batch.done) of \(rows) rows are done, with status \(status)"
    )
    for row in 0..<(unsafe batch.done) {
      let isNull = switches & 1 != 0 && validity[row / 8] >> UInt8(row % 8) & 1 == 0
      func text(_ number: Int) -> [UInt8] {
        let offsets = columns[number].offsets
        return isNull ? [] : Array(columns[number].bytes[Int(offsets[row])..<Int(offsets[row + 1])])
      }
      let alone = unsafe answer(
        single,
        url: text(0),
        page: switches & 2 != 0 ? text(1) : [],
        type: switches & 4 != 0 ? text(2) : script
      )
      try require(
        unsafe alone == (tickbird_status(faults[row]), flags[row]),
        "row \(row) is \(unsafe faults[row]), \(unsafe flags[row]), and alone \(alone)"
      )
    }
  }

  private static let script = Array("script".utf8)

  /// Decides a load alone.
  private static func answer(
    _ decider: OpaquePointer?,
    url: [UInt8],
    page: [UInt8],
    type: [UInt8]
  ) -> (tickbird_status, UInt32) {
    let parts = unsafe [url, page, type].map { unsafe copied($0) }
    defer { for number in 0..<3 { unsafe parts[number].deallocate() } }
    func string(_ number: Int, _ size: Int) -> tickbird_string {
      unsafe tickbird_string(
        bytes: UnsafeRawPointer(parts[number]).assumingMemoryBound(to: CChar.self),
        size: size
      )
    }
    var load = unsafe tickbird_load()
    unsafe load.struct_size = MemoryLayout<tickbird_load>.size
    unsafe load.url = string(0, url.count)
    unsafe load.page = string(1, page.count)
    unsafe load.type = string(2, type.count)
    var decision = unsafe tickbird_decision()
    unsafe decision.struct_size = MemoryLayout<tickbird_decision>.size
    let status = unsafe tickbird_decide(decider, &load, &decision)
    var text = unsafe tickbird_text()
    _ = unsafe tickbird_explain(decider, &load, nil, &text)
    unsafe tickbird_text_free(text)
    return unsafe (status, decision.flags)
  }

  /// Copies elements to memory of exactly their size, which the caller frees.
  private static func copied<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let copy = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
    unsafe copy.initialize(from: elements, count: elements.count)
    return unsafe copy
  }

  // MARK: Seeds

  /// A batch of the given texts: urls, pages, types.
  private static func batch(
    _ switches: UInt8,
    _ texts: [[String]],
    _ validity: UInt8 = 0xFF
  ) -> [UInt8] {
    let rows = texts[0].count
    var seed: [UInt8] = [2, switches, UInt8(rows)]
    for column in texts {
      seed += [0, 0, 0]
      for text in column { seed += [UInt8(text.utf8.count), 0, 0] }
    }
    seed += [validity, 0xFF]
    for text in texts.joined() { seed += Array(text.utf8) }
    return seed
  }

  static var seeds: [[UInt8]] {
    let urls = ["https://a.test/ads", "http://b.test/ads/x#f", "data:,a", "no url"]
    let pages = ["https://www.a.test/", "", "about:blank", "https://a.test/#x"]
    let types = ["script", "document", "texttrack", "nothing"]
    let compiled = (try? ContentRuleList.compile(Array(listText.utf8)).file) ?? []
    return [
      [], [0], [1], [2], [0] + compiled, [0] + compiled.dropLast(), [1] + Array(listText.utf8),
      [1] + Array("[5,".utf8), [3] + findings(),
      batch(0, [urls, pages, types]), batch(1, [urls, pages, types], 0x0B),
      batch(2, [urls, pages, types]),
      batch(7, [urls, pages, types]), batch(6, [urls, pages, types]),
      [2, 0, 2, 9, 0, 0, 3, 0, 0xFF, 5, 0, 0],
    ]
  }
}
