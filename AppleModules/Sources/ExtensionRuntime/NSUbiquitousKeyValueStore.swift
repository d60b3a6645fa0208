// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
public import Foundation

/// The reason of ``NSUbiquitousKeyValueStore/didChangeExternallyNotification``.
public let NSUbiquitousKeyValueStoreChangeReasonKey = "NSUbiquitousKeyValueStoreChangeReasonKey"
/// The changed keys in ``NSUbiquitousKeyValueStore/didChangeExternallyNotification``.
public let NSUbiquitousKeyValueStoreChangedKeysKey = "NSUbiquitousKeyValueStoreChangedKeysKey"

/// The key-value store of iCloud, which keeps on this machine what it is given.
///
/// Nothing reaches other machines. An extension has a store of its own; on Apple systems, its app has
/// the same.
open class NSUbiquitousKeyValueStore: NSObject, @unchecked Sendable {
  // @unchecked: `UserDefaults` may be used from any thread.

  /// The only store.
  public static let `default` = NSUbiquitousKeyValueStore()

  /// Posted on Apple systems for changes by other machines; never here.
  public static let didChangeExternallyNotification = Notification.Name(
    "NSUbiquitousKeyValueStoreDidChangeExternallyNotification"
  )

  private static let name = "tickbird.ubiquitous-key-value-store"
  private let values = UserDefaults(suiteName: name)

  /// The value of a key.
  open func object(forKey aKey: String) -> Any? { values?.object(forKey: aKey) }
  /// The value of a key, if it is a string.
  open func string(forKey aKey: String) -> String? { object(forKey: aKey) as? String }
  /// The value of a key, if it is an array.
  open func array(forKey aKey: String) -> [Any]? { object(forKey: aKey) as? [Any] }
  /// The value of a key, if it is a dictionary.
  open func dictionary(forKey aKey: String) -> [String: Any]? {
    object(forKey: aKey) as? [String: Any]
  }
  /// The value of a key, if it is data.
  open func data(forKey aKey: String) -> Data? { object(forKey: aKey) as? Data }
  /// The value of a key; 0 if it is no number.
  open func longLong(forKey aKey: String) -> Int64 {
    (object(forKey: aKey) as? NSNumber)?.int64Value ?? 0
  }
  /// The value of a key; 0 if it is no number.
  open func double(forKey aKey: String) -> Double {
    (object(forKey: aKey) as? NSNumber)?.doubleValue ?? 0
  }
  /// The value of a key; false if it is none.
  open func bool(forKey aKey: String) -> Bool {
    (object(forKey: aKey) as? NSNumber)?.boolValue ?? false
  }

  /// Sets a value, which is one of property lists.
  open func set(_ anObject: Any?, forKey aKey: String) { values?.set(anObject, forKey: aKey) }
  /// Sets a string.
  open func set(_ aString: String?, forKey aKey: String) { values?.set(aString, forKey: aKey) }
  /// Sets data.
  open func set(_ aData: Data?, forKey aKey: String) { values?.set(aData, forKey: aKey) }
  /// Sets an array.
  open func set(_ anArray: [Any]?, forKey aKey: String) { values?.set(anArray, forKey: aKey) }
  /// Sets a dictionary.
  open func set(_ aDictionary: [String: Any]?, forKey aKey: String) {
    values?.set(aDictionary, forKey: aKey)
  }
  /// Sets a number.
  open func set(_ value: Int64, forKey aKey: String) { values?.set(Int(value), forKey: aKey) }
  /// Sets a number.
  open func set(_ value: Double, forKey aKey: String) { values?.set(value, forKey: aKey) }
  /// Sets a truth value.
  open func set(_ value: Bool, forKey aKey: String) { values?.set(value, forKey: aKey) }

  /// Removes a value.
  open func removeObject(forKey aKey: String) { values?.removeObject(forKey: aKey) }

  /// All keys with their values.
  open var dictionaryRepresentation: [String: Any] {
    UserDefaults.standard.persistentDomain(forName: Self.name) ?? [:]
  }

  /// Writes what was set to the disk.
  ///
  /// - Returns: Whether the store could be written.
  @discardableResult
  open func synchronize() -> Bool { values?.synchronize() ?? false }
}
