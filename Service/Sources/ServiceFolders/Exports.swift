// The one lock between processes, which the service takes from here.
@_exported public import class DurableFiles.FileLock
