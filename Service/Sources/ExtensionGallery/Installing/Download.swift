internal import CurlTransfers
public import Foundation
internal import Synchronization

/// Downloads files over https, or copies them from this machine.
///
/// `curl` reads servers' answers in a process of its own, since Foundation's `URLSession` on Linux
/// crashes on a redirect to an address such as `//:99999/`.
///
/// Plain http is allowed only for loopback addresses, redirects included: a first installation
/// trusts what it gets.
public struct Downloader: Sendable {
  /// The seconds for which a server may be slower than a kibibyte per second.
  public var idleTimeout: TimeInterval = 30
  /// The limit on redirects.
  static let redirections = 5

  /// The timeout for a list, redirects included.
  public var listDeadline: Duration = .seconds(60)
  /// The longest timeout for a package, redirects included; see ``time(for:)``.
  public var deadline: Duration = .seconds(1800)
  /// The slowest average rate accepted for a package, in bytes per second.
  private static let packageRate = 32 << 10

  /// Who gave an address.
  public enum Naming: Sendable {
    /// The user, on a command line or as a gallery's address: it may be in a private network.
    case user
    /// A bundle or a manifest: it has to be on the public internet.
    case stranger
  }

  /// For tests, whose servers are on this machine.
  var trustsAll = false

  /// Creates a downloader with the default timeouts.
  public init() {}

  /// Returns whether an address may be fetched.
  public static func allows(_ url: URL) -> Bool {
    // A name and password in an address would be displayed and stored.
    guard url.user == nil, url.password == nil else { return false }
    return switch url.scheme?.lowercased() {
    case "https": !(url.host() ?? "").isEmpty
    case "http": isLoopback(url.host() ?? "")
    case "file": url.host() ?? "" == "" || url.host() == "localhost"
    default: false
    }
  }

  private static func isLoopback(_ host: String) -> Bool {
    if ["localhost", "::1", "[::1]"].contains(host.lowercased()) { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Downloads a small file into memory.
  ///
  /// - Throws: As ``download(_:to:limit:)``.
  func data(
    _ url: URL,
    limit: Int,
    staging: URL,
    namedBy naming: Naming = .user
  ) async throws -> Data {
    let file = staging.appending(path: UUID().uuidString)
    defer { try? FileSystem.remove(file) }
    try await download(
      url,
      to: file,
      limit: UInt64(limit),
      within: min(listDeadline, deadline),
      namedBy: naming
    )
    return try InputFile(file).readAll(limit: limit, what: url.absoluteString)
  }

  /// Downloads a file.
  ///
  /// - Parameters:
  ///   - url: An https address, a loopback http address or a file.
  ///   - file: A new file, which is removed on failure.
  ///   - limit: The size limit in bytes; exceeding it aborts the transfer.
  ///   - naming: Who gave the address.
  /// - Throws: ``GalleryError`` with code `.download` or `.tooLarge`.
  public func download(
    _ url: URL,
    to file: URL,
    limit: UInt64,
    namedBy naming: Naming = .user
  ) async throws {
    try await download(url, to: file, limit: limit, within: time(for: limit), namedBy: naming)
  }

  /// Returns the timeout for a package of a size.
  func time(for size: UInt64) -> Duration {
    min(deadline, .seconds(60 + Int64(clamping: size / UInt64(Self.packageRate))))
  }

  private func download(
    _ url: URL,
    to file: URL,
    limit: UInt64,
    within time: Duration,
    namedBy naming: Naming
  ) async throws {
    guard Self.allows(url) else {
      throw GalleryError(
        .download,
        "\(url.absoluteString) is not asked: use https, a file, or http on this machine"
      )
    }
    do {
      if url.isFileURL {
        try copy(url, to: file, limit: limit)
      } else {
        // After a redirect only the host that the user gave may still be in a private network.
        let isNamed = naming == .user || trustsAll
        let localHost = isNamed ? NetworkHost.of(url.absoluteString) : nil
        try await transfer(url, to: file, limit: limit, within: time, localHost)
      }
    } catch {
      try? FileSystem.remove(file)
      throw error
    }
  }

  private func copy(_ url: URL, to file: URL, limit: UInt64) throws {
    let input = try InputFile(url)
    guard input.size <= limit else { throw Self.tooLarge(url, limit) }
    let output = try WritableFile(new: file, mode: 0o600)
    var left = limit
    while true {
      let part = try input.read(1 << 16)
      if part.isEmpty { break }
      guard UInt64(part.count) <= left else { throw Self.tooLarge(url, limit) }
      left -= UInt64(part.count)
      try output.write(part)
    }
    try output.finish()
  }

  static func tooLarge(_ url: URL, _ limit: UInt64) -> GalleryError {
    GalleryError(
      .tooLarge,
      "\(url.absoluteString) gives more than the \(limit) bytes that are taken; it was given up"
    )
  }

  private func transfer(
    _ url: URL,
    to file: URL,
    limit: UInt64,
    within time: Duration,
    _ localHost: String?
  ) async throws {
    let end = ContinuousClock.now + time
    var place = url
    for _ in 0...Self.redirections {
      guard let next = try await request(place, to: file, limit: limit, localHost, end: end) else {
        return
      }
      let staysSafe = place.scheme?.lowercased() != "https" || next.scheme?.lowercased() == "https"
      guard !next.isFileURL, Self.allows(next), staysSafe else {
        throw GalleryError(
          .download,
          "\(place.absoluteString) leads on to \(next.absoluteString), where it is not followed"
        )
      }
      try FileSystem.remove(file)
      place = next
    }
    throw GalleryError(
      .download,
      "\(url.absoluteString) redirects more than \(Self.redirections) times"
    )
  }

  /// Sends one request.
  ///
  /// - Returns: The target of a redirect; nil if the file was downloaded.
  private func request(
    _ url: URL,
    to file: URL,
    limit: UInt64,
    _ localHost: String?,
    end: ContinuousClock.Instant
  ) async throws -> URL? {
    // The redirects of a chain share one timeout.
    let left = ContinuousClock.now.duration(to: end) / .seconds(1)
    guard left > 0 else {
      throw GalleryError(.download, "\(url.absoluteString) cannot be fetched: it took too long")
    }
    var request = CurlRequest(
      address: url.absoluteString,
      bodyLimit: Int(clamping: limit),
      seconds: left
    )
    request.headers = ["User-Agent": "tickbird"]
    request.idleSeconds = max(1, idleTimeout)
    request.localHost = localHost
    let body = DownloadedBody(try WritableFile(new: file, mode: 0o600))
    let answer: CurlAnswer
    do {
      answer = try await CurlTransfer(request).run { try body.write($0) }
      try body.finish()
    } catch let failure as CurlFailure {
      if failure.reason == .tooLarge { throw Self.tooLarge(url, limit) }
      throw GalleryError(
        .download,
        "\(url.absoluteString) cannot be fetched: \(failure.message)"
      )
    }
    switch answer.status {
    case 200: return nil
    case 301, 302, 303, 307, 308:
      guard let next = URL(string: answer.redirect), next.scheme != nil else { fallthrough }
      return next
    default:
      throw GalleryError(
        .download,
        "\(url.absoluteString) answers with the status \(answer.status)"
      )
    }
  }
}

/// The file that receives a body, written by one thread at a time.
private final class DownloadedBody: Sendable {
  private let file: Mutex<WritableFile>

  init(_ file: sending WritableFile) {
    self.file = Mutex(file)
  }

  func write(_ part: ArraySlice<UInt8>) throws {
    try file.withLock { try $0.write(Data(part)) }
  }

  func finish() throws {
    try file.withLock { try $0.finish() }
  }
}
