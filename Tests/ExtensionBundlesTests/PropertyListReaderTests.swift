import ExtensionBundles
import Foundation
import TestSupport
import Testing

@Suite("Property lists of strangers")
struct PropertyListReaderTests {
  private func read(_ text: String) throws -> PropertyListValue {
    try PropertyListReader.read(Array(text.utf8))
  }

  private func refusal(_ bytes: [UInt8]) -> PropertyListError? {
    #expect(throws: PropertyListError.self) { try PropertyListReader.read(bytes) }
  }

  // MARK: What is refused

  /// A binary list whose objects name one another as often as they like.
  static func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [objects.count, Int(top), table] {
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    return bytes
  }

  @Test("What a few bytes expand to is counted, and not only the bytes")
  func sharedObjects() {
    // Twelve levels of arrays, each of which refers to the next ten times.
    var arrays: [[UInt8]] = []
    for level in 1...12 { arrays.append([0xAA] + [UInt8](repeating: UInt8(level), count: 10)) }
    arrays.append([0x51, 0x61])
    let laugh = Self.binary(arrays)
    #expect(laugh.count < 300)
    #expect(refusal(laugh)?.reason == .tooLarge)
    // The same with dictionaries, whose keys are shared, too.
    let keys = (15..<24).map { UInt8($0) }
    var dictionaries: [[UInt8]] = []
    for level in 1...14 {
      let inner = [UInt8](repeating: UInt8(level), count: 9)
      dictionaries.append([0xD9] + keys + inner)
    }
    dictionaries.append([0x09])
    for letter in UInt8(97)..<106 { dictionaries.append([0x51, letter]) }
    #expect(refusal(Self.binary(dictionaries))?.reason == .tooLarge)
    // One long text that many places refer to.
    let text: [UInt8] = [0x5F, 0x11, 0x40, 0x00] + [UInt8](repeating: 0x61, count: 0x4000)
    let names: [UInt8] = [0xAF, 0x11, 0x20, 0x00] + [UInt8](repeating: 1, count: 0x2000)
    #expect(refusal(Self.binary([names, text]))?.reason == .tooLarge)
  }

  @Test("A list that holds itself is refused")
  func cycles() {
    #expect(refusal(Self.binary([[0xA1, 0]]))?.reason == .tooLarge)
    #expect(refusal(Self.binary([[0xA1, 1], [0xA1, 0]]))?.reason == .tooLarge)
    #expect(refusal(Self.binary([[0xD1, 1, 0], [0x51, 0x61]]))?.reason == .tooLarge)
    // As a key.
    #expect(refusal(Self.binary([[0xD1, 0, 0]])) != nil)
  }

