public import CTickbird
internal import RuleMatching
internal import TextOutput

// What all functions share: statuses, texts, and what the library says of itself.

extension tickbird_status {
  static let ok = Self(TICKBIRD_OK)
  static let refused = Self(TICKBIRD_REFUSED)
  static let damaged = Self(TICKBIRD_DAMAGED)
  static let unreadable = Self(TICKBIRD_UNREADABLE)
  static let badURL = Self(TICKBIRD_BAD_URL)
  static let badWord = Self(TICKBIRD_BAD_WORD)
  static let missing = Self(TICKBIRD_MISSING)
  static let tooLong = Self(TICKBIRD_TOO_LONG)
  static let badArgument = Self(TICKBIRD_BAD_ARGUMENT)
  static let full = Self(TICKBIRD_FULL)

  /// The status in a sentence without a full stop.
  var words: StaticString {
    switch self {
    case .ok: "done"
    case .refused: "the list is refused; its report says why"
    case .damaged: "the bytes are not a compiled list of this version; compile its JSON text again"
    case .unreadable: "the file cannot be read"
    case .badURL: "a URL, page or frame is not an absolute URL, such as https://example.com/"
    case .badWord: "there is no such type, context or party"
    case .missing: "a load needs a URL and a type"
    case .tooLong: "the text is longer than is allowed"
    case .badArgument: "an argument is a null pointer, or has a wrong size, offset or count"
    case .full: "there is no room for the rules of the next row; give more and call again"
    default: "there is no such status"
    }
  }
}

/// The most bytes of a list.
let listLimit = 1 << 30

extension tickbird_text {
  /// Copies bytes, with a zero behind them, for the caller to free.
  init(copying bytes: some Collection<UInt8>) {
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    var place = 0
    for byte in bytes {
      unsafe copy[place] = CChar(bitPattern: byte)
      place += 1
    }
    unsafe copy[place] = 0
    unsafe self.init(bytes: copy, size: bytes.count)
  }
}

/// Gives a text to the caller, if it is wanted.
func give(_ text: some StringProtocol, to place: UnsafeMutablePointer<tickbird_text>?) {
  unsafe give(bytes: Array(text.utf8), to: place)
}

/// Gives bytes to the caller, if they are wanted.
func give(bytes: [UInt8], to place: UnsafeMutablePointer<tickbird_text>?) {
  guard let place = unsafe place else { return }
  unsafe place.pointee = tickbird_text(copying: bytes)
}

/// Clears a text of the caller, so that it can be freed whatever happens.
func clear(_ place: UnsafeMutablePointer<tickbird_text>?) {
  unsafe place?.pointee = tickbird_text(bytes: nil, size: 0)
}

// Nothing writes to it, and it is never freed.
nonisolated(unsafe) private let versionText = unsafe UnsafePointer<CChar>(
  tickbird_text(copying: ProductVersion.text.utf8).bytes
)

/// The version of the library.
@c @implementation
public func tickbird_version() -> UnsafePointer<CChar>! { unsafe versionText }

/// The version of the interface.
@c @implementation
public func tickbird_abi_version() -> UInt32 { UInt32(TICKBIRD_ABI_VERSION) }

/// The version of compiled lists.
@c @implementation
public func tickbird_list_format() -> UInt32 { UInt32(FileLayout.version) }

/// A status in a sentence.
@c @implementation
public func tickbird_status_text(_ status: tickbird_status) -> UnsafePointer<CChar>! {
  unsafe UnsafeRawPointer(status.words.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Frees a text.
@c @implementation
public func tickbird_text_free(_ text: tickbird_text) { unsafe text.bytes?.deallocate() }
