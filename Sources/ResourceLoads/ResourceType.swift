/// The kinds of resource that a load can be for, as a set.
///
/// A load has exactly one of the fourteen engine types; a trigger names any number of them. The
/// raw value is the set's bits in the engine's order, so a trigger's types and a load's type are
/// compared with one `and`.
///
/// > Source: WebKit `ContentExtensionsResourceType`, `ResourceLoadInfo.h`.
@frozen
public struct ResourceType: OptionSet, Hashable, Sendable {
  /// The set's bits: bit *n* stands for the *n*-th engine type, 14 bits in all.
  public let rawValue: UInt16

  /// Creates the set with the given bits.
  @inlinable
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The document of the main frame.
  public static let topDocument = ResourceType(rawValue: 1 << 0)
  /// The document of a frame inside a page.
  public static let childDocument = ResourceType(rawValue: 1 << 1)
  /// An image, wherever it is shown.
  public static let image = ResourceType(rawValue: 1 << 2)
  /// A style sheet, imported ones included.
  public static let styleSheet = ResourceType(rawValue: 1 << 3)
  /// A classic script or a module.
  public static let script = ResourceType(rawValue: 1 << 4)
  /// A web font.
  public static let font = ResourceType(rawValue: 1 << 5)
  /// An external SVG document that a `use` element or a filter refers to.
  public static let svgDocument = ResourceType(rawValue: 1 << 6)
  /// Audio, video or a text track.
  public static let media = ResourceType(rawValue: 1 << 7)
  /// A window opened by a script.
  public static let popup = ResourceType(rawValue: 1 << 8)
  /// A hyperlink ping, or a load that the network process sends on its own.
  public static let ping = ResourceType(rawValue: 1 << 9)
  /// A `fetch()` or an XMLHttpRequest.
  public static let fetch = ResourceType(rawValue: 1 << 10)
  /// A WebSocket connection.
  public static let webSocket = ResourceType(rawValue: 1 << 11)
  /// Everything that has no type of its own: workers, event sources, beacons, icons.
  public static let other = ResourceType(rawValue: 1 << 12)
  /// A report about a violated content-security policy, or the like.
  public static let cspReport = ResourceType(rawValue: 1 << 13)

  /// All fourteen types.
  public static let all = ResourceType(rawValue: (1 << 14) - 1)

  /// Every single type with its word in the rule language and the command, in the engine's order.
  public static let words: [(word: StaticString, type: ResourceType)] = [
    ("top-document", .topDocument), ("child-document", .childDocument), ("image", .image),
    ("style-sheet", .styleSheet), ("script", .script), ("font", .font),
    ("svg-document", .svgDocument), ("media", .media), ("popup", .popup), ("ping", .ping),
    ("fetch", .fetch), ("websocket", .webSocket), ("other", .other), ("csp-report", .cspReport),
  ]

  /// The word of a single type; that of ``other`` for any other set.
  public var word: String {
    Self.words.first { $0.type == self }.map { "\($0.word)" } ?? "other"
  }
}
