// A handler that imports Foundation alone expects extension types and URLSession from it. The
// generated entry point re-exports this module, which therefore carries both.
@_exported public import Foundation
#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
