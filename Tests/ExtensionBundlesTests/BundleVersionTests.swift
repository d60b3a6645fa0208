import ExtensionBundles
import Foundation
import Testing

@Suite("Bundle versions")
struct BundleVersionTests {
  @Test(
    "order is by numbers, then by the stage before a release",
    arguments: [
      ("1", "2"), ("9", "10"), ("1.2", "1.10"), ("1", "1.0.1"), ("0", "0.0.1"), ("1.9.9", "2"),
      ("2015.09.01", "2015.10"), ("1.2.3", "1.2.3.4"), ("1.2.3.4", "1.2.3.5"),
      ("99999999999999999999998", "99999999999999999999999"), ("", "0.1"), ("abc", "1"),
      ("b3", "0.0.1"), ("-5", "1"),
      ("2.0b3", "2.0"), ("2.0b3", "2"), ("1.9", "2.0b3"), ("2.0b3", "2.0.1b1"),
      ("2.0d9", "2.0a1"), ("2.0a9", "2.0b1"), ("2.0b3", "2.0b10"), ("2.0b", "2.0b1"),
      ("0b1", "0"), ("2.0b3", "2.b3"),
    ]
  )
  func order(low: String, high: String) {
    let (low, high) = (BundleVersion(low), BundleVersion(high))
    #expect(low < high)
    #expect(!(high < low))
    #expect(low != high)
  }

  @Test(
    "texts that mean the same are equal",
    arguments: [
      ("1", "1.0.0"), ("0", "0.0"), ("01.2", "1.02"), ("0001", "1"), ("", "0"), ("", "abc"),
      (".5", "0"), ("-1", ""), ("1.", "1"), ("1..2", "1"), ("2.0b03", "2b3"), ("2.0b", "2.0b0"),
      ("1.0rc1", "1.0"), ("1.0 (5)", "1.0"), ("2.0b3x", "2.0b3"), ("2.0fc1", "2.0"),
      ("١", "0"), ("1\u{0301}", "1"),
    ]
  )
  func equality(one: String, other: String) {
    let (one, other) = (BundleVersion(one), BundleVersion(other))
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(!(one < other) && !(other < one))
  }

  @Test("the text stays as it was written", arguments: ["", "01.2", "2.0b3 (x)"])
  func description(text: String) throws {
    #expect(BundleVersion(text).description == text)
    let coded = try JSONEncoder().encode([BundleVersion(text)])
    #expect(try JSONDecoder().decode([String].self, from: coded) == [text])
    #expect(try JSONDecoder().decode([BundleVersion].self, from: coded)[0].description == text)
  }

  @Test("numbers may be of any length, and there may be many")
  func enormous() {
    let digits = String(repeating: "9", count: 100_000)
    #expect(BundleVersion(digits) < BundleVersion("1" + digits))
    #expect(BundleVersion("1") < BundleVersion("1." + digits))
    #expect(BundleVersion("1b" + digits) < BundleVersion("1"))
    #expect(BundleVersion("0" + digits) == BundleVersion(digits))
    let parts = String(repeating: "0.", count: 100_000)
    #expect(BundleVersion(parts) < BundleVersion(parts + "1"))
    #expect(BundleVersion(parts + "0") == BundleVersion("0"))
  }
}
