internal import DurableFiles
internal import ExtensionMessages
internal import ExtensionSandbox
public import Foundation

/// The bounds of what extensions may use, which a file can change.
///
/// The file `Host.json` in the service's data folder has any of the keys by their names here:
///
///     { "deadline": 60, "memory": 1073741824 }
public struct HostConfiguration: Codable, Equatable, Sendable {
  /// How long an extension may take to answer, in seconds.
  public var deadline: Double = 30
  /// How long its completion handler may run on after the answer, in seconds; and how long it has
  /// to end when it is told to.
  public var grace: Double = 5
  /// The most memory of an extension's process, in bytes.
  public var memory: Int = 512 << 20
  /// The most processor time of an extension's process, in seconds.
  public var processorTime: Int = 60
  /// The most processor time of all processes of an extension within an hour, in seconds.
  public var processorTimePerHour: Int = 900
  /// The largest file an extension may write, in bytes.
  public var fileSize: Int = 256 << 20
  /// What a container or a group may hold, in bytes.
  public var disk: Int = 1 << 30
  /// How many files, folders and links a container or a group may have.
  public var files: Int = 20_000
  /// The largest answer, in bytes.
  public var answer: Int = 64 << 20
  /// How much of what a request prints is kept, in bytes.
  public var output: Int = 64 << 10
  /// How large an extension's log grows before it is begun again, in bytes.
  public var log: Int = 256 << 10
  /// How many messages to one web extension may be on their way at the same time.
  public var messagesAtOnce = 4
  /// How many clients may be connected to the socket.
  public var clients = 64

  /// Makes the configuration that holds without a file.
  public init() {}

  /// Reads a configuration; keys that are missing are as without a file.
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
    try read(.messagesAtOnce, \.messagesAtOnce)
    try read(.clients, \.clients)
    deadline = min(max(deadline, 0.1), 86_400)
    grace = min(max(grace, 0.1), 3_600)
    disk = max(disk, 1 << 20)
    files = min(max(files, 100), 1_000_000)
    answer = min(max(answer, 1 << 10), 1 << 30)
    output = min(max(output, 0), 1 << 30)
    log = min(max(log, 1 << 10), 1 << 30)
    messagesAtOnce = min(max(messagesAtOnce, 1), 100)
    clients = min(max(clients, 1), 1_000)
  }

  /// Reads the file of a data folder, if there is one.
  ///
  /// - Throws: ``HostError`` with code `.badArgument` for a file that is not sound.
  public init(in data: URL) throws(HostError) {
    let file = data.appending(path: "Host.json")
    guard DurableFile.isThere(file.path) else {
      self.init()
      return
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    } catch {
      throw HostError(
        .badArgument,
        "\(file.path) is no configuration of the host (\(error)); mend or remove it"
      )
    }
  }

  /// The limits of an extension's process.
  var processLimits: ProcessLimits {
    ProcessLimits(
      memory: memory,
      processorSeconds: processorTime,
      fileSize: fileSize,
      disk: DiskLimits(bytes: disk, files: files)
    )
  }

  /// The limits of an extension's messages.
  var messageLimits: ExtensionMessageLimits { ExtensionMessageLimits(bytes: answer) }
}
