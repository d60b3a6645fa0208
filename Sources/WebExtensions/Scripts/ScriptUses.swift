/// What a script uses of the browser, as far as its text shows.
///
/// The text is split into words, without its comments and texts in quotation marks; it is neither
/// parsed nor run. Other names of the interfaces are followed where they are declared
/// (``ScriptAliases``), and properties of arguments are found where they are written in the call. What
/// a script puts together from parts is not found.
struct ScriptUses: Equatable {
  /// The largest script that is read, in bytes.
  static let sizeLimit = 8 << 20
  /// The most members, and the most details, that are kept of a script.
  private static let memberLimit = 4_000

  /// A chain of members, such as `tabs.create`, with the offset where it first occurs.
  struct Member: Equatable {
    let name: String
    let offset: Int
  }

  /// Something within a call of a chain of members.
  struct Detail: Hashable {
    enum Kind: Hashable {
      /// A property that is written in an argument.
      case key
      /// A property that is written in an argument with the value `null`.
      case null
      /// A member that is read, such as one of a listener's argument.
      case read
      /// A listener's second parameter.
      case secondParameter
      /// An argument that is written as an object, with its place among the arguments as its name.
      case object
    }

    let call: String
    let kind: Kind
    let name: String
  }

  /// A member of an object that has none of the interfaces' names.
  struct Read: Hashable {
    /// The word before it.
    let owner: String
    let name: String
  }

  /// The chains of members behind `browser` and `chrome`, in the order of their first use.
  private(set) var members: [Member] = []
  /// What calls have within them, with the offset of the first of each.
  private(set) var details: [Detail: Int] = [:]
  /// Members of other objects, of the names that are watched, with the offset of the first of each.
  private(set) var reads: [Read: Int] = [:]
  /// Names that a service worker or an event page lacks, with the offset of their first use.
  private(set) var globals: [String: Int] = [:]
  /// The scripts that a service worker imports by their names.
  private(set) var imports: [String] = []
  /// The offset of an import whose name is computed; `nil` if there is none.
  private(set) var computedImport: Int?

  /// The names that ``globals`` may have.
  static let watchedGlobals: Set<String> = [
    "localStorage", "sessionStorage", "XMLHttpRequest", "document", "alert", "confirm", "clients",
    "registration",
  ]

  private var known: Set<String> = []

  /// Reads a script of at most ``sizeLimit`` bytes.
  ///
  /// - Complexity: O(*n*) in the bytes, for scripts whose names are declared a few times each.
  init(_ script: [UInt8]) {
    let aliases = ScriptAliases(script)
    for member in aliases.members { add(member) }
    var words = ScriptWords(script)
    var brackets = OpenBrackets()
    while let word = words.next() {
      if case .name(let name) = word.kind {
        if words.isMember(word) {
          read(name, words.owner, brackets, at: word.offset)
        } else if let chain = aliases.chain(of: name, at: word.offset) {
          let whole = chain + words.chain()
          if !whole.isEmpty {
            add(Member(name: whole.joined(separator: "."), offset: word.offset))
            brackets.isAfterChain(whole.joined(separator: "."))
            continue
          }
        } else if name == "importScripts" {
          // The words are read again, as those of a call.
          var ahead = words
          readImports(&ahead, at: word.offset)
        } else if Self.watchedGlobals.contains(name), globals[name] == nil {
          globals[name] = word.offset
        }
      }
      guard let found = brackets.follow(word, words) else { continue }
      if details.count < Self.memberLimit, details[found] == nil { details[found] = word.offset }
    }
  }

  private mutating func add(_ member: Member) {
    guard members.count < Self.memberLimit, known.insert(member.name).inserted else { return }
    members.append(member)
  }

  private mutating func read(
    _ name: String,
    _ owner: String?,
    _ brackets: OpenBrackets,
    at offset: Int
  ) {
    guard InterfaceUse.watchedReads.contains(name) else { return }
    if reads.count < Self.memberLimit {
      let read = Read(owner: owner?.lowercased() ?? "", name: name)
      if reads[read] == nil { reads[read] = offset }
    }
    guard owner != "console" else { return }
    for call in brackets.calls where details.count < Self.memberLimit {
      let detail = Detail(call: call, kind: .read, name: name)
      if details[detail] == nil { details[detail] = offset }
    }
  }

