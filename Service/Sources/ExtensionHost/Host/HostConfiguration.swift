internal import DurableFiles
internal import ExtensionMessages
internal import ExtensionSandbox
public import Foundation

/// The limits of extensions, which a file can change.
///
/// The file `Host.json` in the service's data folder may set any of these by name:
///
///     { "deadline": 60, "memory": 1073741824 }
public struct HostConfiguration: Codable, Equatable, Sendable {
  /// The timeout of an answer, in seconds.
  public var deadline: Double = 30
  /// How long the process may run on after its answer, and how long it has to end after SIGTERM, in
  /// seconds.
  public var grace: Double = 5
  /// The memory of one process, in bytes.
  public var memory: Int = 512 << 20
  /// The processor time of one process, in seconds.
  public var processorTime: Int = 60
  /// The processor time of all of an extension's processes within an hour, in seconds.
  public var processorTimePerHour: Int = 900
  /// The largest file an extension may write, in bytes.
  public var fileSize: Int = 256 << 20
  /// The size limit of a container or a group, in bytes.
  public var disk: Int = 1 << 30
  /// The limit on files, folders and links in a container or a group.
  public var files: Int = 20_000
  /// The largest answer, in bytes.
  public var answer: Int = 64 << 20
  /// How many bytes of a request's output are logged.
  public var output: Int = 64 << 10
  /// The size at which an extension's log is rotated, in bytes.
  public var log: Int = 256 << 10
  /// How many seconds the handler of a Safari app extension may have nothing to do before its process
  /// is ended; the next event starts it again.
  public var idle: Double = 600
  /// The limit on concurrent messages to one web extension.
  public var messagesAtOnce = 4
  /// The limit on clients connected to the socket.
  public var clients = 64

  /// Creates the default configuration.
  public init() {}

  /// Decodes a configuration; missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(
      _ key: CodingKeys,
      _ path: WritableKeyPath<Self, Value>
    ) throws {
      guard let value = try values.decodeIfPresent(Value.self, forKey: key) else { return }
      self[keyPath: path] = value
    }
    try read(.deadline, \.deadline)
    try read(.grace, \.grace)
    try read(.memory, \.memory)
    try read(.processorTime, \.processorTime)
    try read(.processorTimePerHour, \.processorTimePerHour)
    try read(.fileSize, \.fileSize)
    try read(.disk, \.disk)
    try read(.files, \.files)
    try read(.answer, \.answer)
    try read(.output, \.output)
    try read(.log, \.log)
    try read(.idle, \.idle)
    try read(.messagesAtOnce, \.messagesAtOnce)
    try read(.clients, \.clients)
    deadline = min(max(deadline, 0.1), 86_400)
    grace = min(max(grace, 0.1), 3_600)
    idle = min(max(idle, 0.1), 86_400)
    disk = max(disk, 1 << 20)
    files = min(max(files, 100), 1_000_000)
    answer = min(max(answer, 1 << 10), 1 << 30)
    output = min(max(output, 0), 1 << 30)
    log = min(max(log, 1 << 10), 1 << 30)
    messagesAtOnce = min(max(messagesAtOnce, 1), 100)
    clients = min(max(clients, 1), 1_000)
  }

  /// The size limit of the file, in bytes.
  private static let sizeLimit = 1 << 20

  /// Reads the file in a data folder, if there is one.
  ///
  /// - Throws: ``HostError`` with code `.badArgument` if the file is invalid.
  public init(in data: URL) throws(HostError) {
    let file = data.appending(path: "Host.json")
    guard DurableFile.isThere(file.path) else {
      self.init()
      return
    }
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try DurableFile.contents(of: file.path, atMost: Self.sizeLimit)
    } catch {
      throw HostError(.badArgument, error.description)
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(bytes))
    } catch {
      throw HostError(
        .badArgument,
        "\(file.path) is not a valid configuration of the host (\(error)); mend or remove it"
      )
    }
  }

  /// The limits of a process that answers a request.
  var processLimits: ProcessLimits { processLimits(ofSession: false) }

  /// The limits of an extension's process.
  ///
  /// A browser's session lasts long, so the processor time of its process is that of all processes.
  func processLimits(ofSession isSession: Bool) -> ProcessLimits {
    ProcessLimits(
      memory: memory,
      processorSeconds: isSession ? processorTimePerHour : processorTime,
      fileSize: fileSize,
      disk: DiskLimits(bytes: disk, files: files)
    )
  }

  /// The limits of an extension's messages.
  var messageLimits: ExtensionMessageLimits { ExtensionMessageLimits(bytes: answer) }
}
