import CLibrary
import Testing

struct LargePageTests {
  @Test(
    "room in large pages leaves what is in the array, and holds what is written",
    arguments: [0, 1, 5_000_000]
  )
  func room(before: Int) {
    var bytes = [UInt8](repeating: 7, count: before)
    bytes.reserveInLargePages(6_000_000)
    #expect(bytes.capacity >= 6_000_000)
    let start = unsafe bytes.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    bytes += repeatElement(9, count: 6_000_000 - before)
    #expect(
      bytes.prefix(before).allSatisfy { $0 == 7 } && bytes.dropFirst(before).allSatisfy { $0 == 9 }
    )
    // It grew where it was.
    #expect(
      unsafe bytes.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } == start
    )
  }

  @Test("little room is room as ever", arguments: [0, 100])
  func little(count: Int) {
    var bytes: [UInt8] = [1, 2]
    bytes.reserveInLargePages(count)
    #expect(bytes == [1, 2])
  }
}
