// A release build of a handler is not optimized, so that a crash tells its line. Assertions would then
// be checked, which they are not in a release build on Apple systems.
#if !DEBUG
/// Checks nothing, as in every release build.
public func assert(
  _ condition: @autoclosure () -> Bool,
  _ message: @autoclosure () -> String = String(),
  file: StaticString = #file,
  line: UInt = #line
) {}

/// Does nothing, as in every release build.
public func assertionFailure(
  _ message: @autoclosure () -> String = String(),
  file: StaticString = #file,
  line: UInt = #line
) {}
#endif
