import Testing

@testable import ExtensionSandbox

/// The filter itself, on both processors, in a small interpreter of the kernel's instructions.
@Suite struct FilterTests {
  struct Call: CustomTestStringConvertible, Sendable {
    var name: String
    var arguments: [UInt64] = []
    var testDescription: String { "\(name)\(arguments)" }
  }

  private static let ownProcess: UInt32 = 4711

  private static func verdict(
    _ call: Call,
    _ processor: Processor,
    _ network: NetworkAccess,
    asks: Bool = true
  ) -> UInt32? {
    guard let number = SystemCallNumbers(processor).byName[call.name] else { return nil }
    return verdict(number, call.arguments, processor.architectureWord, processor, network, asks)
  }

  private static func verdict(
    _ number: UInt32,
    _ arguments: [UInt64],
    _ architecture: UInt32,
    _ processor: Processor,
    _ network: NetworkAccess,
    _ asks: Bool
  ) -> UInt32? {
    let program = FilterProgram(
      rules: SystemCallRules(network: network),
      processor: processor,
      asks: asks
    )
    var instructions = program.instructions
    for place in program.ownProcess { instructions[Int(place)].value = ownProcess }
    var data = [UInt8](repeating: 0, count: 64)
    func put(_ value: UInt64, at place: Int, count: Int) {
      for index in 0..<count { data[place + index] = UInt8(value >> (8 * UInt64(index)) & 0xFF) }
    }
    put(UInt64(number), at: 0, count: 4)
    put(UInt64(architecture), at: 4, count: 4)
    for (index, argument) in arguments.enumerated() { put(argument, at: 16 + 8 * index, count: 8) }
    var accumulator: UInt32 = 0
    var place = 0
    while place < instructions.count {
      let instruction = instructions[place]
      place += 1
      switch instruction.code {
      case 0x20: accumulator = data.number(at: Int(instruction.value), as: UInt32.self)
      case 0x54: accumulator &= instruction.value
      case 0x05: place += Int(instruction.value)
      case 0x15, 0x35:
        let holds =
          instruction.code == 0x15
          ? accumulator == instruction.value : accumulator >= instruction.value
        place += Int(holds ? instruction.ifTrue : instruction.ifFalse)
      case 0x06: return instruction.value
      default: return nil
      }
    }
    return nil
  }

  @Test(arguments: Processor.allCases) func everyNumberHasAnAnswer(_ processor: Processor) {
    for number: UInt32 in 0..<1000 {
      #expect(Self.verdict(number, [], processor.architectureWord, processor, .none, true) != nil)
    }
    let program = FilterProgram(
      rules: SystemCallRules(network: .client),
      processor: processor,
      asks: true
    )
    // The kernel's own limit.
    #expect(program.instructions.count <= 4096)
  }

  @Test(arguments: Processor.allCases) func anotherTableIsNotEntered(_ processor: Processor) {
    let intel32: UInt32 = 0x4000_0003
    #expect(
      Self.verdict(0, [], intel32, processor, .client, true) == FilterVerdict.killProcess
    )
    let x32: UInt32 = 0x4000_0000
    #expect(
      Self.verdict(x32, [], processor.architectureWord, processor, .client, true)
        == FilterVerdict.noSuchCall
    )
  }

  private static let allowed: [Call] = [
    Call(name: "read"), Call(name: "mmap"), Call(name: "futex"), Call(name: "exit_group"),
    Call(name: "kill", arguments: [4711, 6]),
    Call(name: "tgkill", arguments: [4711, 4712, 6]), Call(name: "kill", arguments: [0, 15]),
    // The upper half of an int's register says nothing.
    Call(name: "kill", arguments: [0xFFFF_FFFF_0000_1267, 6]),
    Call(name: "socketpair", arguments: [1, 0x80001, 0]), Call(name: "prctl", arguments: [15]),
    Call(name: "fcntl", arguments: [3, 4]), Call(name: "setpriority", arguments: [0, 0, 5]),
  ]

  @Test(arguments: Processor.allCases, allowed) func ordinaryCallsAreAllowed(
    _ processor: Processor,
    _ call: Call
  ) {
    #expect(Self.verdict(call, processor, .none) == FilterVerdict.allow)
  }

  @Test(arguments: Processor.allCases) func threadsAreCounted(_ processor: Processor) {
    let call = Call(name: "clone", arguments: [0x003D_0F00])
    #expect(Self.verdict(call, processor, .none) == FilterVerdict.ask)
    #expect(Self.verdict(call, processor, .none, asks: false) == FilterVerdict.allow)
  }

  private static let refused: [Call] = [
    Call(name: "clone", arguments: [17]), Call(name: "clone", arguments: [0x4100]),
    Call(name: "clone", arguments: [0x0001_0100 | 0x1000_0000]), Call(name: "fork"),
    Call(name: "kill", arguments: [4712, 9]), Call(name: "kill", arguments: [0xFFFF_FFFF, 9]),
    Call(name: "tgkill", arguments: [1, 1, 9]), Call(name: "ptrace"), Call(name: "mount"),
    Call(name: "unshare"), Call(name: "bpf"), Call(name: "io_uring_setup"),
    Call(name: "execveat"), Call(name: "chown"), Call(name: "fchownat"),
    Call(name: "socketpair", arguments: [1, 2, 0]), Call(name: "prctl", arguments: [1, 0]),
    Call(name: "prctl", arguments: [0x1_0000_0001]), Call(name: "fcntl", arguments: [3, 8, 1]),
    Call(name: "ioctl", arguments: [0, 0x5412]), Call(name: "listen"), Call(name: "bind"),
    Call(name: "socket", arguments: [1, 1, 0]), Call(name: "socket", arguments: [2, 3, 0]),
    Call(name: "socket", arguments: [2, 1, 262]), Call(name: "socket", arguments: [16, 3, 9]),
  ]

  @Test(arguments: Processor.allCases, refused) func otherCallsAreRefused(
    _ processor: Processor,
    _ call: Call
  ) {
    guard SystemCallNumbers(processor).byName[call.name] != nil else { return }
    #expect(Self.verdict(call, processor, .client) == FilterVerdict.ask)
    #expect(Self.verdict(call, processor, .client, asks: false) == FilterVerdict.notPermitted)
  }

  @Test(arguments: Processor.allCases) func socketsFollowTheEntitlement(_ processor: Processor) {
    let tcp = Call(name: "socket", arguments: [2, 0x80801, 6])
    #expect(Self.verdict(tcp, processor, .none) == FilterVerdict.ask)
    #expect(Self.verdict(tcp, processor, .client) == FilterVerdict.allow)
    #expect(Self.verdict(Call(name: "listen"), processor, .clientAndServer) == FilterVerdict.allow)
  }

  /// What the parent is asked about and lets pass must never be what the filter refuses.
  @Test(arguments: Processor.allCases) func emptyingWithoutWritingIsNotAQuestion(
    _ processor: Processor
  ) {
    let truncates: UInt64 = 0o1000
    #expect(
      Self.verdict(Call(name: "openat", arguments: [0, 0, truncates]), processor, .none)
        == FilterVerdict.notPermitted
    )
    for flags: UInt64 in [0, 0o1, 0o1001, 0o1002, 0o2000000] {
      #expect(
        Self.verdict(Call(name: "openat", arguments: [0, 0, flags]), processor, .none)
          == FilterVerdict.ask
      )
    }
  }
}
