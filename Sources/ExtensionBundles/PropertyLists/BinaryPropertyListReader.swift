/// Reads binary property lists.
///
///     offset       bytes
///     0            8           "bplist00"
///     8            …           objects: a marker of kind and size, then contents
///     table        n × size    where each object begins
///     end − 32     32          six bytes unused, the sizes of offsets and of references, the number
///                              of objects, the top one's number, where the table begins
///
/// An object is read each time it is referenced, so shared and cyclic references are bounded by the
/// budget of values and by the depth.
struct BinaryPropertyListReader {
  static let magic = Array("bplist00".utf8)
  private static let trailerSize = 32

  private let bytes: [UInt8]
  private var budget: PropertyListBudget
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let top: Int
  private let table: Int

  /// Checks the trailer.
  init(_ bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListError) {
    guard bytes.count >= Self.magic.count + Self.trailerSize else {
      throw PropertyListError(.malformed, "it is cut short")
    }
    let end = bytes.count - Self.trailerSize
    func number(_ place: Int, _ size: Int) -> Int? {
      var value: UInt64 = 0
      for byte in bytes[(end + place)..<(end + place + size)] { value = value << 8 | UInt64(byte) }
      return Int(exactly: value)
    }
    guard let offsetSize = number(6, 1), (1...8).contains(offsetSize),
      let referenceSize = number(7, 1), (1...8).contains(referenceSize),
      let count = number(8, 8), let top = number(16, 8), top < count,
      let table = number(24, 8), table > Self.magic.count, table <= end,
      count <= (end - table) / offsetSize
    else {
      throw PropertyListError(.malformed, "its last 32 bytes do not describe the rest")
    }
    self.bytes = bytes
    budget = PropertyListBudget(limits)
    self.offsetSize = offsetSize
    self.referenceSize = referenceSize
    self.count = count
    self.top = top
    self.table = table
  }

  mutating func read() throws(PropertyListError) -> PropertyListValue {
    try value(top, depth: 1)
  }

