// The type constants are in the runtime; see its CoreTypes.swift for the reason.
@_exported public import ExtensionRuntime
