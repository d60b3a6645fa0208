// The part of Combine that models of an app have, which an extension shares: objects with published
// values. Foundation has it on Apple systems, so it is here.
import Foundation

/// An observation that ends when this is released or cancelled.
public final class AnyCancellable: Hashable, @unchecked Sendable {
  // @unchecked: the closure is taken out behind the lock.
  private let lock = NSLock()
  private var ending: (() -> Void)?

  /// Makes an observation that a closure ends.
  public init(_ cancel: @escaping () -> Void) { ending = cancel }

  deinit { cancel() }

  /// Ends the observation.
  public func cancel() {
    let end = lock.withLock {
      defer { ending = nil }
      return ending
    }
    end?()
  }

  /// Keeps the observation in a set.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  /// Whether both are one observation.
  public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }

  /// Hashes its identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Tells its observers of each change.
public final class ObservableObjectPublisher: @unchecked Sendable {
  // @unchecked: the observers are behind the lock.
  private let lock = NSLock()
  private var observers: [UUID: (()) -> Void] = [:]

  /// Makes one without observers.
  public init() {}

  /// Tells all observers.
  public func send() {
    for observer in lock.withLock({ Array(observers.values) }) { observer(()) }
  }

  /// Observes changes for as long as the result exists.
  public func sink(receiveValue: @escaping (()) -> Void) -> AnyCancellable {
    let id = UUID()
    lock.withLock { observers[id] = receiveValue }
    return AnyCancellable { [weak self] in
      guard let self else { return }
      self.lock.withLock { self.observers[id] = nil }
    }
  }
}

/// An object that tells of its changes.
public protocol ObservableObject: AnyObject {
  /// What tells of changes.
  associatedtype ObjectWillChangePublisher = ObservableObjectPublisher
  /// Tells before a change.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Tells nobody, since an extension has no views.
  ///
  /// Objects that are observed have a publisher of their own.
  public var objectWillChange: ObservableObjectPublisher { ObservableObjectPublisher() }
}

/// A value whose changes can be observed.
@propertyWrapper
public final class Published<Value> {
  /// The changes of a value, the present one first.
  public struct Publisher {
    fileprivate let source: Published<Value>

    /// Observes the value for as long as the result exists.
    public func sink(receiveValue: @escaping (Value) -> Void) -> AnyCancellable {
      let source = source
      let id = UUID()
      source.observers[id] = receiveValue
      receiveValue(source.wrappedValue)
      return AnyCancellable { [weak source] in source?.observers[id] = nil }
    }
  }

  /// The value.
  public var wrappedValue: Value {
    willSet { for observer in observers.values { observer(newValue) } }
  }
  private var observers: [UUID: (Value) -> Void] = [:]

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  /// Wraps a value.
  public init(initialValue: Value) { wrappedValue = initialValue }

  /// The changes of the value.
  public var projectedValue: Publisher { Publisher(source: self) }
}
