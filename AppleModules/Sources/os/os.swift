// Logging, signposts and locks under the names of Apple's `os`. Everything goes to standard error.
@_exported public import ExtensionRuntime
