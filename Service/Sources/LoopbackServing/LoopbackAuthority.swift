/// The host and port that a request names, where both can be this machine's: `127.0.0.1:7311`.
///
/// What pages of other sites make of a browser's requests, by names that lead here, is none; neither is
/// anything that would not be a host and a port in an address.
public struct LoopbackAuthority: Equatable, Sendable {
  /// The host, in small letters.
  public let host: String
  /// The port; nil if the request names none.
  public let port: Int?

  /// Reads what a request says; nil unless it is `127.0.0.1` or `localhost`, alone or with a port.
  ///
  /// - Parameter text: The request's `Host`; nil if it has none.
  public init?(_ text: String?) {
    guard let text else { return nil }
    let parts = text.lowercased().split(
      separator: ":",
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    guard let host = parts.first, ["127.0.0.1", "localhost"].contains(host) else { return nil }
    self.host = String(host)
    guard parts.count > 1 else {
      port = nil
      return
    }
    // Digits alone, as they are written: `+80`, `080` and `８０` are no ports.
    guard let number = UInt16(parts[1]), String(number).utf8.elementsEqual(parts[1].utf8) else {
      return nil
    }
    port = Int(number)
  }

  /// Whether an address with this leads to a port: browsers leave out 80, which `http` has without one.
  public func leads(to port: Int) -> Bool { (self.port ?? 80) == port }
}

extension LoopbackAuthority: CustomStringConvertible {
  /// The host and the port, as addresses have them.
  public var description: String { port.map { "\(host):\($0)" } ?? host }
}
