// What AppKit has here, in a module of its own, because SafariServices brings it along as on macOS.
// Without views; for handlers that need images, applications and the clipboard.
@_exported public import ExtensionRuntime

/// An image as the bytes of its file.
open class NSImage: ImageFile, @unchecked Sendable {
  /// The bytes, if they are a TIFF's: no format is converted here.
  open var tiffRepresentation: Data? {
    bytes.starts(with: [0x49, 0x49, 0x2A, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A])
      ? bytes : nil
  }
}

/// A clipboard of the extension's own process.
open class NSPasteboard: NSObject, @unchecked Sendable {
  // @unchecked: it has no state of its own.

  /// A type of contents.
  public struct PasteboardType: RawRepresentable, Hashable, Sendable {
    /// Its name.
    public let rawValue: String
    /// Makes a type of its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a type of its name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// Plain text.
    public static let string = PasteboardType("public.utf8-plain-text")
  }

  /// The only one.
  public static let general = NSPasteboard()

  /// Removes what was copied.
  @discardableResult
  open func clearContents() -> Int {
    CopiedText.general.string = nil
    return 0
  }

  /// Copies text; other types are refused.
  ///
  /// - Returns: Whether it was copied.
  @discardableResult
  open func setString(_ string: String, forType type: PasteboardType) -> Bool {
    guard type == .string else { return false }
    CopiedText.general.string = string
    return true
  }

  /// The text that was copied last.
  open func string(forType type: PasteboardType) -> String? {
    type == .string ? CopiedText.general.string : nil
  }
}
