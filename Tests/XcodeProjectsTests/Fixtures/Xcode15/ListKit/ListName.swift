@_exported import BaseKit

#if LISTKIT
public typealias ListName = BaseName
#endif
