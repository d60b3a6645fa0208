/// The other names that a script gives to the browser's interfaces, and where they hold.
///
///     const api = globalThis.browser ?? chrome;
///     const { tabs, runtime: { sendMessage } } = api;
///
/// A name holds from the bracket that its declaration is in to that bracket's end, so one that a
/// function declares means nothing elsewhere. A parameter that hides it is not seen.
struct ScriptAliases {
  /// What a name stands for, within a part of the script.
  private struct Alias {
    let chain: [String]
    let range: Range<Int>
  }

  private static let roots: Set<String> = ["browser", "chrome"]
  private static let declarations: Set<String> = ["const", "let", "var"]
  /// The most words of a declaration.
  private static let wordLimit = 200
  private static let aliasLimit = 1_000
  /// The most meanings that are kept of one name, which bundles use again and again.
  private static let meaningLimit = 32

  /// The most words that are read ahead of declarations in a script.
  private static let aheadLimit = 500_000

  private var aliases: [String: [Alias]] = [:]
  private var spent = 0
  private var count = 0
  /// What destructuring declarations take of the interfaces.
  private(set) var members: [ScriptUses.Member] = []

  /// Reads a script.
  ///
  /// - Complexity: O(*n*) in the bytes.
  init(_ script: [UInt8]) {
    var words = ScriptWords(script)
    var found: [(names: [(name: String, path: [String])], chains: [[String]], block: Int)] = []
    var blocks: [Range<Int>] = [0..<script.count]
    var open = [0]
    while let word = words.next() {
      switch word.kind {
      case .sign(UInt8(ascii: "{")):
        open.append(blocks.count)
        blocks.append(word.offset..<script.count)
      case .sign(UInt8(ascii: "}")):
        guard open.count > 1, let block = open.popLast() else { continue }
        blocks[block] = blocks[block].lowerBound..<word.offset
      case .name(let name) where Self.declarations.contains(name) && !words.isMember(word):
        guard count < Self.aliasLimit, let block = open.last else { continue }
        var ahead = words
        // The block's end is known later, so that here it reaches to the end of the text.
        guard let declared = declaration(&ahead) else { continue }
        count += declared.names.count
        found.append((declared.names, declared.chains, block))
        add(declared, from: blocks[block].lowerBound..<script.count)
      default: continue
      }
    }
    aliases = [:]
    for (names, chains, block) in found { add((names, chains), from: blocks[block]) }
  }

  /// Returns what a name stands for at an offset; `nil` for nothing of the interfaces.
  func chain(of name: String, at offset: Int) -> [String]? {
    if Self.roots.contains(name) { return [] }
    guard let meanings = aliases[name] else { return nil }
    // The innermost declaration counts.
    return meanings.filter { $0.range.contains(offset) }.max {
      $0.range.lowerBound < $1.range.lowerBound
    }?.chain
  }

  private mutating func add(
    _ declared: (names: [(name: String, path: [String])], chains: [[String]]),
    from range: Range<Int>
  ) {
    for (name, path) in declared.names where !Self.roots.contains(name) {
      guard aliases[name, default: []].count < Self.meaningLimit else { continue }
      // The longest says most: `browser.menus ?? browser.contextMenus` has two.
      for chain in declared.chains.prefix(1) {
        aliases[name, default: []].append(Alias(chain: chain + path, range: range))
      }
    }
  }

  // MARK: Declarations

  /// Reads what follows `const`; returns `nil` for what declares no other name of the interfaces.
  private mutating func declaration(
    _ words: inout ScriptWords
  ) -> (names: [(name: String, path: [String])], chains: [[String]])? {
    guard let first = words.next() else { return nil }
    var names: [(name: String, path: [String])] = []
    var places: [Int] = []
    switch first.kind {
    case .name(let name): names = [(name, [])]
    case .sign(UInt8(ascii: "{")):
      guard let parts = pattern(&words, depth: 0) else { return nil }
      names = parts.map { ($0.name, $0.path) }
      places = parts.map(\.offset)
    default: return nil
    }
    guard words.next()?.kind == .sign(UInt8(ascii: "=")) else { return nil }
    let chains = values(&words)
    guard let chain = chains.first else { return nil }
    for (place, name) in zip(places, names) {
      let whole = (chain + name.path).joined(separator: ".")
      if !whole.isEmpty { members.append(ScriptUses.Member(name: whole, offset: place)) }
    }
    return (names, chains)
  }

