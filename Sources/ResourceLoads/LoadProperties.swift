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
  /// - Complexity: O(1), some twenty instructions without a branch: what flags ask for comes in no order.
  @inlinable
  @inline(__always)
  public static func packed(_ flags: UInt32, admits load: UInt32) -> Bool {
    // Bit 31 of `x - 1` says that x is 0, and that of `0 - x` that it is not, as no group has that bit.
    func isOpen(_ group: UInt32) -> UInt32 {
      ((flags & group) &- 1) | (0 &- (flags & load & group))
    }
    let method: UInt32 = 0xF << 18
    let isOpenToMethod = ((flags & method) &- 1) | (((flags ^ load) & method) &- 1)
    let isOpenToAll = isOpen(0x3FFF) & isOpen(0x3 << 14) & isOpen(0x3 << 16) & isOpenToMethod
    return isOpenToAll &>> 31 != 0
  }

  /// Whether the flags let a load with the given properties through.
  @inlinable
  public func admits(_ load: LoadProperties) -> Bool {
    Self.packed(packed, admits: load.packed)
  }
}
