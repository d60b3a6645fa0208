// Apple's names. They are here, and not only in MobileCoreServices and CoreServices, because
// sources import those under `#if os(iOS)` or `#if os(macOS)`, and neither is true on Linux.

/// A Core Foundation string, which Linux lacks: `kUTTypeJSON as String` works.
public typealias CFString = String

/// The type `public.item`.
public let kUTTypeItem: CFString = "public.item"
/// The type `public.content`.
public let kUTTypeContent: CFString = "public.content"
/// The type `public.data`.
public let kUTTypeData: CFString = "public.data"
/// The type `public.url`.
public let kUTTypeURL: CFString = "public.url"
/// The type `public.file-url`.
public let kUTTypeFileURL: CFString = "public.file-url"
/// The type `public.text`.
public let kUTTypeText: CFString = "public.text"
/// The type `public.plain-text`.
public let kUTTypePlainText: CFString = "public.plain-text"
/// The type `public.utf8-plain-text`.
public let kUTTypeUTF8PlainText: CFString = "public.utf8-plain-text"
/// The type `public.json`.
public let kUTTypeJSON: CFString = "public.json"
/// The type `public.xml`.
public let kUTTypeXML: CFString = "public.xml"
/// The type `public.html`.
public let kUTTypeHTML: CFString = "public.html"
/// The type `com.netscape.javascript-source`.
public let kUTTypeJavaScript: CFString = "com.netscape.javascript-source"
/// The type `com.apple.property-list`.
public let kUTTypePropertyList: CFString = "com.apple.property-list"
/// The type `public.image`.
public let kUTTypeImage: CFString = "public.image"
/// The type `public.png`.
public let kUTTypePNG: CFString = "public.png"
/// The type `public.jpeg`.
public let kUTTypeJPEG: CFString = "public.jpeg"
/// The type `com.compuserve.gif`.
public let kUTTypeGIF: CFString = "com.compuserve.gif"
/// The type `public.tiff`.
public let kUTTypeTIFF: CFString = "public.tiff"
/// The type `com.adobe.pdf`.
public let kUTTypePDF: CFString = "com.adobe.pdf"
/// The type `public.rtf`.
public let kUTTypeRTF: CFString = "public.rtf"
/// The type `public.folder`.
public let kUTTypeFolder: CFString = "public.folder"

// As Apple declares them, so that `kCFBundleNameKey!` compiles, too.
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The key of a bundle's name in its `Info.plist`.
public let kCFBundleNameKey: CFString! = "CFBundleName"
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The key of a bundle's identifier in its `Info.plist`.
public let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The key of a bundle's build in its `Info.plist`.
public let kCFBundleVersionKey: CFString! = "CFBundleVersion"
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The key of a bundle's executable in its `Info.plist`.
public let kCFBundleExecutableKey: CFString! = "CFBundleExecutable"
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The key of a bundle's native language in its `Info.plist`.
public let kCFBundleDevelopmentRegionKey: CFString! = "CFBundleDevelopmentRegion"
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The key of the format's version in an `Info.plist`.
public let kCFBundleInfoDictionaryVersionKey: CFString! = "CFBundleInfoDictionaryVersion"
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The key of a bundle's languages in its `Info.plist`.
public let kCFBundleLocalizationsKey: CFString! = "CFBundleLocalizations"

/// Whether one type conforms to another.
public func UTTypeConformsTo(_ type: CFString, _ other: CFString) -> Bool {
  TypeTable.type(type, conformsTo: other)
}

/// Whether two identifiers name the same type, ignoring case.
public func UTTypeEqual(_ type: CFString, _ other: CFString) -> Bool {
  type.lowercased() == other.lowercased()
}
