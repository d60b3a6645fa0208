/// Parses and serialises hosts as the standard does, in one step.
///
/// > Source: URL standard, "Host parsing".
enum HostParser {
  /// Parses a host that is not empty and appends its serialisation.
  ///
  /// - Parameters:
  ///   - text: The host as it is in the URL.
  ///   - isOpaque: Whether the URL's scheme is not special.
  ///   - output: Receives the serialised host; after a failure it may have a part of it.
  /// - Returns: The kind of the host, or `nil` on failure.
  static func append(
    _ text: ArraySlice<UInt8>,
    isOpaque: Bool,
    to output: inout [UInt8]
  ) -> WebURL.HostKind? {
    if text.first == ASCII.openBracket {
      guard text.last == ASCII.closeBracket, text.count > 2,
        let address = IPv6Address(parsing: Array(text.dropFirst().dropLast()))
      else { return nil }
      output.append(ASCII.openBracket)
      address.append(to: &output)
      output.append(ASCII.closeBracket)
      return .ipv6
    }
    if isOpaque {
      guard text.allSatisfy({ $0 >= 0x80 || ByteSet.host.contains($0) }) else { return nil }
      PercentEncoding.append(text, plain: .opaque, to: &output)
      return .opaque
    }
    if text.allSatisfy({ ByteSet.canonicalDomain.contains($0) }) {
      return append(domain: text, to: &output)
    }
    let decoded = PercentEncoding.decode(text.span)
    guard let domain = IDNA.domainToASCII(decoded),
      domain.allSatisfy({ ByteSet.domain.contains($0) })
    else { return nil }
    return append(domain: domain[...], to: &output)
  }

  /// Appends a domain in its ASCII form, as an IPv4 address if it ends in a number.
  private static func append(
    domain: ArraySlice<UInt8>,
    to output: inout [UInt8]
  ) -> WebURL.HostKind? {
    guard !domain.isEmpty else { return nil }
    guard IPv4Address.endsInNumber(domain) else {
      output.append(contentsOf: domain)
      return .domain
    }
    guard let address = IPv4Address(parsing: domain) else { return nil }
    address.append(to: &output)
    return .ipv4
  }
}
