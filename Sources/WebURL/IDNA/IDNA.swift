/// International domain names: the standard's "domain to ASCII".
///
/// This is UTS #46 with CheckHyphens, UseSTD3ASCIIRules, VerifyDnsLength and transitional
/// processing off, and CheckBidi and CheckJoiners on.
///
/// > Source: URL standard, "IDNA"; UTS #46, section 4.
enum IDNA {
  /// The most code points in a label that is not ASCII, and the most bytes in its encoding.
  ///
  /// > Deviation: The standard has no such limit. Punycode takes time with the square of the
  /// > length, and no label of more than 63 bytes can be looked up.
  static let maximumLabelCount = 2000

  /// Returns the ASCII form of a domain in UTF-8; `nil` if it has none.
  ///
  /// An ASCII domain is only lower-cased: labels that begin with `xn--` are not checked.
  static func domainToASCII(_ domain: [UInt8]) -> [UInt8]? {
    guard domain.contains(where: { $0 >= 0x80 }) else { return domain.map(ASCII.lowercased) }
    // Ill-formed UTF-8 becomes U+FFFD here, which is refused like any disallowed code point.
    let text = map(String(decoding: domain, as: UTF8.self).unicodeScalars)
    var labels: [[UInt32]] = []
    for part in Normalization.composed(text).split(
      separator: UInt32(ASCII.dot),
      omittingEmptySubsequences: false
    ) {
      guard let label = validLabel(Array(part)) else { return nil }
      labels.append(label)
    }
    guard satisfiesBidiRule(labels) else { return nil }
    return ascii(labels)
  }

  /// Drops ignored code points and replaces mapped ones; disallowed ones stay and fail later.
  private static func map(_ text: String.UnicodeScalarView) -> [UInt32] {
    let tables = IDNATables.shared
    var output: [UInt32] = []
    output.reserveCapacity(text.underestimatedCount)
    for scalar in text {
      let code = scalar.value
      switch tables.properties(of: code).status {
      case .valid, .disallowed: output.append(code)
      case .mapped: output.append(contentsOf: tables.mapping(of: code))
      case .ignored: break
      }
    }
    return output
  }

  /// Returns the label in Unicode if it is valid, decoded if it begins with `xn--`.
  private static func validLabel(_ label: [UInt32]) -> [UInt32]? {
    guard label.starts(with: prefix) else { return isValid(label) ? label : nil }
    guard label.count <= maximumLabelCount, label.allSatisfy({ $0 < 0x80 }) else { return nil }
    let encoded = label.dropFirst(prefix.count).map { UInt8(truncatingIfNeeded: $0) }
    guard let decoded = Punycode.decode(encoded[...]), decoded.contains(where: { $0 >= 0x80 }),
      Normalization.composed(decoded) == decoded, isValid(decoded)
    else { return nil }
    return decoded
  }

  private static let prefix: [UInt32] = "xn--".unicodeScalars.map { $0.value }

  /// Whether a label meets the validity criteria, apart from the bidi rule; it must be in NFC.
  private static func isValid(_ label: [UInt32]) -> Bool {
    guard let first = label.first else { return true }
    let tables = IDNATables.shared
    guard !label.starts(with: prefix), !tables.properties(of: first).isMark else { return false }
    for (index, code) in label.enumerated() {
      guard code != UInt32(ASCII.dot), tables.properties(of: code).status == .valid else {
        return false
      }
      if code == 0x200C || code == 0x200D, !isJoinerInContext(label, at: index) { return false }
    }
    return true
  }

  /// Whether U+200C or U+200D is allowed at an index.
  ///
  /// > Source: RFC 5892, appendices A.1 and A.2.
  private static func isJoinerInContext(_ label: [UInt32], at index: Int) -> Bool {
    let tables = IDNATables.shared
    let virama: UInt8 = 9
    if index > 0, tables.properties(of: label[index - 1]).combiningClass == virama { return true }
    guard label[index] == 0x200C else { return false }
    func joiningType(_ codes: some Sequence<UInt32>) -> IDNATables.JoiningType? {
      codes.lazy.map { tables.properties(of: $0).joiningType }.first { $0 != .transparent }
    }
    let before = joiningType(label[..<index].reversed())
    let after = joiningType(label[(index + 1)...])
    return (before == .left || before == .dual) && (after == .right || after == .dual)
  }

  private static func ascii(_ labels: [[UInt32]]) -> [UInt8]? {
    var output: [UInt8] = []
    for (index, label) in labels.enumerated() {
      if index > 0 { output.append(ASCII.dot) }
      if label.allSatisfy({ $0 < 0x80 }) {
        output.append(contentsOf: label.lazy.map { UInt8(truncatingIfNeeded: $0) })
      } else {
        guard label.count <= maximumLabelCount else { return nil }
        output.append(contentsOf: "xn--".utf8)
        guard Punycode.encode(label, to: &output) else { return nil }
      }
    }
    return output
  }
}

// MARK: - The bidi rule

extension IDNA {
  /// Whether every label satisfies the bidi rule, which applies if any of them is right to left.
  ///
  /// > Source: RFC 5893, section 2.
  private static func satisfiesBidiRule(_ labels: [[UInt32]]) -> Bool {
    let classes = labels.map { label in
      label.map { IDNATables.shared.properties(of: $0).bidiClass }
    }
    let isBidi = classes.contains { label in
      label.contains { $0 == .r || $0 == .al || $0 == .an }
    }
    return !isBidi || classes.allSatisfy(satisfiesBidiRule)
  }

  private static func satisfiesBidiRule(_ label: [IDNATables.BidiClass]) -> Bool {
    guard let first = label.first else { return true }
    let last = label.last { $0 != .nsm } ?? first
    switch first {
    case .r, .al:
      let hasBothNumbers = label.contains(.en) && label.contains(.an)
      return !hasBothNumbers && [.r, .al, .en, .an].contains(last)
        && !label.contains { $0 == .l || $0 == .other }
    case .l:
      return [.l, .en].contains(last)
        && !label.contains { [.r, .al, .an, .other].contains($0) }
    default:
      return false
    }
  }
}
