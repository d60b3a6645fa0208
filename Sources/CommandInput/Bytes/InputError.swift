/// The error for an input that cannot be read: what failed, on what, and what to do, in one
/// sentence.
package struct InputError: Error, Hashable, CustomStringConvertible {
  /// The sentence.
  package var message: String

  /// Creates an error from its sentence.
  package init(_ message: String) { self.message = message }

  package var description: String { message }
}
