/// Calls two functions that share nothing, on two threads or one after the other, and returns when both have
/// ended.
///
/// The engine starts no threads itself: who has any hands this in.
public typealias CallBoth = (
  _ first: @escaping @Sendable () -> Void,
  _ second: @escaping @Sendable () -> Void
) -> Void

/// Calls two functions on the caller's thread.
func oneAfterTheOther(_ first: @Sendable () -> Void, _ second: @Sendable () -> Void) {
  first()
  second()
}
