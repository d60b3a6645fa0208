internal import ContentRules

/// A GET request that trusts neither the server nor the user's curl configuration.
public struct CurlRequest: Equatable, Sendable {
  /// An http or https address without spaces and control characters.
  public var address: String
  /// Header fields by name.
  public var headers: [String: String] = [:]
  /// The size limit of the body in bytes, after decompression; exceeding it aborts the transfer.
  public var bodyLimit: Int
  /// The size limit of the header in bytes, including interim answers.
  public var headLimit = 256 << 10
  /// The timeout until the last byte, in seconds.
  public var seconds: Double
  /// The timeout for connecting, and the time for which a transfer may be slower than
  /// ``minimumRate``, in seconds.
  public var idleSeconds: Double = 20
  /// In bytes per second; only `seconds` limits a server that is faster.
  public var minimumRate = 1_024
  /// Whether the server may compress the body.
  public var acceptsCompression = false
  /// The host that the user named, which may be on this machine or in a private network; all others
  /// have to be on the public internet.
  public var localHost: String?

  /// Creates a request with default limits.
  public init(address: String, bodyLimit: Int, seconds: Double) {
    self.address = address
    self.bodyLimit = bodyLimit
    self.seconds = seconds
  }

  /// The command line, which contains nothing private, since every user can read it.
  var arguments: [String] {
    // A compressed body may be slightly larger than its contents, which must still fit.
    let slack = acceptsCompression ? bodyLimit / 1_000 + 1_024 : 0
    var arguments = [
      // Must come first; the user's configuration is for the user's own transfers.
      "--disable",
      // A proxy would resolve the host again, and has its own loopback.
      "--noproxy", "*", "--silent", "--show-error", "--globoff", "--proto", "=http,https",
      "--max-filesize", "\(bodyLimit.addingReportingOverflow(slack).partialValue)",
      "--max-time", Self.text(seconds), "--connect-timeout", Self.text(idleSeconds),
      "--speed-limit", "\(max(1, minimumRate))", "--speed-time",
      "\(Int(Self.bounded(idleSeconds).rounded(.up)))",
      "--suppress-connect-headers", "--dump-header", "/dev/stderr",
      // So that it notices at the next byte that nobody reads any more, as where this process was killed.
      "--no-buffer",
      "--write-out", "%{stderr}\n%{http_code} %{remote_ip} %{redirect_url}\n", "--config", "-",
    ]
    if acceptsCompression { arguments.append("--compressed") }
    return arguments
  }

  /// Returns the configuration that curl reads from standard input.
  ///
  /// - Throws: ``CurlFailure`` with reason `.badRequest` for values that curl would parse
  ///   differently.
  func configuration(_ destination: Destination) throws(CurlFailure) -> String {
    var lines = ["url = \(Self.quoted(destination.address))"]
    if let pin = destination.pin { lines.append("resolve = \(Self.quoted(pin))") }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      guard Self.isToken(name), value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
      else {
        throw CurlFailure(
          .badRequest,
          "the header field \(Self.shown(name)) has characters that are not allowed in a field"
        )
      }
      // A name and a colon without a value would make curl drop its own field.
      let isBlank = value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      lines.append("header = \(Self.quoted(isBlank ? "\(name);" : "\(name): \(value)"))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func bounded(_ seconds: Double) -> Double {
    seconds.isNaN ? 1 : min(max(seconds, 0.1), 1e6)
  }

  private static func text(_ seconds: Double) -> String { "\(bounded(seconds))" }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": quoted += "\\\\"
      case "\"": quoted += "\\\""
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Makes a text printable on one line.
  static func shown(_ text: String) -> String { DisplayText.line(text, limit: 300) }
}
