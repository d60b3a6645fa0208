internal import ContentRules

/// A GET request of a program that trusts neither the address's server nor the user's settings for
/// curl.
public struct CurlRequest: Equatable, Sendable {
  /// An http or https address without spaces and control characters.
  public var address: String
  /// Header fields by name.
  public var headers: [String: String] = [:]
  /// The most bytes of the body, after decompression; one more ends the transfer.
  public var bodyLimit: Int
  /// The most bytes of the header, interim answers included.
  public var headLimit = 256 << 10
  /// The most seconds until the last byte.
  public var seconds: Double
  /// How many seconds connecting may take, and for how many the transfer may be slower than
  /// ``minimumRate``.
  public var idleSeconds: Double = 20
  /// Bytes a second; a server that sends less goes on for as long as `seconds` lets it otherwise.
  public var minimumRate = 1_024
  /// Whether the server may compress the body.
  public var acceptsCompression = false
  /// The host that the user named, which may be in a private network or this machine; all others
  /// have to be of the public internet.
  public var localHost: String?

  /// Makes a request that takes the usual bounds.
  public init(address: String, bodyLimit: Int, seconds: Double) {
    self.address = address
    self.bodyLimit = bodyLimit
    self.seconds = seconds
  }

  /// What stands on the command line: nothing that is private, since every user can read it.
  var arguments: [String] {
    // A compressed body that grew is still taken if it fits when opened.
    let slack = acceptsCompression ? bodyLimit / 1_000 + 1_024 : 0
    var arguments = [
      // Before all others: the user's configuration is for the user's own transfers.
      "--disable",
      // A proxy would look the host up again, and has its own idea of loopback.
      "--noproxy", "*", "--silent", "--show-error", "--globoff", "--proto", "=http,https",
      "--max-filesize", "\(bodyLimit.addingReportingOverflow(slack).partialValue)",
      "--max-time", Self.text(seconds), "--connect-timeout", Self.text(idleSeconds),
      "--speed-limit", "\(max(1, minimumRate))", "--speed-time",
      "\(Int(Self.bounded(idleSeconds).rounded(.up)))",
      "--suppress-connect-headers", "--dump-header", "/dev/stderr",
      "--write-out", "%{stderr}\n%{http_code} %{remote_ip} %{redirect_url}\n", "--config", "-",
    ]
    if acceptsCompression { arguments.append("--compressed") }
    return arguments
  }

  /// What curl reads from its standard input.
  ///
  /// - Throws: ``CurlFailure`` with reason `.badRequest` for what would be read as something else.
  func configuration(_ destination: Destination) throws(CurlFailure) -> String {
    var lines = ["url = \(Self.quoted(destination.address))"]
    if let pin = destination.pin { lines.append("resolve = \(Self.quoted(pin))") }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      guard Self.isToken(name), value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
      else {
        throw CurlFailure(
          .badRequest,
          "the header field \(Self.shown(name)) has characters that no field may have"
        )
      }
      // A name and a colon alone would tell curl to leave its own field out.
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

  /// A text in one line, as far as it can be shown.
  static func shown(_ text: String) -> String { DisplayText.line(text, limit: 300) }
}
