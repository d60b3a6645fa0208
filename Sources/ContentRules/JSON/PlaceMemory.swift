/// Finds the paths of values in a rule, and caches the last position in a long array or object.
///
/// A list of domains can have hundreds of thousands of entries with a diagnostic each: counting
/// from the start for each would take quadratic time.
final class PlaceMemory {
  private var container = -1
  private var child = 0
  private var element = 0

  /// Clears the cache, before other values are read.
  func forget() { container = -1 }

  /// Returns the path of a value relative to the rule, such as `.trigger.if-domain[2]`.
  ///
  /// - Complexity: O(*d* + *n*), where *d* is the depth and *n* the number of values between the
  ///   last place that was asked for and this one.
  func path(_ text: Span<UInt8>, _ nodes: [JSONNode], to target: Int) -> String {
    var path = ""
    var container = 0
    while container < target {
      let isObject = nodes[container].kind == .object
      var child = container + 1
      var element = 0
      if self.container == container, self.child <= target {
        child = self.child
        element = self.element
      }
      let first = element
      while child < target {
        let value = isObject ? child + 1 : child
        guard value < nodes.count, nodes[value].next <= target else { break }
        child = Int(nodes[value].next)
        element += 1
      }
      if element - first > 8 || self.container == container {
        (self.container, self.child, self.element) = (container, child, element)
      }
      if isObject {
        path += "." + text.excerpt(nodes[child].contents)
        guard child < target else { return path }
        container = child + 1
      } else {
        path += "[\(element)]"
        container = child
      }
    }
    return path
  }
}
