internal import Automata

/// Adds hosts, as the URL serialiser writes them.
///
/// A name may be anything that a host may contain, an IP address only in its canonical form:
/// `192.168.001.001`, `0x7f.1` and `[0:0:0:0:0:0:0:1]` occur in no URL.
extension URLLanguage {
  /// Adds all hosts and returns the states at their ends.
  mutating func addHosts(behind starts: [Int], isLoose: Bool) -> [Int] {
    let name = newState()
    link(name, .host, name)
    if isLoose {
      for start in starts { link(start, .host, name) }
      return [name, addLooseAddress(behind: starts)]
    }
    return addNumbers(behind: starts, name: name) + [name, addAddress(behind: starts)]
  }

  /// Adds names and dotted numbers, and returns the ends of the addresses.
  ///
  /// The state remembers whether all labels so far are numbers, since a host of numbers alone is an
  /// address, and how many there are.
  private mutating func addNumbers(behind starts: [Int], name: Int) -> [Int] {
    let digits = SymbolSet("0123456789")
    let dot = SymbolSet(".")
    // Numbers that are not a canonical address: hexadecimal, or with too many digits or labels.
    let odd = newState()
    let oddLabel = newState()
    let oddZero = newState()
    let hexadecimal = newState()
    link(oddLabel, SymbolSet("0"), oddZero)
    link(oddLabel, digits.subtracting(SymbolSet("0")), odd)
    link(oddLabel, .host.subtracting(digits), name)
    link(oddZero, SymbolSet("x"), hexadecimal)
    link(oddZero, digits, odd)
    link(oddZero, dot, oddLabel)
    link(oddZero, .host.subtracting(SymbolSet("0123456789x.")), name)
    link(odd, digits, odd)
    link(odd, dot, oddLabel)
    link(odd, .host.subtracting(SymbolSet("0123456789.")), name)
    link(hexadecimal, SymbolSet("0123456789abcdef"), hexadecimal)
    link(hexadecimal, dot, oddLabel)
    link(hexadecimal, .host.subtracting(SymbolSet("0123456789abcdef.")), name)

    var labels = starts
    var ends: [Int] = []
    for number in 1...4 {
      let zero = newState()
      let places = [newState(), newState(), newState()]
      let next = number < 4 ? newState() : oddLabel
      for label in labels {
        link(label, SymbolSet("0"), zero)
        link(label, digits.subtracting(SymbolSet("0")), places[0])
        link(label, .host.subtracting(digits), name)
      }
      link(zero, SymbolSet("x"), hexadecimal)
      link(zero, digits, odd)
      link(zero, dot, next)
      link(zero, .host.subtracting(SymbolSet("0123456789x.")), name)
      for (place, state) in places.enumerated() {
        link(state, digits, place < 2 ? places[place + 1] : odd)
        link(state, dot, next)
        link(state, .host.subtracting(SymbolSet("0123456789.")), name)
      }
      labels = [next]
      ends = [zero] + places
    }
    return ends
  }

  /// Adds addresses in brackets and returns their end.
  ///
  /// Their numbers have no leading zeros, and two colons replace the first of the longest runs of
  /// zeros.
  private mutating func addAddress(behind starts: [Int]) -> Int {
    let bracket = newState()
    let end = newState()
    for start in starts { link(start, SymbolSet("["), bracket) }

    // Without two colons, no two zeros are adjacent.
    let afterZero = newState()
    let zero = step(from: bracket, SymbolSet("0"))
    link(zero, SymbolSet(":"), afterZero)
    link(zero, SymbolSet("]"), end)
    addPieces(behind: [bracket, afterZero], next: bracket, end: end)

    // With two colons, and what is on either side of them.
    let left = newState()
    let middle = newState()
    let right = newState()
    for start in starts {
      let opened = step(from: start, SymbolSet("["))
      link(step(from: opened, SymbolSet(":")), SymbolSet(":"), middle)
      addPieces(behind: [opened], next: left, end: nil)
      link(step(from: opened, SymbolSet("0")), SymbolSet(":"), left)
    }
    link(step(from: left, SymbolSet("0")), SymbolSet(":"), left)
    addPieces(behind: [left], next: left, end: nil)
    link(left, SymbolSet(":"), middle)
    link(middle, SymbolSet("]"), end)
    for state in [middle, right] {
      let zero = step(from: state, SymbolSet("0"))
      link(zero, SymbolSet(":"), right)
      link(zero, SymbolSet("]"), end)
    }
    addPieces(behind: [middle, right], next: right, end: end)
    return end
  }

  /// Adds numbers of one to four hexadecimal digits other than zero.
  private mutating func addPieces(behind starts: [Int], next: Int, end: Int?) {
    let digits = SymbolSet("0123456789abcdef")
    var states = starts
    for place in 0..<4 {
      let state = newState()
      for start in states {
        link(start, place == 0 ? digits.subtracting(SymbolSet("0")) : digits, state)
      }
      link(state, SymbolSet(":"), next)
      if let end { link(state, SymbolSet("]"), end) }
      states = [state]
    }
  }

  private mutating func addLooseAddress(behind starts: [Int]) -> Int {
    let address = newState()
    for start in starts { link(start, SymbolSet("["), address) }
    link(address, SymbolSet("0123456789abcdef:."), address)
    return step(from: address, SymbolSet("]"))
  }
}
