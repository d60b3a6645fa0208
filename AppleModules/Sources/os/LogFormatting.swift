/// Formats messages of `os_log`.
///
/// Arguments keep their types, so that nothing depends on the format being right about them, unlike
/// in C.
enum LogFormatting {
  static func text(_ format: String, _ arguments: [any CVarArg]) -> String {
    var result: [UInt8] = []
    var rest = arguments[...]
    let bytes = Array(format.utf8)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "%") else {
        result.append(bytes[index])
        index += 1
        continue
      }
      let start = index
      guard let specifier = Specifier(bytes, at: &index) else {
        // Not a specifier, so it is shown unchanged.
        result.append(contentsOf: bytes[start..<index])
        continue
      }
      if specifier.conversion == UInt8(ascii: "%") {
        result.append(specifier.conversion)
      } else if specifier.conversion == UInt8(ascii: "m") {
        result.append(contentsOf: "errno".utf8)
      } else {
        var precision = specifier.precision
        if specifier.takesPrecision, let given = rest.popFirst() { precision = given as? Int }
        let text = rest.popFirst().map { specifier.text(of: $0, precision: precision) }
        result.append(contentsOf: (text ?? "<missing>").utf8)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

private struct Specifier {
  let conversion: UInt8
  let precision: Int?
  let takesPrecision: Bool
  private let width: Int
  private let hasZeros: Bool
  private let isLeft: Bool

  // A width beyond any sensible message.
  private static let most = 1000

  init?(_ bytes: [UInt8], at index: inout Int) {
    func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }
    func number() -> Int? {
      var value: Int?
      while let digit = peek(), (0x30...0x39).contains(digit) {
        value = min((value ?? 0) * 10 + Int(digit - 0x30), Self.most)
        index += 1
      }
      return value
    }
    index += 1
    if peek() == UInt8(ascii: "{") {
      // `{public}`, `{private, mask.hash}` and the like are privacy options.
      while let byte = peek(), byte != UInt8(ascii: "}") {
        _ = byte
        index += 1
      }
      index = min(index + 1, bytes.count)
    }
    var zeros = false
    var left = false
    while let flag = peek(), "-+ #0'".utf8.contains(flag) {
      if flag == UInt8(ascii: "0") { zeros = true }
      if flag == UInt8(ascii: "-") { left = true }
      index += 1
    }
    width = number() ?? 0
    var precision: Int?
    var takesPrecision = false
    if peek() == UInt8(ascii: ".") {
      index += 1
      if peek() == UInt8(ascii: "*") {
        takesPrecision = true
        index += 1
      } else {
        precision = number() ?? 0
      }
    }
    while let size = peek(), "hlqLztj".utf8.contains(size) { index += 1 }
    guard let conversion = peek() else { return nil }
    index += 1
    self.conversion = conversion
    self.precision = precision
    self.takesPrecision = takesPrecision
    hasZeros = zeros
    isLeft = left
    guard "%@mdDiuUxXoOfFeEgGaAcCsSp".utf8.contains(conversion) else { return nil }
  }

  func text(of argument: any CVarArg, precision: Int?) -> String {
    pad(plain(argument, precision: precision))
  }

  private func plain(_ argument: any CVarArg, precision: Int?) -> String {
    switch conversion {
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      guard let number = argument as? any BinaryInteger else { break }
      return String(number, radix: 16, uppercase: conversion == UInt8(ascii: "X"))
    case UInt8(ascii: "o"), UInt8(ascii: "O"):
      guard let number = argument as? any BinaryInteger else { break }
      return String(number, radix: 8)
    case UInt8(ascii: "f"), UInt8(ascii: "F"):
      guard let number = argument as? any BinaryFloatingPoint else { break }
      return String(format: "%.\(min(precision ?? 6, 100))f", Double(number))
    case UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "g"), UInt8(ascii: "G"):
      guard let number = argument as? any BinaryFloatingPoint else { break }
      let letter = String(UnicodeScalar(conversion))
      return String(format: "%.\(min(precision ?? 6, 100))\(letter)", Double(number))
    default: break
    }
    return String(describing: argument)
  }

  private func pad(_ text: String) -> String {
    let missing = width - text.utf8.count
    guard missing > 0 else { return text }
    let filler = String(repeating: hasZeros && !isLeft ? "0" : " ", count: missing)
    if filler.hasPrefix("0"), text.hasPrefix("-") { return "-" + filler + text.dropFirst() }
    return isLeft ? text + filler : filler + text
  }
}
