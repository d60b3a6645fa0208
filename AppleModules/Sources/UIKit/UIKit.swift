// Apple's names. A handler has no views; templates import UIKit only for what it re-exports.
@_exported public import ExtensionRuntime

/// The machine, whose name and version handlers may ask for.
@MainActor
open class UIDevice: NSObject {
  /// The machine this runs on.
  public static let current = UIDevice()

  /// The machine's name in its network.
  open var name: String { ProcessInfo.processInfo.hostName }
  /// The name of the operating system.
  open var systemName: String { "Linux" }
  /// The version of the operating system.
  open var systemVersion: String { ProcessInfo.processInfo.operatingSystemVersionString }
  /// What kind of machine it is.
  open var model: String { "Linux" }
  /// What kind of machine it is.
  open var localizedModel: String { model }
  /// Nothing identifies the machine to its extensions.
  open var identifierForVendor: UUID? { nil }
}
