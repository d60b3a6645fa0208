internal import WebURL

/// Where one request goes: the address as curl gets it, and the only places it may connect to.
///
/// The host is looked up once, here. All of its addresses are judged, and curl is told them, so that
/// a second look-up, which may say something else, never happens.
struct Destination {
  /// The serialised URL, its host without a final dot.
  let address: String
  /// What curl is told of the host; nil where the host is an address.
  let pin: String?
  /// The addresses that were judged; curl may connect to any of them.
  let judged: [NetworkAddress]
  /// Whether it is not of the public internet, and the caller allowed that.
  let isLocal: Bool

  private static let addressLimit = 16

  /// Looks up and judges.
  ///
  /// - Throws: ``CurlFailure`` with reason `.badRequest`, `.noAnswer`, `.tooLong` or `.localAddress`.
  init(_ request: CurlRequest, _ resolver: any NameResolving) throws(CurlFailure) {
    // The parser would ignore some of them.
    guard request.address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
      var url = WebURL(request.address), url.scheme == "http" || url.scheme == "https",
      let written = url.host, !written.isEmpty
    else {
      throw CurlFailure(
        .badRequest,
        "\(CurlRequest.shown(request.address)) is no address that can be fetched"
      )
    }
    let host = NetworkHost.name(written)
    if host != written, !url.setHost(host) {
      throw CurlFailure(
        .badRequest,
        "\(CurlRequest.shown(request.address)) is no address that can be fetched"
      )
    }
    address = url.serialized
    let found: [NetworkAddress]
    if let literal = NetworkHost.literal(host) {
      found = [literal]
      pin = nil
    } else {
      guard Self.canBePinned(host) else {
        throw CurlFailure(
          .badRequest,
          "\(CurlRequest.shown(host)) is not a host's name: it may have letters, digits, dots, "
            + "hyphens and underscores, and does not begin with a hyphen"
        )
      }
      found = Array(
        try resolver.addresses(of: host, within: request.idleSeconds).prefix(Self.addressLimit)
      )
      let port = url.port ?? (url.scheme == "https" ? 443 : 80)
      let list = found.map { $0.bytes.count == 16 ? "[\($0.text)]" : $0.text }
      pin = "\(host):\(port):\(list.joined(separator: ","))"
    }
    guard !found.isEmpty else { throw CurlFailure(.noAnswer, "there is no such host") }
    judged = found
    let use = found.lazy.compactMap(\.specialUse).first
    isLocal = use != nil
    // One is enough: curl may take any of them.
    if let use, request.localHost.map(NetworkHost.name) != host {
      throw CurlFailure(
        .localAddress,
        "\(CurlRequest.shown(host)) leads to an address that is not of the public internet "
          + "(\(use)), which only an address that you typed yourself may"
      )
    }
  }

  /// Sees that an answer came from an address that was judged, whatever led the connection elsewhere.
  ///
  /// - Throws: ``CurlFailure`` with reason `.localAddress`.
  func check(_ answer: CurlAnswer) throws(CurlFailure) {
    guard let peer = answer.peer, judged.contains(peer) else {
      throw CurlFailure(
        .localAddress,
        "the answer came from \(answer.peer?.text ?? "an unknown address"), which is none of the "
          + "addresses that were found for the host; it is not taken"
      )
    }
  }

  /// Whether curl takes the name in `--resolve` for what it is.
  ///
  /// There a hyphen at the beginning removes an entry, a plus sign makes it expire, and an asterisk
  /// stands for every host: curl would look the name up again, and connect to whatever it then finds.
  private static func canBePinned(_ host: String) -> Bool {
    host.first != "-"
      && host.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      }
  }
}

/// Names of hosts in the one form in which they are compared.
public enum NetworkHost {
  /// The host of a web address, in lower case and without a final dot; nil where there is none.
  public static func of(_ address: String) -> String? {
    WebURL(address)?.host.map { name($0) }
  }

  /// A host, in lower case and without a final dot.
  static func name(_ host: String) -> String {
    var host = host.lowercased()
    while host.count > 1, host.hasSuffix(".") { host.removeLast() }
    return host
  }

  /// The address that a host is, in brackets or not; nil for a name.
  static func literal(_ host: String) -> NetworkAddress? {
    if host.hasPrefix("["), host.hasSuffix("]") {
      return NetworkAddress(String(host.dropFirst().dropLast()))
    }
    return NetworkAddress(host)
  }

  /// Whether an address names this machine or a private network, as far as its text says.
  ///
  /// Names that only a resolver knows to be local are not seen; ``CurlTransfer`` judges what the
  /// resolver says.
  public static func isLocal(_ address: String) -> Bool {
    guard let host = of(address) else { return false }
    if let literal = literal(host) { return literal.specialUse != nil }
    // Reserved for such use (RFC 6761, 6762, 8375, and ICANN for `internal`), or completed by the
    // resolver with the own network's domain.
    return !host.contains(".")
      || ["localhost", "local", "internal"].contains { host.hasSuffix("." + $0) }
      || host.hasSuffix(".home.arpa")
  }
}
