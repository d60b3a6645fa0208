// What extensions and the apps around them use of SafariServices.
@_exported public import AppKitCore
@_exported public import ExtensionRuntime
// As on iOS, whose branch of a source is often the one that is compiled here.
@_exported public import UIKitCore
