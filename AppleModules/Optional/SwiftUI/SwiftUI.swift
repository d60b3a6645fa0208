// Without views. For files that import SwiftUI, and need what it brings along.
@_exported public import ExtensionRuntime
