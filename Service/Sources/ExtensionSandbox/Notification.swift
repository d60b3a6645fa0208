import CSandbox
import Glibc

/// A seccomp notification: a system call that waits for an answer.
///
/// Its numbers are a copy of the registers and cannot change. Memory behind pointers can change at
/// any time, so nothing is allowed because of it.
///
/// > Source: the kernel's `seccomp_notif` and `seccomp_notif_resp` in `linux/seccomp.h`.
struct Notification {
  var identifier: UInt64
  /// The thread that calls.
  var thread: Int32
  var number: UInt32
  var arguments: [UInt64]

  /// The answer to a call.
  enum Answer {
    /// The kernel continues the call, with all its other checks.
    case goOn
    /// The call fails with this error, or succeeds if it is 0.
    case result(error: Int32)
    /// The call returns a descriptor that was put into the process.
    case descriptor(Int32)
  }

  /// Receives the next notification; nil if its caller is gone.
  init?(listener: Int32) {
    // A newer kernel may write a longer struct.
    let room = 256
    var bytes = [UInt8](repeating: 0, count: room)
    let result = unsafe bytes.withUnsafeMutableBytes { buffer in
      csandbox_call(
        SystemCall.ioctl,
        Int(listener),
        Int(bitPattern: csandbox_notification_receive),
        Int(bitPattern: buffer.baseAddress),
        0,
        0
      )
    }
    guard result == 0 else { return nil }
    identifier = bytes.number(at: 0, as: UInt64.self)
    thread = bytes.number(at: 8, as: Int32.self)
    number = bytes.number(at: 16, as: UInt32.self)
    arguments = (0..<6).map { bytes.number(at: 32 + 8 * $0, as: UInt64.self) }
  }

  /// Returns whether the caller still waits, so that its number still means the same thread.
  func isWaiting(_ listener: Int32) -> Bool {
    unsafe withUnsafePointer(to: identifier) { pointer in
      csandbox_call(
        SystemCall.ioctl,
        Int(listener),
        Int(bitPattern: csandbox_notification_valid),
        Int(bitPattern: pointer),
        0,
        0
      ) == 0
    }
  }

  /// Puts a copy of a descriptor into the process; returns its number there.
  func put(_ descriptor: Int32, listener: Int32) -> Int32? {
    let closedByExecute = UInt64(O_CLOEXEC)
    let request: [UInt64] = [
      identifier, UInt64(UInt32(bitPattern: descriptor)) << 32, closedByExecute << 32,
    ]
    let result = unsafe request.withUnsafeBytes { bytes in
      csandbox_call(
        SystemCall.ioctl,
        Int(listener),
        Int(bitPattern: csandbox_notification_put),
        Int(bitPattern: bytes.baseAddress),
        0,
        0
      )
    }
    return result >= 0 ? Int32(result) : nil
  }

  func answer(_ answer: Answer, listener: Int32) {
    var response: [UInt64] = [identifier, 0, 0]
    switch answer {
    case .goOn:
      let continues: UInt64 = 1
      response[2] = continues << 32
    case .result(let error):
      response[2] = UInt64(UInt32(bitPattern: -error))
    case .descriptor(let number):
      response[1] = UInt64(number)
    }
    unsafe response.withUnsafeBytes { bytes in
      _ = csandbox_call(
        SystemCall.ioctl,
        Int(listener),
        Int(bitPattern: csandbox_notification_send),
        Int(bitPattern: bytes.baseAddress),
        0,
        0
      )
    }
  }

  /// Returns an argument of type `int` or `unsigned int`.
  func integer(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: arguments[index]) }

  /// Returns whether a condition of the filter holds for the arguments.
  func holds(_ condition: ArgumentCondition) -> Bool {
    condition.values.contains(UInt32(bitPattern: integer(condition.index)) & condition.mask)
  }

  /// Copies at most `count` bytes of the caller's memory; fewer at the end of the mapping.
  func memory(at address: UInt64, count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let copied = unsafe bytes.withUnsafeMutableBytes { buffer -> Int in
      let own: [UInt] = [UInt(bitPattern: buffer.baseAddress), UInt(count)]
      let other: [UInt] = [UInt(truncatingIfNeeded: address), UInt(count)]
      return unsafe own.withUnsafeBytes { own in
        unsafe other.withUnsafeBytes { other in
          csandbox_call(
            SystemCall.processVMReadv,
            Int(thread),
            Int(bitPattern: own.baseAddress),
            1,
            Int(bitPattern: other.baseAddress),
            1
          )
        }
      }
    }
    return Array(bytes.prefix(max(0, copied)))
  }

  /// Copies a string of the caller's memory; nil if there is none.
  func string(at address: UInt64) -> String? {
    guard address != 0 else { return nil }
    let page: UInt64 = 4096
    let longest = 4096
    var bytes: [UInt8] = []
    var place = address
    while bytes.count < longest {
      // Reads a page at a time, since the next one may not be mapped.
      let part = memory(at: place, count: Int(page - place % page))
      guard !part.isEmpty else { return nil }
      if let end = part.firstIndex(of: 0) {
        return String(decoding: bytes + part[..<end], as: UTF8.self)
      }
      bytes += part
      let (next, overflow) = place.addingReportingOverflow(UInt64(part.count))
      guard !overflow else { return nil }
      place = next
    }
    return nil
  }
}
