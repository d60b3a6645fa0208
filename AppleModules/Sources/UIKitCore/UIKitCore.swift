// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores
// Apple's names. What UIKit has here, in a module of its own, because SafariServices brings it along as
// on iOS, and a test file that imports UIKit cannot import Testing. A handler has no views; templates
// import UIKit only for what it re-exports.
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

/// An image as the bytes of its file.
open class UIImage: ImageFile, @unchecked Sendable {}

/// The type of image literals.
public typealias _ImageLiteralType = UIImage

/// A clipboard of the extension's own process.
open class UIPasteboard: NSObject, @unchecked Sendable {
  // @unchecked: it has no state of its own.

  /// The only one.
  public static let general = UIPasteboard()

  /// The text that was copied last.
  open var string: String? {
    get { CopiedText.general.string }
    set { CopiedText.general.string = newValue }
  }

  /// Whether there is text.
  open var hasStrings: Bool { string != nil }
}
