internal import CommandArguments
internal import ExtensionHost
internal import ExtensionMessages
internal import TextOutput

/// What the commands of extensions print once they have done something: a line for people, or what is there now for
/// programs.
enum ExtensionOutput {
  /// Writes an extension as it is now, or a line.
  static func write(
    _ identifier: String,
    _ line: OutputText,
    _ format: FormatOption,
    _ host: HostAccess
  ) async throws {
    guard format.isJSON else { return StandardOutput.line(line) }
    try await json(identifier, host)
  }

  /// Writes an extension as `list` has it, which also says of one that cannot be read what is wrong with it.
  static func json(_ identifier: String, _ host: HostAccess) async throws {
    let all = try await host.call(ListExtensions())
    if let found = all.first(where: { $0.identifier == identifier }) { return try json(found) }
    try json(await host.call(DescribeExtension(identifier: identifier)))
  }

  /// Writes a group as it is now, or a line.
  static func write(
    _ group: GroupArguments,
    _ line: OutputText,
    _ format: FormatOption,
    _ host: HostAccess
  ) async throws {
    guard format.isJSON else { return StandardOutput.line(line) }
    let identifier = group.extensionName.identifier
    try json(await host.call(DescribeGroup(identifier: identifier, group: group.group)))
  }

  /// Writes what is gone, or a line.
  static func write(
    gone: [String: String],
    _ line: OutputText,
    _ format: FormatOption
  ) throws {
    guard format.isJSON else { return StandardOutput.line(line) }
    try HostOutput.write(json: gone)
  }

  /// Writes what the host has answered.
  static func json(_ value: some Encodable) throws {
    StandardOutput.json(try MessageValue(encoding: value).json)
  }
}
