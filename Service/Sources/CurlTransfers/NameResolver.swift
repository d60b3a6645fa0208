internal import CLibrary
internal import Foundation
internal import Synchronization

/// Resolves host names; tests have their own implementation.
public protocol NameResolving: Sendable {
  /// Resolves a host.
  ///
  /// - Parameters:
  ///   - host: A name in lower case ASCII, without a trailing dot.
  ///   - seconds: The timeout.
  /// - Returns: The addresses, the preferred one first; empty if the host has none.
  /// - Throws: ``CurlFailure``.
  func addresses(of host: String, within seconds: Double) throws(CurlFailure) -> [NetworkAddress]
}

/// The system's resolver, including `/etc/hosts` and any other configured source.
public struct SystemResolver: NameResolving {
  /// Makes a resolver.
  public init() {}

  /// Calls the system's resolver, on a thread of its own.
  public func addresses(
    of host: String,
    within seconds: Double
  ) throws(CurlFailure) -> [NetworkAddress] {
    // RFC 6761 requires this, and not every resolver does it.
    if host == "localhost" || host.hasSuffix(".localhost") {
      return ["127.0.0.1", "::1"].compactMap(NetworkAddress.init)
    }
    let answer = Answer()
    // The system's call cannot be cancelled; a thread of its own blocks nothing else.
    Thread.detachNewThread { answer.set(Self.look(host)) }
    guard let found = answer.wait(seconds) else {
      throw CurlFailure(.tooLong, "the host's address could not be found in time")
    }
    return found
  }

  private static func look(_ host: String) -> [NetworkAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { unsafe freeaddrinfo(list) }
    var found: [NetworkAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      unsafe next = entry.pointee.ai_next
      guard let raw = unsafe entry.pointee.ai_addr else { continue }
      let bytes = unsafe UnsafeRawBufferPointer(
        start: raw,
        count: Int(entry.pointee.ai_addrlen)
      )
      // The address follows family and port; in IPv6 a flow label is in between.
      let part: Swift.Range<Int>
      switch Int32(unsafe entry.pointee.ai_family) {
      case AF_INET: part = 4..<8
      case AF_INET6: part = 8..<24
      default: continue
      }
      guard bytes.count >= part.upperBound,
        let address = unsafe NetworkAddress(bytes: Array(bytes[part])), !found.contains(address)
      else { continue }
      found.append(address)
    }
    return found
  }

  private final class Answer: Sendable {
    private let found = Mutex<[NetworkAddress]?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func set(_ addresses: [NetworkAddress]) {
      found.withLock { $0 = addresses }
      isThere.signal()
    }

    func wait(_ seconds: Double) -> [NetworkAddress]? {
      guard isThere.wait(timeout: .now() + max(0.1, min(seconds, 1e6))) == .success else {
        return nil
      }
      return found.withLock { $0 }
    }
  }
}
