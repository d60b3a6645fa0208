/// The restrictions of a trigger that are tested against a load's properties alone.
///
/// An empty set in a group means "no restriction"; within a group any member is enough.
///
/// > Source: WebKit `ResourceFlags`, `ResourceLoadInfo.h`.
@frozen
public struct TriggerFlags: Hashable, Sendable {
  /// `resource-type`; empty means any.
  public var resourceTypes: ResourceType
  /// `load-type`; empty means any.
  public var loadTypes: LoadType
  /// `load-context`; empty means any.
  public var loadContexts: LoadContext
  /// `request-method`; `nil` means any.
  public var requestMethod: RequestMethod?

  /// Creates flags; every group is unrestricted unless given.
  @inlinable
  public init(
    resourceTypes: ResourceType = [],
    loadTypes: LoadType = [],
    loadContexts: LoadContext = [],
    requestMethod: RequestMethod? = nil
  ) {
    self.resourceTypes = resourceTypes
    self.loadTypes = loadTypes
    self.loadContexts = loadContexts
    self.requestMethod = requestMethod
  }

  /// Whether no group restricts anything.
  @inlinable
  public var isEmpty: Bool {
    resourceTypes.isEmpty && loadTypes.isEmpty && loadContexts.isEmpty && requestMethod == nil
  }

  /// The flags in one word, as the compiled file stores them.
  ///
  /// Bits 0–13 resource types, 14–15 load types, 16–17 load contexts, 18–21 request method
  /// (0 for any).
  @inlinable
  public var packed: UInt32 {
    UInt32(resourceTypes.rawValue) | UInt32(loadTypes.rawValue) << 14
      | UInt32(loadContexts.rawValue) << 16 | UInt32(requestMethod?.rawValue ?? 0) << 18
  }

  /// Creates flags from ``packed``; ignores unknown bits.
  @inlinable
  public init(packed: UInt32) {
    self.init(
      resourceTypes: ResourceType(rawValue: UInt16(truncatingIfNeeded: packed & 0x3FFF)),
      loadTypes: LoadType(rawValue: UInt8(truncatingIfNeeded: packed >> 14 & 3)),
      loadContexts: LoadContext(rawValue: UInt8(truncatingIfNeeded: packed >> 16 & 3)),
      requestMethod: RequestMethod(rawValue: UInt8(truncatingIfNeeded: packed >> 18 & 15))
    )
  }
}
