// On Apple systems, OSLog is os and access to the log store, which Linux does not have.
@_exported public import os
