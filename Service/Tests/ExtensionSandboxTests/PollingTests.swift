import CPrivateDescriptors
import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

@testable import ExtensionSandbox

struct PollingTests {
  /// Polls a pipe on a thread that gets signals all the time.
  ///
  /// - Parameters:
  ///   - delay: After how many signals something is written into the pipe; nil for never.
  ///   - milliseconds: For how long it is polled at most.
  /// - Returns: What `pollDescriptors` returns.
  /// - Throws: What it throws.
  private func poll(writingAfter delay: UInt32?, milliseconds: Int32) throws -> Bool {
    // Interrupts what waits, and does nothing else.
    signal(SIGURG) { _ in }
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let reading = ends[0]
    let thread = Mutex<pthread_t?>(nil)
    let result = Mutex<Result<Bool, any Error>?>(nil)
    let begun = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // Threads of tests, and those that they start, keep signals away.
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe pthread_sigmask(SIG_SETMASK, &signals, nil)
      thread.withLock { $0 = pthread_self() }
      begun.signal()
      var descriptors = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
      let isReady = Result { try pollDescriptors(&descriptors, milliseconds: milliseconds) }
      result.withLock { $0 = isReady }
      // It is there as long as it gets signals.
      ended.wait()
    }
    begun.wait()
    var signalCount: UInt32 = 0
    while result.withLock({ $0 == nil }) {
      thread.withLock { thread in if let thread { pthread_kill(thread, SIGURG) } }
      usleep(1000)
      signalCount += 1
      if signalCount == delay { _ = unsafe write(ends[1], "x", 1) }
    }
    ended.signal()
    return try #require(result.withLock { $0 }).get()
  }

  @Test("what signals interrupt is waited for to its end")
  func ready() throws { #expect(try poll(writingAfter: 100, milliseconds: 60_000)) }

  @Test("signals do not put off the end of the time")
  func over() throws { #expect(try !poll(writingAfter: nil, milliseconds: 100)) }
}
