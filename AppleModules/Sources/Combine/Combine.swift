// Objects with published values; nothing else of Combine is here.
@_exported public import ExtensionRuntime
