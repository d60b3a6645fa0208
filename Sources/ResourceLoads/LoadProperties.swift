/// The properties that a trigger's flags are tested against: everything about a load but its URLs.
@frozen
public struct LoadProperties: Hashable, Sendable {
  /// The one type of the load.
  public var resourceType: ResourceType
  /// Whether the load goes to the page's own site.
  public var loadType: LoadType
  /// Which frame starts the load.
  public var loadContext: LoadContext
  /// The method of the request that loaded the document; `nil` if rules cannot name it.
  public var requestMethod: RequestMethod?

  /// Creates properties from their parts.
  @inlinable
  public init(
    resourceType: ResourceType,
    loadType: LoadType,
    loadContext: LoadContext = .childFrame,
    requestMethod: RequestMethod? = nil
  ) {
    self.resourceType = resourceType
    self.loadType = loadType
    self.loadContext = loadContext
    self.requestMethod = requestMethod
  }

  /// The properties in the layout of ``TriggerFlags/packed``.
  @inlinable
  public var packed: UInt32 {
    TriggerFlags(
      resourceTypes: resourceType,
      loadTypes: loadType,
      loadContexts: loadContext,
      requestMethod: requestMethod
    ).packed
  }
}

extension TriggerFlags {
  /// Whether packed flags let a load with the given packed properties through.
  ///
  /// - Complexity: O(1), a few instructions; none of them branches on the group.
  @inlinable
  public static func packed(_ flags: UInt32, admits load: UInt32) -> Bool {
    if flags == 0 { return true }
    let common = flags & load
    func isOpen(_ group: UInt32) -> Bool { flags & group == 0 || common & group != 0 }
    let method: UInt32 = 0xF << 18
    return isOpen(0x3FFF) && isOpen(0x3 << 14) && isOpen(0x3 << 16)
      && (flags & method == 0 || flags & method == load & method)
  }

  /// Whether the flags let a load with the given properties through.
  @inlinable
  public func admits(_ load: LoadProperties) -> Bool {
    Self.packed(packed, admits: load.packed)
  }
}
