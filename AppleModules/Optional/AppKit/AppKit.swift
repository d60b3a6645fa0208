// swift-format-ignore-file: NoLeadingUnderscores
// Apple's names.
@_exported public import AppKitCore

/// The type of image literals.
public typealias _ImageLiteralType = NSImage
