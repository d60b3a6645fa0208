// On Apple systems, OSLog is os and access to what was logged.
@_exported public import os