  @Test(
    "Nesting is bounded, whether it ends or not",
    arguments: ["<array>", "<dict><key>a</key>", "<plist><array>", "<!--", "<?", "<array><!---->"]
  )
  func nesting(opening: String) {
    let text = String(repeating: opening, count: 1_000_000 / opening.count)
    #expect(refusal(Array(text.utf8)) != nil)
    var limits = PropertyListLimits()
    limits.depth = 3
    #expect(throws: PropertyListError.self) {
      try PropertyListReader.read(
        Array("<array><array><array><array/><array></array></array></array></array>".utf8),
        limits: limits
      )
    }
  }

  @Test(
    "A binary list whose sizes and places do not fit is refused",
    arguments: [
      [], [[0xAF]], [[0xAF, 0x13]], [[0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],
      [[0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], [[0xAF, 0x14, 0]],
      [[0x5F, 0x12, 0x7F, 0xFF, 0xFF, 0xFF]], [[0x6F, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0]],
      [[0xDF, 0x13, 0x20, 0, 0, 0, 0, 0, 0, 0]], [[0xA1, 9]], [[0x18]], [[0x14, 1]], [[0x23]],
      [[0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]], [[0x51, 0x80]], [[0x61, 0xD8, 0]], [[0x71, 0xFF]],
      [[0x00]], [[0x0F]], [[0x80, 1]], [[0xB0]], [[0xC0]], [[0xE0]], [[0xFF]],
      [[0xD1, 1, 2], [8]],
      [[0xD2, 1, 1, 2, 2], [0x51, 0x61], [0x09]],
      [[0x14, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
    ] as [[[UInt8]]]
  )
  func brokenObjects(objects: [[UInt8]]) {
    #expect(refusal(Self.binary(objects)) != nil)
  }

  @Test(
    "XML that is not a property list is refused",
    arguments: [
      "<", "<plist", "<plist>", "<plist/>", "<plist></plist>", "<dict>", "<dict></array>",
      "<array></dict>", "<dict><key>a</key></dict>", "<dict><string>a</string></dict>",
      "<dict><key>a</key><key>b</key></dict>", "<string>a", "<string>a</key>",
      "<string>&b;</string>",
      "<string>&#xD800;</string>", "<string>&#0;</string>", "<string>&#-1;</string>",
      "<string>&#x110000;</string>", "<string>&</string>", "<string><b/></string>",
      "<string>\u{1B}[2J</string>", "<string><![CDATA[a</string>", "<integer></integer>",
      "<integer>1.5</integer>", "<integer>18446744073709551616</integer>",
      "<integer>-9223372036854775809</integer>", "<integer>0x</integer>", "<integer>--1</integer>",
      "<integer/>", "<real>0x1p3</real>", "<real>one</real>", "<real/>",
      "<date>2026-13-01T00:00:00Z</date>",
      "<date>2026-01-01</date>", "<data>a</data>", "<data>aGk</data>", "<data>aG=k</data>",
      "<data>a*</data>", "<true>x</true>", "<key>a</key>", "<nothing/>", "<String>a</String>",
      "<plist><true/><true/></plist>", "<true/><true/>", "<true/>text", "text", "",
      "<!DOCTYPE plist [<!ENTITY a \"aaaa\">]><plist><string>&a;</string></plist>",
      "<!DOCTYPE plist [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><string>&a;</string>",
      "<dict><key>a</key><true/><key>a</key><false/></dict>",
      "<?xml version=\"1.0\" encoding=\"UTF-7\"?><plist><string>+ADw-</string></plist>",
    ]
  )
  func brokenElements(text: String) {
    #expect(refusal(Array(text.utf8)) != nil)
  }

  @Test("An error says where")
  func places() {
    #expect(
      refusal(Array("<dict>\n<key>a</key>\n<nothing/></dict>".utf8))?.message
        == "line 3: there is no such element in a property list"
    )
    #expect(refusal(Self.binary([[0xA1, 1], [0x80, 1]]))?.message.hasSuffix("(byte 10)") == true)
  }

  // MARK: What is taken

  @Test("Values in XML")
  func values() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!-- a > comment -->
      <plist version="1.0"><array>
      <string>a &lt;&amp;&gt; &#65;&#x1F600;<![CDATA[<b>&amp;]]></string><string/><string></string>
      <integer> -12 </integer><integer>0xFF</integer><integer>+7</integer>
      <integer>18446744073709551615</integer><integer>-9223372036854775808</integer>
      <real>1.5e3</real><real>-infinity</real><true/><false></false>
      <date>2001-01-01T00:00:00Z</date><date>2024-02-29T12:30:01Z</date><date>1600-03-01T00:00:00Z</date>
      <data>aG Vs\nbG8=</data><data/><array/><dict><key/><true/></dict>
      </array></plist>
      """
    let expected: [PropertyListValue] = [
      .string("a <&> A😀<b>&amp;"), .string(""), .string(""), .integer(-12), .integer(255),
      .integer(7), .unsigned(.max), .integer(.min), .real(1500), .real(-.infinity), .boolean(true),
      .boolean(false), .date(0), .date(730_902_601), .date(-12_649_219_200),
      .data(Array("hello".utf8)),
      .data([]), .array([]), .dictionary(["": .boolean(true)]),
    ]
    #expect(try read(text) == .array(expected))
  }

  @Test("Integers of a binary list, of each size")
  func integers() throws {
    let objects: [[UInt8]] = [
      [0xA6, 1, 2, 3, 4, 5, 6], [0x10, 0xFF], [0x11, 0xFF, 0xFF], [0x12, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x13] + [UInt8](repeating: 0xFF, count: 8),
      [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8),
      [0x14] + [UInt8](repeating: 0xFF, count: 16),
    ]
    #expect(
      try PropertyListReader.read(Self.binary(objects))
        == .array([
          .integer(0xFF), .integer(0xFFFF), .integer(0xFFFF_FFFF), .integer(-1), .unsigned(.max),
          .integer(-1),
        ])
    )
  }

  @Test("Encodings of XML lists")
  func encodings() throws {
    let text = "<?xml version=\"1.0\"?><plist><string>größe 😀</string></plist>"
    let units = Array(text.utf16)
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    for bytes in [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), little, big, [0xFF, 0xFE] + little,
      [0xFE, 0xFF] + big,
    ] {
      #expect(try PropertyListReader.read(bytes) == .string("größe 😀"))
    }
    let latin = "<?xml version='1.0' encoding = 'ISO-8859-1'?><string>gr"
    #expect(
      try PropertyListReader.read(Array(latin.utf8) + [0xF6] + Array("e</string>".utf8))
        == .string("gröe")
    )
    #expect(refusal(Array("<string>".utf8) + [0xF6] + Array("</string>".utf8)) != nil)
    #expect(refusal([0xFF, 0xFE] + little + [0]) != nil)
  }

  // MARK: Against Foundation

  @Test("The lists of real projects are read as Foundation reads them, in both forms")
  func realLists() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    var count = 0
    for folder in [tests, tests.deletingLastPathComponent().appending(path: "Examples")] {
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      where path.hasSuffix(".plist") || path.hasSuffix(".entitlements") {
        let data = try Data(contentsOf: folder.appending(path: path))
        // Projects may have lists in Xcode's own text form, too.
        guard PropertyListReader.form(of: [UInt8](data)) != nil else { continue }
        try compare(data)
        count += 1
        let value = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
          try compare(
            PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
          )
        }
      }
    }
    #expect(count >= 8)
  }

  @Test("What Foundation writes is read as it was, in both forms")
  func generated() throws {
    var random = RandomSource(seed: 11)
    for _ in 0..<400 {
      let value: [String: Any] = [
        "CFBundleIdentifier": "com.example", "x": Self.value(depth: 0, &random),
        "y": Self.value(depth: 0, &random),
      ]
      for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
        try compare(
          PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
        )
      }
    }
  }

  @Test("A list that was damaged is refused, or means what Foundation takes it for")
  func mutated() throws {
    var random = RandomSource(seed: 12)
    var taken = 0
    for round in 0..<6_000 {
      let value: [String: Any] = ["a": Self.value(depth: 2, &random), "b": ["c", 7, true, 2.5]]
      let isXML = round.isMultiple(of: 2)
      var bytes = [UInt8](
        try PropertyListSerialization.data(
          fromPropertyList: value,
          format: isXML ? .xml : .binary,
          options: 0
        )
      )
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let place = Int.random(in: (isXML ? 0 : 8)..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 3))
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        }
      }
      guard let value = try? PropertyListReader.read(bytes) else { continue }
      taken += 1
      guard
        let other = try? unsafe PropertyListSerialization.propertyList(
          from: Data(bytes),
          format: nil
        )
      else { continue }
      #expect(Self.isSame(value, other), "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(taken > 500)
  }

  private func compare(_ data: Data, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let expected = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
    let value = try PropertyListReader.read([UInt8](data))
    #expect(
      Self.isSame(value, expected),
      "\(String(decoding: data, as: UTF8.self))",
      sourceLocation: sourceLocation
    )
    // Writing and reading it again yields the same value.
    let again = try PropertyListSerialization.data(
      fromPropertyList: value.foundation,
      format: .binary,
      options: 0
    )
    #expect(Self.isSame(try PropertyListReader.read([UInt8](again)), expected))
  }

  private static func isSame(_ value: PropertyListValue, _ other: Any) -> Bool {
    switch value {
    case .string(let text): (other as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false
    case .boolean(let value): (other as? Bool) == value
    case .integer(let number): (other as? NSNumber)?.int64Value == number
    case .unsigned(let number): (other as? NSNumber)?.uint64Value == number
    case .real(let number):
      (other as? NSNumber).map { $0.doubleValue == number || number.isNaN && $0.doubleValue.isNaN }
        ?? false
    case .date(let seconds): (other as? Date)?.timeIntervalSinceReferenceDate == seconds
    case .data(let bytes): (other as? Data).map { [UInt8]($0) == bytes } ?? false
    case .array(let values):
      (other as? [Any]).map { others in
        others.count == values.count && zip(values, others).allSatisfy { isSame($0, $1) }
      } ?? false
    case .dictionary(let values):
      (other as? [String: Any]).map { others in
        others.count == values.count
          && values.allSatisfy { key, value in others[key].map { isSame(value, $0) } ?? false }
      } ?? false
    }
  }

  private static func value(depth: Int, _ random: inout RandomSource) -> Any {
    let texts = [
      "", "a", "com.apple.Safari.web-extension", "größe", "😀", "a<b&c>\"'", "  blanks\n", "\t",
      "$(PRODUCT_NAME)", "]]>", "0", String(repeating: "long ", count: 60),
    ]
    switch Int.random(in: 0..<(depth < 4 ? 9 : 7), using: &random) {
    case 0, 1: return texts[Int.random(in: 0..<texts.count, using: &random)]
    case 2: return Bool.random(using: &random)
    case 3:
      return Int(truncatingIfNeeded: random.next() >> UInt64.random(in: 0..<64, using: &random))
    case 4: return Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 64
    case 5:
      return Date(
        timeIntervalSinceReferenceDate: Double(
          Int.random(in: -20_000_000_000...20_000_000_000, using: &random)
        )
      )
    case 6:
      return Data(
        (0..<Int.random(in: 0..<80, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      )
    case 7:
      return (0..<Int.random(in: 0..<20, using: &random)).map { _ in
        value(depth: depth + 1, &random)
      }
    default:
      var result: [String: Any] = [:]
      for _ in 0..<Int.random(in: 0..<20, using: &random) {
        result[texts[Int.random(in: 0..<texts.count, using: &random)]] = value(
          depth: depth + 1,
          &random
        )
      }
      return result
    }
  }

  @Test("what is written is XML with each value in its type, and reads as the same")
  func writing() throws {
    let values: [String: Any] = [
      "text": "a<&>\"ä", "yes": true, "no": false, "one": 1, "large": UInt64.max, "real": 1.5,
      "whole": 2.0, "date": Date(timeIntervalSinceReferenceDate: 86_400),
      "data": Data([1, 2, 255]),
      "list": [1, "x", [Any](), [String: Any]()] as [Any], "none": [String: Any](),
    ]
    let data = try PropertyListFile.data(values)
    let list = try #require(PropertyListValue(foundation: values))
    #expect(try PropertyListReader.read(Array(data)) == list)
    #expect(list["yes"]?.boolean == true && list["one"] == .integer(1))
    #expect(list["large"] == .unsigned(.max) && list["whole"] == .real(2))
    let expected = try PropertyListSerialization.data(
      fromPropertyList: values,
      format: .xml,
      options: 0
    )
    #expect(String(decoding: data, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
    #expect(throws: BundleError.self) { try PropertyListFile.data(["x": [1 as Any, self]]) }
  }
}
