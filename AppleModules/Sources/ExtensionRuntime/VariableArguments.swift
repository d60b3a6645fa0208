// Templates write `message as! CVarArg`, which traps on Linux for anything but numbers, data and
// strings. These conformances make it work for all values of messages.
public import Foundation

/// An object that a format's `%@` describes.
///
/// Not `NSObject` itself: strings have a conformance of their own, and which of the two was used
/// would be undefined.
public protocol DescribedArgument: _CVarArgObject, NSObjectProtocol {}

extension DescribedArgument {
  /// The description as a string, which the list of arguments keeps alive.
  public var _cVarArgObject: any CVarArg { argument(describing: self) }

  /// A pointer to a string that is always there; lists of arguments take the object instead.
  public var _cVarArgEncoding: [Int] { placeholder }
}

extension NSArray: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
extension NSAttributedString: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {
}
extension NSDate: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
extension NSDictionary: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
extension NSError: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
extension NSNull: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
extension NSNumber: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
extension NSSet: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
extension NSURL: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
extension NSUUID: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedArgument {}
extension NSExtensionContext: DescribedArgument {}
extension NSExtensionItem: DescribedArgument {}
extension NSItemProvider: DescribedArgument {}

extension Dictionary: @retroactive CVarArg {}

extension Dictionary: @retroactive _CVarArgObject {
  /// The description as a string, which the list of arguments keeps alive.
  public var _cVarArgObject: any CVarArg { argument(describing: self) }

  /// A pointer to a string that is always there; lists of arguments take the object instead.
  public var _cVarArgEncoding: [Int] { placeholder }
}

extension Array: @retroactive CVarArg {}

extension Array: @retroactive _CVarArgObject {
  /// The description as a string, which the list of arguments keeps alive.
  public var _cVarArgObject: any CVarArg { argument(describing: self) }

  /// A pointer to a string that is always there; lists of arguments take the object instead.
  public var _cVarArgEncoding: [Int] { placeholder }
}

private func argument(describing value: Any) -> NSString {
  NSString(string: String(describing: value))
}

// A number, because a string's own encoding is ambiguous here; never freed.
private let placeholder = [
  Int(bitPattern: unsafe Unmanaged.passRetained(NSString(string: "(collection)")).toOpaque())
]