  private mutating func readImports(_ words: inout ScriptWords, at offset: Int) {
    guard words.next()?.kind == .sign(UInt8(ascii: "(")) else { return }
    while let word = words.next() {
      switch word.kind {
      case .text(let text): imports.append(text)
      case .sign(UInt8(ascii: ",")): continue
      case .sign(UInt8(ascii: ")")): return
      default:
        computedImport = computedImport ?? offset
        return
      }
    }
  }
}

/// The brackets that are open at a place of a script, and the calls that they belong to.
private struct OpenBrackets {
  private struct Bracket {
    var sign: UInt8
    /// The chain that is called, for the bracket of its arguments.
    var call: String?
    /// The commas in it so far.
    var commas = 0
  }

  private static let depthLimit = 256
  private var open: [Bracket] = []
  private var pending: String?
  /// The last words but one, and the last.
  private var before: ScriptWords.Word.Kind?
  private var last: ScriptWords.Word.Kind?

  /// The chains whose arguments are open, the innermost last.
  var calls: [String] { open.compactMap(\.call) }

  /// Notes that a chain was read, which the next word may call.
  mutating func isAfterChain(_ chain: String) {
    pending = chain
    before = last
    last = .name("")
  }

  /// Follows a word, and returns what it adds to the call that it is in.
  mutating func follow(_ word: ScriptWords.Word, _ words: ScriptWords) -> ScriptUses.Detail? {
    defer {
      before = last
      last = word.kind
    }
    switch word.kind {
    case .sign(let sign):
      // `a.b?.(c)` calls as well.
      if let chain = pending, sign == UInt8(ascii: "(") {
        pending = nil
        return push(sign, chain)
      }
      if sign != UInt8(ascii: "?"), sign != UInt8(ascii: ".") { pending = nil }
      return follow(sign)
    case .name(let name), .text(let name):
      pending = nil
      return key(name, words)
    case .number:
      pending = nil
      return nil
    }
  }

  private mutating func push(_ sign: UInt8, _ call: String?) -> ScriptUses.Detail? {
    var found: ScriptUses.Detail?
    if sign == UInt8(ascii: "{"), let parent = open.last, let call = parent.call,
      last == .sign(UInt8(ascii: "(")) || last == .sign(UInt8(ascii: ","))
    {
      found = ScriptUses.Detail(call: call, kind: .object, name: String(parent.commas + 1))
    }
    if open.count < Self.depthLimit { open.append(Bracket(sign: sign, call: call)) }
    return found
  }

  private mutating func follow(_ sign: UInt8) -> ScriptUses.Detail? {
    switch sign {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): return push(sign, nil)
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
      guard let closed = open.popLast() else { return nil }
      // The first brackets among the arguments are a listener's parameters.
      guard sign == UInt8(ascii: ")"), closed.call == nil, closed.commas > 0,
        let parent = open.last, let call = parent.call, parent.commas == 0
      else { return nil }
      return ScriptUses.Detail(call: call, kind: .secondParameter, name: "")
    case UInt8(ascii: ","):
      if !open.isEmpty { open[open.count - 1].commas += 1 }
      return nil
    default: return nil
    }
  }

  /// Returns a property of an object that is written among a call's arguments.
  private func key(_ name: String, _ words: ScriptWords) -> ScriptUses.Detail? {
    guard open.last?.sign == UInt8(ascii: "{"),
      last == .sign(UInt8(ascii: "{")) || last == .sign(UInt8(ascii: ",")),
      let call = open.last(where: { $0.sign == UInt8(ascii: "(") })?.call
    else { return nil }
    var ahead = words
    switch ahead.next()?.kind {
    case .sign(UInt8(ascii: ":"))?:
      let isNull = ahead.next()?.kind == .name("null")
      return ScriptUses.Detail(call: call, kind: isNull ? .null : .key, name: name)
    case .sign(UInt8(ascii: ","))?, .sign(UInt8(ascii: "}"))?:
      return ScriptUses.Detail(call: call, kind: .key, name: name)
    default: return nil
    }
  }
}
