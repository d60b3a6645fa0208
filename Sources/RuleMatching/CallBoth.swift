/// Calls two functions that share nothing, on two threads or one after the other; each exactly once, and returns
/// when both have ended.
///
/// The engine starts no threads itself. Callers that have threads pass a function that uses them.
public typealias CallBoth = (
  _ first: @escaping @Sendable () -> Void,
  _ second: @escaping @Sendable () -> Void
) -> Void

/// Calls two functions one after the other, as a ``CallBoth``.
public func callInTurn(_ first: @Sendable () -> Void, _ second: @Sendable () -> Void) {
  first()
  second()
}
