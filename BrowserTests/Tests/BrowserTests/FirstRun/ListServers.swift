import BrowserDriving
import Foundation

/// Servers under the names of the catalogue's, which answer by `https` on this machine.
///
/// Who is given ``folders`` in the place of the system's takes them for the real ones.
final class ListServers {
  /// Files and folders in the place of the system's, by those: names of hosts, and certificates.
  let folders: [String: URL]
  private let process = Process()
  private let log: URL

  /// An address of this machine that other servers hardly have.
  private static let address = "127.77.4.\(getpid() % 250 + 1)"

  /// Starts them.
  ///
  /// - Parameters:
  ///   - folder: A folder for its files.
  ///   - lists: The texts that are served, by their addresses.
  /// - Throws: ``DrivingError`` if they do not come up.
  init(in folder: URL, lists: [String: Data]) throws {
    let files = FileManager.default
    let served = folder.appending(path: "served")
    var hosts: Set<String> = []
    for (address, text) in lists {
      guard let url = URL(string: address), let host = url.host() else {
        throw DrivingError("\(address) is no address")
      }
      hosts.insert(host)
      let file = served.appending(path: host + url.path())
      try files.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try text.write(to: file)
    }
    let key = folder.appending(path: "server-key.pem")
    let certificate = folder.appending(path: "server-certificate.pem")
    try Tool.run([
      "/usr/bin/openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
      "/CN=Lists for a test", "-addext",
      "subjectAltName=" + hosts.sorted().map { "DNS:\($0)" }.joined(separator: ","), "-keyout",
      key.path, "-out", certificate.path,
    ])
    let both = folder.appending(path: "server.pem")
    try (Data(contentsOf: key) + Data(contentsOf: certificate)).write(to: both)
    let names = folder.appending(path: "hosts")
    let lines = hosts.sorted().map { "\(Self.address) \($0)\n" }.joined()
    try (Data(contentsOf: URL(filePath: "/etc/hosts")) + Data("\n\(lines)".utf8)).write(to: names)
    let trusted = folder.appending(path: "certificates")
    try files.copyItem(at: URL(filePath: "/etc/ssl/certs"), to: trusted)
    let bundle = trusted.appending(path: "ca-certificates.crt")
    try (Data(contentsOf: bundle) + Data(contentsOf: certificate)).write(to: bundle)
    folders = ["/etc/hosts": names, "/etc/ssl/certs": trusted]

    log = folder.appending(path: "served.log")
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", Session.packageRoot.appending(path: "BrowserTests/Scripts/serve-https.py").path,
      Self.address, served.path, both.path, log.path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    guard output.fileHandleForReading.availableData.starts(with: Data("ready".utf8)) else {
      throw DrivingError("no server of lists on \(Self.address)")
    }
  }

  /// What was asked for.
  var received: [String] {
    let text = try? String(contentsOf: log, encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  func stop() {
    guard process.isRunning else { return }
    // Threads of tasks block SIGTERM, and what they start inherits that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