  /// Reads a pattern behind its bracket: `tabs, runtime: { sendMessage: send } = {}, ...rest }`.
  private mutating func pattern(
    _ words: inout ScriptWords,
    depth: Int
  ) -> [(name: String, path: [String], offset: Int)]? {
    guard depth < 4 else { return nil }
    var result: [(name: String, path: [String], offset: Int)] = []
    for _ in 0..<Self.wordLimit {
      guard spend(), let word = words.next() else { return nil }
      switch word.kind {
      case .sign(UInt8(ascii: "}")): return result
      case .sign(UInt8(ascii: ",")), .sign(UInt8(ascii: ".")): continue
      case .name(let key):
        var ahead = words
        guard ahead.next()?.kind == .sign(UInt8(ascii: ":")) else {
          result.append((key, [key], word.offset))
          if ahead.last == .sign(UInt8(ascii: "=")) { skipDefault(&words) }
          continue
        }
        words = ahead
        switch words.next()?.kind {
        case .name(let name)?: result.append((name, [key], word.offset))
        case .sign(UInt8(ascii: "{"))?:
          guard let parts = pattern(&words, depth: depth + 1) else { return nil }
          result += parts.map { ($0.name, [key] + $0.path, $0.offset) }
        default: return nil
        }
        ahead = words
        if ahead.next()?.kind == .sign(UInt8(ascii: "=")) { skipDefault(&words) }
      default: return nil
      }
    }
    return nil
  }

  /// Skips `= value`, up to the comma or bracket behind it.
  private mutating func skipDefault(_ words: inout ScriptWords) {
    var depth = 0
    for _ in 0..<Self.wordLimit where spend() {
      var ahead = words
      switch ahead.next()?.kind {
      case .sign(UInt8(ascii: "("))?, .sign(UInt8(ascii: "["))?, .sign(UInt8(ascii: "{"))?:
        depth += 1
      case .sign(UInt8(ascii: ")"))?, .sign(UInt8(ascii: "]"))?, .sign(UInt8(ascii: "}"))?:
        guard depth > 0 else { return }
        depth -= 1
      case .sign(UInt8(ascii: ","))? where depth == 0: return
      case nil: return
      default: break
      }
      words = ahead
    }
  }

  /// Reads a value, and returns what it may be of the interfaces: `browser`, `a ? browser : chrome`.
  private mutating func values(_ words: inout ScriptWords) -> [[String]] {
    var result: [[String]] = []
    var isTested = false
    for _ in 0..<Self.wordLimit {
      let before = words.last
      guard spend(), let word = words.next() else { return result }
      switch word.kind {
      case .name(let name):
        guard !words.isMember(word) else { continue }
        // Two values in a row are of two statements.
        guard !Self.endsValue(before) else { return result }
        if name == "typeof" {
          isTested = true
          continue
        }
        if ["globalThis", "window", "self"].contains(name) { continue }
        guard let chain = chain(of: name, at: word.offset) else { continue }
        let whole = chain + words.chain()
        var ahead = words
        let next = ahead.next()?.kind
        // What is called or compared is not the value.
        let isValue =
          !isTested && next != .sign(UInt8(ascii: "(")) && next != .sign(UInt8(ascii: "["))
          && !Self.isComparison(next, ahead)
        if isValue { result.append(whole) }
        isTested = false
      case .sign(UInt8(ascii: ";")), .sign(UInt8(ascii: ",")), .sign(UInt8(ascii: "{")),
        .sign(UInt8(ascii: "}")):
        return result
      case .sign(UInt8(ascii: ")")):
        // The end of a value in brackets, or of what the declaration is in.
        continue
      case .sign(UInt8(ascii: "=")), .sign(UInt8(ascii: "!")), .sign(UInt8(ascii: "&")),
        .sign(UInt8(ascii: "|")), .sign(UInt8(ascii: "?")), .sign(UInt8(ascii: ":")),
        .sign(UInt8(ascii: "(")), .sign(UInt8(ascii: ".")):
        continue
      case .text where before == .sign(UInt8(ascii: "=")): continue
      default: return result
      }
    }
    return result
  }

  /// Whether a value ends with a word, so that no name can follow in the same one.
  private static func endsValue(_ word: ScriptWords.Word.Kind?) -> Bool {
    switch word {
    case .name(let name)?:
      !["await", "typeof", "new", "void", "in", "instanceof", "yield"].contains(name)
    case .number?, .sign(UInt8(ascii: ")"))?, .sign(UInt8(ascii: "]"))?: true
    default: false
    }
  }

  /// Counts a word that is read ahead; bundles have many declarations, and each is read a second time.
  private mutating func spend() -> Bool {
    spent += 1
    return spent <= Self.aheadLimit
  }

  /// Whether a value is only tested: `browser && …`, `browser === …`, `browser ? … : …`.
  private static func isComparison(_ next: ScriptWords.Word.Kind?, _ words: ScriptWords) -> Bool {
    var ahead = words
    let second = ahead.next()?.kind
    switch next {
    case .sign(UInt8(ascii: "="))?, .sign(UInt8(ascii: "!"))?:
      return second == .sign(UInt8(ascii: "="))
    case .sign(UInt8(ascii: "&"))?: return true
    case .sign(UInt8(ascii: "?"))?: return second != .sign(UInt8(ascii: "?"))
    default: return false
    }
  }
}
