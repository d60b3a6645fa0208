// swift-format-ignore-file
@_exported import BaseKit

#if LISTKIT
public typealias ListName = BaseName
#endif