  /// Reads an object with everything that it refers to.
  private mutating func value(
    _ object: Int,
    depth: Int
  ) throws(PropertyListError) -> PropertyListValue {
    let place = try offset(of: object)
    let marker = bytes[place]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0 where low == 8 || low == 9:
      try budget.take()
      return .boolean(low == 9)
    case 0x1: return try integer(at: place)
    case 0x2 where low == 2 || low == 3:
      try budget.take()
      let size = 1 << low
      let bits = try number(place + 1, size)
      return .real(
        size == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
      )
    case 0x3 where low == 3:
      try budget.take()
      let seconds = Double(bitPattern: try number(place + 1, 8))
      guard seconds.isFinite else { throw fault(place, "a date is no time") }
      return .date(seconds)
    case 0x4:
      let contents = try contents(at: place, width: 1)
      try budget.take(contents: contents.count)
      return .data(Array(contents))
    case 0x5, 0x6, 0x7: return .string(try text(at: place))
    case 0xA:
      try budget.take()
      try budget.enter(depth)
      let (start, count) = try references(at: place, each: 1)
      var values: [PropertyListValue] = []
      for index in 0..<count {
        values.append(try value(try reference(start, index), depth: depth + 1))
      }
      return .array(values)
    case 0xD:
      try budget.take()
      try budget.enter(depth)
      let (start, count) = try references(at: place, each: 2)
      var values: [String: PropertyListValue] = [:]
      for index in 0..<count {
        let key = try text(at: try offset(of: try reference(start, index)))
        let value = try value(try reference(start, count + index), depth: depth + 1)
        guard values.updateValue(value, forKey: key) == nil else {
          throw fault(place, "a dictionary has one key twice")
        }
      }
      return .dictionary(values)
    default: throw fault(place, "there is no object of the kind \(marker) in a property list")
    }
  }

  private mutating func integer(at place: Int) throws(PropertyListError) -> PropertyListValue {
    try budget.take()
    switch bytes[place] & 0x0F {
    case 0, 1, 2: return .integer(Int64(try number(place + 1, 1 << Int(bytes[place] & 0x0F))))
    case 3: return .integer(Int64(bitPattern: try number(place + 1, 8)))
    case 4:
      let high = try number(place + 1, 8)
      let low = try number(place + 9, 8)
      if high == 0 {
        return Int64(exactly: low).map { .integer($0) } ?? .unsigned(low)
      }
      if high == .max, Int64(bitPattern: low) < 0 { return .integer(Int64(bitPattern: low)) }
      throw fault(place, "a number is out of range")
    default: throw fault(place, "a number is out of range")
    }
  }

  private mutating func text(at place: Int) throws(PropertyListError) -> String {
    let text: String?
    let bytes: ArraySlice<UInt8>
    switch self.bytes[place] >> 4 {
    case 0x5:
      bytes = try contents(at: place, width: 1)
      try budget.take(contents: bytes.count)
      text =
        bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
    case 0x6:
      bytes = try contents(at: place, width: 2)
      try budget.take(contents: bytes.count)
      let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      text = String(validating: units, as: UTF16.self)
    case 0x7:
      bytes = try contents(at: place, width: 1)
      try budget.take(contents: bytes.count)
      text = String(validating: bytes, as: UTF8.self)
    default: throw fault(place, "a key is not a text")
    }
    guard let text else { throw fault(place, "a text has characters that there are not") }
    return text
  }

  // MARK: Parts

  private func fault(_ place: Int, _ words: String) -> PropertyListError {
    PropertyListError(.malformed, "\(words) (byte \(place))")
  }

  /// Returns the offset of an object, which must be before the table.
  private func offset(of object: Int) throws(PropertyListError) -> Int {
    guard object < count else {
      throw PropertyListError(.malformed, "it names an object that it does not have")
    }
    let place = table + object * offsetSize
    guard let offset = Int(exactly: try number(place, offsetSize)), offset >= Self.magic.count,
      offset < table
    else {
      throw fault(place, "an object is outside of the list")
    }
    return offset
  }

  /// Reads a big-endian number of 1 to 8 bytes.
  private func number(_ place: Int, _ size: Int) throws(PropertyListError) -> UInt64 {
    guard size <= bytes.count - Self.trailerSize - place else {
      throw fault(place, "an object is cut short")
    }
    var value: UInt64 = 0
    for byte in bytes[place..<(place + size)] { value = value << 8 | UInt64(byte) }
    return value
  }

  /// Reads the number of an object's parts and the offset of the first.
  private func size(at place: Int) throws(PropertyListError) -> (count: Int, start: Int) {
    let low = Int(bytes[place] & 0x0F)
    guard low == 0x0F else { return (low, place + 1) }
    let marker = try number(place + 1, 1)
    guard marker >> 4 == 1, marker & 0x0F <= 3 else { throw fault(place, "a size is not a number") }
    let width = 1 << Int(marker & 0x0F)
    guard let count = Int(exactly: try number(place + 2, width)) else {
      throw fault(place, "an object is larger than the list")
    }
    return (count, place + 2 + width)
  }

  private func contents(
    at place: Int,
    width: Int
  ) throws(PropertyListError) -> ArraySlice<UInt8> {
    let (count, start) = try size(at: place)
    guard start <= table, count <= (table - start) / width else {
      throw fault(place, "an object is larger than the list")
    }
    return bytes[start..<(start + count * width)]
  }

  private func references(
    at place: Int,
    each: Int
  ) throws(PropertyListError) -> (start: Int, count: Int) {
    let (count, start) = try size(at: place)
    guard start <= table, count <= (table - start) / (referenceSize * each) else {
      throw fault(place, "a container is larger than the list")
    }
    return (start, count)
  }

  private func reference(_ start: Int, _ index: Int) throws(PropertyListError) -> Int {
    let place = start + index * referenceSize
    guard let object = Int(exactly: try number(place, referenceSize)) else {
      throw fault(place, "it names an object that it does not have")
    }
    return object
  }
}
