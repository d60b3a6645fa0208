// One import for the platform's C library, whichever it is called. `@_exported` has no counterpart
// without an underscore; it hands on the names, and nothing else hangs on it.
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Darwin)
@_exported public import Darwin
#endif
