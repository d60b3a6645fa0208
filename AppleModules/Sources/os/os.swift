// Logging, signposts and locks, under the names of Apple's `os`. All output goes to standard error.
@_exported public import ExtensionRuntime
