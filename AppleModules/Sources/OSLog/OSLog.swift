// On Apple systems OSLog is os and the reading of the log store, which is not there on Linux.
@_exported public import os
