// The calls about what an app writes for its extensions: the defaults and files of a group.

/// Asks what an application group of an extension contains.
///
/// Fails with `bad-argument` if the extension has no such group, or several and none is named.
public struct DescribeGroup: HostFunction {
  /// The group and its contents.
  public typealias Reply = GroupDescription
  /// The function's name in messages.
  public static let function: HostCall.Function = .describeGroup
  /// The bundle identifier.
  public var identifier: String
  /// The group; absent for the only one.
  public var group: String?

  /// Creates the call.
  public init(identifier: String, group: String? = nil) {
    self.identifier = identifier
    self.group = group
  }
}

/// Sets or removes a value among the defaults of an application group, as the extension's app does.
///
/// Fails with `refused` while an extension that uses the group is running, since its process writes
/// all the defaults that it has read.
public struct SetGroupValue: HostFunction {
  /// Empty: the call succeeded.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .setGroupValue
  /// The bundle identifier.
  public var identifier: String
  /// The group; absent for the only one.
  public var group: String?
  /// The name of the value.
  public var key: String
  /// The value, of a property list's types; absent to remove it.
  public var value: MessageValue?

  /// Creates the call.
  public init(identifier: String, group: String? = nil, key: String, value: MessageValue?) {
    self.identifier = identifier
    self.group = group
    self.key = key
    self.value = value
  }
}

/// Replaces or removes a file in the folder of an application group, as the extension's app does.
public struct SetGroupFile: HostFunction {
  /// Empty: the call succeeded.
  public typealias Reply = Done
  /// The function's name in messages.
  public static let function: HostCall.Function = .setGroupFile
  /// The bundle identifier.
  public var identifier: String
  /// The group; absent for the only one.
  public var group: String?
  /// The file's path in the group's folder.
  public var name: String
  /// The file that is copied; absent to remove the one that is there.
  public var source: String?

  /// Creates the call.
  public init(identifier: String, group: String? = nil, name: String, source: String?) {
    self.identifier = identifier
    self.group = group
    self.name = name
    self.source = source
  }
}

/// An application group, as the host describes it.
public struct GroupDescription: Codable, Equatable, Sendable {
  /// The group's name.
  public var group: String
  /// The group's folder.
  public var path: String
  /// The defaults, by name.
  public var values: [String: MessageValue]

  /// Creates a description.
  public init(group: String, path: String, values: [String: MessageValue]) {
    self.group = group
    self.path = path
    self.values = values
  }
}
