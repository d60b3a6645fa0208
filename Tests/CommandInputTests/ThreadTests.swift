import CLibrary
import Testing

@Suite("Threads and what they wait for")
struct ThreadTests {
  private final class Counter: @unchecked Sendable {
    let monitor = Monitor()
    // Guarded by the monitor.
    var value = 0
  }

  @Test("threads take turns, and wake who waits for them")
  func turns() {
    let counter = Counter()
    for _ in 0..<8 {
      let status = startThread(stackSize: 1 << 20) {
        for _ in 0..<1_000 { counter.monitor.withLock { counter.value += 1 } }
        counter.monitor.withLock { counter.monitor.broadcast() }
      }
      #expect(status == 0)
    }
    counter.monitor.withLock {
      while counter.value < 8_000 { counter.monitor.wait(for: .seconds(1)) }
    }
    #expect(counter.value == 8_000)
  }

  @Test("waiting for a time ends then, also for none, and less than none")
  func times() {
    let monitor = Monitor()
    let start = ContinuousClock.now
    monitor.withLock {
      monitor.wait(for: .milliseconds(-5))
      monitor.wait(for: .zero)
      while ContinuousClock.now - start < .milliseconds(50) { monitor.wait(for: .milliseconds(60)) }
    }
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test("a thread that has no room is an error number")
  func noRoom() {
    #expect(startThread(stackSize: 1 << 60) {} != 0)
  }

  @Test("a program's output comes as it is written, with its status")
  func processes() throws {
    let script = "echo $WORD; echo b >&2; exit 7"
    let process = try SpokenProcess(["/bin/sh", "-c", script], environment: ["WORD": "a"])
    var output: [UInt8] = []
    while case let more = process.read(), !more.isEmpty { output += more }
    #expect(String(decoding: output, as: UTF8.self) == "a\nb\n")
    #expect(process.wait() == 7)
    let killed = try SpokenProcess(["/bin/sh", "-c", "kill -9 $$"], environment: [:])
    #expect(killed.read() == [])
    #expect(killed.wait() == 9)
    do throws(SystemError) {
      let process = try SpokenProcess(["/nothing/here"], environment: [:])
      Issue.record("it ended with \(process.wait())")
    } catch {
      #expect(error.number == ENOENT)
    }
  }
}
