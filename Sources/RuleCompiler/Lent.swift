/// A value for one of two functions that may run at the same time; nobody else has it meanwhile.
final class Lent<Value>: @unchecked Sendable {
  /// The value, until it is taken back.
  private var value: [Value]

  init(_ value: consuming Value) { self.value = [value] }

  func use(_ body: (inout Value) -> Void) { body(&value[0]) }

  /// Returns the value, which is here no more, so that changing it copies nothing.
  func takeBack() -> Value { value.removeLast() }
}
