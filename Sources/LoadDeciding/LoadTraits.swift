package import ResourceLoads

/// Everything about a load but its URLs, as far as given.
package struct LoadTraits: Hashable, Sendable {
  /// The one type of the load.
  package var resourceType: ResourceType
  /// The load type; `nil` if it follows from the URLs.
  package var loadType: LoadType?
  /// The load context; `nil` if it follows from the type and the URLs.
  package var loadContext: LoadContext?
  /// The method; `nil` if it is unknown or rules cannot name it.
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
