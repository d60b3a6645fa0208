/// Whether a load goes to the site of the page, as a set.
///
/// > Source: WebKit `LoadType`, `ResourceLoadInfo.h`.
@frozen
public struct LoadType: OptionSet, Hashable, Sendable {
  /// The set's bits: first-party 1, third-party 2.
  public let rawValue: UInt8

  /// Creates the set with the given bits.
  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The load's host lies within the registrable domain of the top URL.
  public static let firstParty = LoadType(rawValue: 1 << 0)
  /// The load's host lies outside of the registrable domain of the top URL.
  public static let thirdParty = LoadType(rawValue: 1 << 1)
}

/// Which frame starts a load, as a set.
///
/// > Source: WebKit `LoadContext`, `ResourceLoadInfo.h`.
@frozen
public struct LoadContext: OptionSet, Hashable, Sendable {
  /// The set's bits: top frame 1, child frame 2.
  public let rawValue: UInt8

  /// Creates the set with the given bits.
  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The main frame starts the load.
  public static let topFrame = LoadContext(rawValue: 1 << 0)
  /// A frame inside the page starts the load.
  public static let childFrame = LoadContext(rawValue: 1 << 1)
}

/// The HTTP method of the request that loaded the document.
///
/// A trigger compares it for equality; a load whose method is none of these matches no
/// `request-method` rule.
///
/// > Source: WebKit `RequestMethod`, `ResourceLoadInfo.h`; the rule language, "request-method".
@frozen
public enum RequestMethod: UInt8, CaseIterable, Hashable, Sendable {
  case get = 1
  case head
  case options
  case trace
  case put
  case delete
  case post
  case patch
  case connect

  /// The word by which rule lists call the method.
  public var word: String {
    // Embedded Swift has no names of cases.
    switch self {
    case .get: "get"
    case .head: "head"
    case .options: "options"
    case .trace: "trace"
    case .put: "put"
    case .delete: "delete"
    case .post: "post"
    case .patch: "patch"
    case .connect: "connect"
    }
  }
}
