internal import Automata

/// URLs of a simple form, in which examples for patterns are looked for.
///
/// A shape is a row of texts and of characters that may be repeated:
///
///     https:// · any characters of a host, at least one · / · any characters of a path
struct URLShape {
  fileprivate struct Step {
    var symbols: SymbolSet
    /// Whether the step may be repeated, or left out.
    var isLoop = false
  }

  fileprivate private(set) var steps: [Step] = []

  private static let host = SymbolSet(characters: "abcdefghijklmnopqrstuvwxyz0123456789.-")
  private static let label = SymbolSet(characters: "abcdefghijklmnopqrstuvwxyz0123456789")
  private static let path = SymbolSet(
    characters:
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_/.=&?%~+,:;@!'()*|$"
  )

  /// The shapes in the order of their simplicity.
  static let all: [URLShape] = [
    URLShape("https://example.com/", tail: path),
    URLShape("https://", host: true, "/", tail: path),
    URLShape("https://www.", host: true, "/", tail: path),
    URLShape("https://cdn.example.org/a/", tail: path),
    URLShape("http://", host: true, "/", tail: path),
    URLShape("wss://", host: true, "/", tail: path),
    URLShape("ws://", host: true, "/", tail: path),
    URLShape("https://", host: true, ":8080/", tail: path),
  ]

  private init(_ start: String, host: Bool = false, _ middle: String = "", tail: SymbolSet) {
    add(start)
    if host {
      steps.append(Step(symbols: Self.label))
      steps.append(Step(symbols: Self.host, isLoop: true))
      steps.append(Step(symbols: Self.label))
    }
    add(middle)
    steps.append(Step(symbols: tail, isLoop: true))
    // The end of a URL is a symbol of its own.
    steps.append(Step(symbols: SymbolSet(low: 1)))
  }

  private mutating func add(_ text: String) {
    for byte in text.utf8 { steps.append(Step(symbols: SymbolSet(byte: byte))) }
  }

  /// Returns a short URL of this shape that a pattern matches; `nil` if there is none, or the
  /// pattern is too long.
  ///
  /// - Complexity: O(*n*) for *n* instructions of the pattern.
  func example(of pattern: NFA) -> String? {
    guard pattern.instructions.count <= 4_096 else { return nil }
    var search = Search(steps: steps, pattern: pattern)
    return search.run()
  }

  /// A breadth-first search through the pairs of a pattern's instruction and a shape's step.
  private struct Search {
    let steps: [Step]
    let pattern: NFA
    /// For each pair, the pair before it and the symbol between them, or none.
    private var origins: [(pair: Int32, symbol: UInt8)]
    private var wave: [Int] = []
    private var nextWave: [Int] = []

    init(steps: [Step], pattern: NFA) {
      self.steps = steps
      self.pattern = pattern
      let count = pattern.instructions.count * (steps.count + 1)
      origins = Array(repeating: (-1, 0), count: count)
    }

    private static let none: UInt8 = 0xFF

    mutating func run() -> String? {
      let width = steps.count + 1
      origins[0] = (0, Self.none)
      wave = [0]
      while !wave.isEmpty {
        // Grows while pairs are reached without reading.
        var index = 0
        while index < wave.count {
          let pair = wave[index]
          index += 1
          let (instruction, step) = (pair / width, pair % width)
          if step < steps.count, steps[step].isLoop { reach(pair + 1, pair, Self.none) }
          switch pattern.instructions[instruction] {
          case .accept: return text(to: pair, width)
          case .jump(let target): reach(target * width + step, pair, Self.none)
          case .split(let target):
            reach(target * width + step, pair, Self.none)
            reach((instruction + 1) * width + step, pair, Self.none)
          case .consume(let symbols):
            guard step < steps.count,
              let symbol = symbols.intersection(steps[step].symbols).preferred
            else { continue }
            let next = steps[step].isLoop ? step : step + 1
            reach((instruction + 1) * width + next, pair, symbol)
          }
        }
        (wave, nextWave) = (nextWave, [])
      }
      return nil
    }

    private mutating func reach(_ pair: Int, _ origin: Int, _ symbol: UInt8) {
      guard origins[pair].pair < 0 else { return }
      origins[pair] = (Int32(truncatingIfNeeded: origin), symbol)
      if symbol == Self.none { wave.append(pair) } else { nextWave.append(pair) }
    }

    /// Returns the URL that leads to a pair, completed by the rest of the shape.
    private func text(to last: Int, _ width: Int) -> String {
      var bytes: [UInt8] = []
      var pair = last
      while pair != 0 {
        let origin = origins[pair]
        if origin.symbol != Self.none, origin.symbol != 0 { bytes.append(origin.symbol) }
        pair = Int(origin.pair)
      }
      bytes.reverse()
      for step in steps[min(last % width, steps.count)...] where !step.isLoop {
        if let symbol = step.symbols.preferred, symbol != 0 { bytes.append(symbol) }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension SymbolSet {
  fileprivate init(byte: UInt8) {
    self.init(
      low: byte < 64 ? 1 << UInt64(byte) : 0,
      high: byte < 64 ? 0 : 1 << UInt64(byte & 63)
    )
  }

  fileprivate init(characters: String) {
    var set = SymbolSet()
    for byte in characters.utf8 {
      let one = SymbolSet(byte: byte)
      set = SymbolSet(low: set.low | one.low, high: set.high | one.high)
    }
    self = set
  }

  fileprivate func intersection(_ other: SymbolSet) -> SymbolSet {
    SymbolSet(low: low & other.low, high: high & other.high)
  }

  /// The symbol that reads best in an example: a letter if possible.
  fileprivate var preferred: UInt8? {
    guard !isEmpty else { return nil }
    return Self.order.first { contains($0) }
  }

  private static let order =
    Array("abcdefghijklmnopqrstuvwxyz0123456789-_/.=&?ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    + Array(0..<128)
}
