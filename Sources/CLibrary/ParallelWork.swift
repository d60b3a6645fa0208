/// The number of processors that are in use, at least 1; the process may be allowed fewer.
public var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// The processors that calls of ``withFreeProcessors(atMost:_:)`` use at the moment, in all threads.
private let processorsInUse = Count()

/// Calls a function with a number of processors that no other such call uses, at least 1.
///
/// A program that works on many things at once so has no more threads at work than there are processors.
public func withFreeProcessors<Result, Failure: Error>(
  atMost most: Int,
  _ body: (Int) throws(Failure) -> Result
) throws(Failure) -> Result {
  let taken = processorsInUse.take(atMost: most, of: processorCount)
  defer { processorsInUse.giveBack(taken) }
  return try body(taken)
}

/// A number of things that are taken and given back.
private final class Count: @unchecked Sendable {
  private let lock = Monitor()
  private var taken = 0

  func take(atMost most: Int, of all: Int) -> Int {
    lock.withLock {
      let number = max(1, min(most, all - taken))
      taken += number
      return number
    }
  }

  func giveBack(_ number: Int) { lock.withLock { taken -= number } }
}

/// Calls a function for each number from 0 on, each but the first on a thread of its own, and waits for
/// all.
///
/// Where the system has no room for a thread, the caller's does its work as well.
///
/// - Parameters:
///   - count: How many times.
///   - body: The function; 4 MB of stack are its own.
/// - Returns: What it returned for each number.
public func mapInParallel<Result>(
  _ count: Int,
  _ body: @escaping @Sendable (Int) -> Result
) -> [Result] {
  let results = Results<Result>(count)
  var left: [Int] = []
  withoutSignals {
    for number in 1..<max(1, count)
    where startThread(stackSize: 4 << 20, { results.set(number, body(number)) }) != 0 {
      left.append(number)
    }
  }
  if count > 0 { results.set(0, body(0)) }
  for number in left { results.set(number, body(number)) }
  return results.wait()
}

/// Calls two functions, the second on a thread of its own where the system has room for one, and waits for
/// both.
public func callInParallel(
  _ first: @escaping @Sendable () -> Void,
  _ second: @escaping @Sendable () -> Void
) {
  _ = mapInParallel(2) { $0 == 0 ? first() : second() }
}

/// Calls a function during which the calling thread, and for ever those that it starts, get no signals but
/// those of their own faults: handlers are called on the program's own threads, which expect it.
private func withoutSignals(_ body: () -> Void) {
  var blocked = sigset_t()
  var before = sigset_t()
  unsafe sigfillset(&blocked)
  for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] {
    unsafe sigdelset(&blocked, signal)
  }
  unsafe pthread_sigmask(SIG_SETMASK, &blocked, &before)
  body()
  unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
}

/// What several threads have returned.
private final class Results<Value>: @unchecked Sendable {
  private let lock = Monitor()
  private var values: [Value?]
  private var missing: Int

  init(_ count: Int) {
    values = Array(repeating: nil, count: max(0, count))
    missing = max(0, count)
  }

  func set(_ number: Int, _ value: Value) {
    lock.withLock {
      values[number] = value
      missing -= 1
    }
    lock.broadcast()
  }

  /// Waits for all values, and gives them up.
  func wait() -> [Value] {
    lock.withLock {
      while missing > 0 { lock.wait() }
      let all = values.compactMap { $0 }
      values = []
      return all
    }
  }
}
