internal import CTickbird
internal import CommandInput
internal import LoadDeciding
internal import ResourceLoads

// Hot: every load of a C caller is read here. Allocates nothing.

/// The texts that describe a load, borrowed from the caller for one call.
@safe
struct LoadParts {
  typealias Text = UnsafeBufferPointer<UInt8>

  let url: Text
  let page: Text
  let frame: Text
  let type: Text
  let context: Text
  let method: Text
  let party: Text

  /// Creates a load of its parts.
  init(
    url: Text,
    page: Text,
    frame: Text,
    type: Text,
    context: Text,
    method: Text,
    party: Text
  ) {
    unsafe self.url = url
    unsafe self.page = page
    unsafe self.frame = frame
    unsafe self.type = type
    unsafe self.context = context
    unsafe self.method = method
    unsafe self.party = party
  }

  /// Reads the caller's load; `nil` if it is invalid.
  init?(_ load: UnsafePointer<tickbird_load>?) {
    guard let load = unsafe load?.pointee,
      unsafe load.struct_size >= MemoryLayout<tickbird_load>.size,
      let url = unsafe Self.text(load.url), let page = unsafe Self.text(load.page),
      let frame = unsafe Self.text(load.frame), let type = unsafe Self.text(load.type),
      let context = unsafe Self.text(load.context), let method = unsafe Self.text(load.method),
      let party = unsafe Self.text(load.party)
    else { return nil }
    unsafe self.init(
      url: url,
      page: page,
      frame: frame,
      type: type,
      context: context,
      method: method,
      party: party
    )
  }

  /// Returns a text of the caller; `nil` if it has a size and no bytes.
  static func text(_ string: tickbird_string) -> Text? {
    guard unsafe string.bytes != nil || string.size == 0, unsafe string.size >= 0 else {
      return nil
    }
    return unsafe Text(
      start: UnsafeRawPointer(string.bytes)?.assumingMemoryBound(to: UInt8.self),
      count: string.size
    )
  }

  /// Interprets all parts but the page and the frame.
  ///
  /// - Parameter seen: Set to how many bytes of the URL rules see by the word for its type.
  /// - Returns: The traits, or what is wrong.
  func traits(seen: inout Int) -> Result<LoadTraits, CallerFault> {
    let limit = Int(TICKBIRD_TEXT_LIMIT)
    guard unsafe !url.isEmpty, unsafe !type.isEmpty else { return .failure(.missing) }
    guard unsafe url.count <= limit, unsafe page.count <= limit, unsafe frame.count <= limit else {
      return .failure(.tooLong)
    }
    guard let word = unsafe LoadWord(type.span) else { return .failure(.badWord) }
    var context: LoadContext?
    if unsafe !self.context.isEmpty {
      guard let known = unsafe LoadWord(self.context.span)?.loadContext else {
        return .failure(.badWord)
      }
      context = known
    }
    var party: LoadType?
    if unsafe !self.party.isEmpty {
      guard let known = unsafe LoadWord.party(self.party) else { return .failure(.badWord) }
      party = known
    }
    guard let type = unsafe word.resourceType(context, url: url.span, page: page.span) else {
      return .failure(.badWord)
    }
    seen = unsafe word.matchedCount(of: url.span)
    return .success(
      LoadTraits(
        resourceType: type,
        loadType: party,
        loadContext: context,
        requestMethod: unsafe method.isEmpty
          ? .get : LoadWord(ignoringCase: method.span)?.requestMethod
      )
    )
  }
}

extension LoadWord {
  /// Returns the party of a word; `-` is third-party, as in logs.
  static func party(_ word: LoadParts.Text) -> LoadType? {
    if word.count == 1, unsafe word[0] == UInt8(ascii: "-") { return .thirdParty }
    return unsafe LoadWord(word.span)?.loadType
  }
}

extension CallerFault {
  static let badWord = CallerFault(status: .badWord)
  static let missing = CallerFault(status: .missing)
}
