internal import NIOCore
internal import NIOHTTP1

/// Answers 400 to requests that name two hosts, so that no page has to know which of them is meant.
///
/// Behind the decoder only one of them is left: a second `Host`, and the host of a target in absolute form,
/// are lost there, and what remains may be right. So it comes directly after the decoder, as whose errors
/// its own go on.
final class AddressCheck: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private var isRefused = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // What comes before the connection is closed belongs to the refused request, or is behind it.
    guard !isRefused else { return }
    if case .head(let head) = unwrapInboundIn(data), !Self.isOfOneHost(head) {
      isRefused = true
      return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
    }
    context.fireChannelRead(data)
  }

  /// Whether all that a request says about its host is the same.
  static func isOfOneHost(_ head: HTTPRequestHead) -> Bool {
    let hosts = head.headers["Host"]
    guard hosts.count <= 1 else { return false }
    // “*”, and for CONNECT a host alone, are no paths either; pages know neither.
    guard !head.uri.hasPrefix("/"), head.method != .CONNECT, head.uri != "*" else { return true }
    guard let start = head.uri.firstRange(of: "://")?.upperBound else { return false }
    let authority = head.uri[start...].prefix { !"/?#".contains($0) }
    return authority.lowercased() == hosts.first?.lowercased()
  }
}
