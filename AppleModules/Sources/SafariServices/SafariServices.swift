// What content blockers, web extensions and the apps around them use of SafariServices.
@_exported public import ExtensionRuntime
