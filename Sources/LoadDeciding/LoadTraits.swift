package import ResourceLoads

/// Everything about a load but its URLs, as far as it is described.
package struct LoadTraits: Hashable, Sendable {
  /// The one type of the load.
  package var resourceType: ResourceType
  /// `nil` when it follows from the URLs.
  package var loadType: LoadType?
  /// `nil` when it follows from the type and the URLs.
  package var loadContext: LoadContext?
  /// `nil` for one that rules do not know.
  package var requestMethod: RequestMethod?

  /// Creates traits.
  package init(
    resourceType: ResourceType,
    loadType: LoadType? = nil,
    loadContext: LoadContext? = nil,
    requestMethod: RequestMethod? = .get
  ) {
    self.resourceType = resourceType
    self.loadType = loadType
    self.loadContext = loadContext
    self.requestMethod = requestMethod
  }
}
