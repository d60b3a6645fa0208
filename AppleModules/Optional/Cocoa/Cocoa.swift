@_exported public import AppKit
