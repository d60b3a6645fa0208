internal import WebURL

/// The destination of a request: the address for curl, and the only IP addresses it may connect to.
///
/// The host is resolved once, here. All its addresses are checked and passed to curl, so that there
/// is no second resolution that could give a different result (DNS rebinding).
struct Destination {
  /// The serialised URL, whose host has no trailing dot.
  let address: String
  /// curl's `--resolve` entry for the host; nil if the host is an IP address.
  let pin: String?
  /// The checked addresses; curl may connect to any of them.
  let judged: [NetworkAddress]
  /// Whether it is outside the public internet, which the caller allowed.
  let isLocal: Bool

  private static let addressLimit = 16

  /// Resolves and checks the host.
  ///
  /// - Throws: ``CurlFailure`` with reason `.badRequest`, `.noAnswer`, `.tooLong` or
  ///   `.localAddress`.
  init(_ request: CurlRequest, _ resolver: any NameResolving) throws(CurlFailure) {
    // The URL parser would ignore some of them.
    guard request.address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
      var url = WebURL(request.address), url.scheme == "http" || url.scheme == "https",
      let written = url.host, !written.isEmpty
    else {
      throw CurlFailure(
        .badRequest,
        "\(CurlRequest.shown(request.address)) is not an address that can be fetched"
      )
    }
    let host = NetworkHost.name(written)
    if host != written, !url.setHost(host) {
      throw CurlFailure(
        .badRequest,
        "\(CurlRequest.shown(request.address)) is not an address that can be fetched"
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
    // One is enough, since curl may choose any of them.
    if let use, request.localHost.map(NetworkHost.name) != host {
      throw CurlFailure(
        .localAddress,
        "\(CurlRequest.shown(host)) leads to an address that is not of the public internet "
          + "(\(use)), which only an address that you typed yourself may"
      )
    }
  }

  /// Checks that an answer came from one of the checked addresses.
  ///
  /// - Throws: ``CurlFailure`` with reason `.localAddress`.
  func check(_ answer: CurlAnswer) throws(CurlFailure) {
    guard let peer = answer.peer, judged.contains(peer) else {
      throw CurlFailure(
        .localAddress,
        "the answer came from \(answer.peer?.text ?? "an unknown address"), which is not one of the "
          + "addresses that were found for the host; it is not taken"
      )
    }
  }

  /// Returns whether curl takes the name literally in `--resolve`.
  ///
  /// There a leading hyphen removes an entry, a plus sign makes it expire, and an asterisk stands
  /// for every host; curl would then resolve the name again and connect to whatever it finds.
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

/// Normalizes host names for comparison.
public enum NetworkHost {
  /// Returns the host of a web address, in lower case without a trailing dot; nil if there is none.
  public static func of(_ address: String) -> String? {
    WebURL(address)?.host.map { name($0) }
  }

  /// Returns a host in lower case without a trailing dot.
  static func name(_ host: String) -> String {
    var host = host.lowercased()
    while host.count > 1, host.hasSuffix(".") { host.removeLast() }
    return host
  }

  /// Returns the IP address that a host is, with or without brackets; nil for a name.
  static func literal(_ host: String) -> NetworkAddress? {
    if host.hasPrefix("["), host.hasSuffix("]") {
      return NetworkAddress(String(host.dropFirst().dropLast()))
    }
    return NetworkAddress(host)
  }

  /// Returns whether an address names this machine or a private network, judging by its text alone.
  ///
  /// Names that only a resolver knows to be local are not detected; ``CurlTransfer`` checks the
  /// resolved addresses.
  public static func isLocal(_ address: String) -> Bool {
    guard let host = of(address) else { return false }
    if let literal = literal(host) { return literal.specialUse != nil }
    // Reserved for local use (RFC 6761, 6762, 8375, and ICANN for `internal`), or completed by the
    // resolver with the local domain.
    return !host.contains(".")
      || ["localhost", "local", "internal"].contains { host.hasSuffix("." + $0) }
      || host.hasSuffix(".home.arpa")
  }
}
