public import FuzzTargets
internal import Glibc

/// The target of this process, after ``start(_:)`` was called.
///
/// The fuzzer calls everything on one thread.
nonisolated(unsafe) private var chosen: FuzzTarget?

/// Chooses the target that `FUZZ_TARGET` names.
///
/// Writes its seeds into the folder that `FUZZ_SEEDS` names, if set. Without a target, prints the
/// names of all targets and exits. The fuzzer calls this before it reads its corpus, which may be
/// that folder.
public func start(_ targets: [FuzzTarget]) -> CInt {
  guard let name = variable("FUZZ_TARGET") else {
    for target in targets { print(target.name) }
    exit(0)
  }
  guard let target = targets.first(where: { $0.name == name }) else {
    fatalError("FUZZ_TARGET is \(name); there are \(targets.map(\.name).joined(separator: ", "))")
  }
  unsafe chosen = target
  guard let folder = variable("FUZZ_SEEDS") else { return 0 }
  for (number, seed) in target.seeds.enumerated() {
    guard let file = unsafe fopen("\(folder)/seed-\(number)", "w") else {
      fatalError("the seeds cannot be written into \(folder)")
    }
    unsafe fwrite(seed, 1, seed.count, file)
    unsafe fclose(file)
  }
  return 0
}

/// Checks one input of the fuzzer; aborts with the finding if a property is violated.
@unsafe
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let target = unsafe chosen else { fatalError("no target was chosen") }
  let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  do {
    try target.check(input)
  } catch {
    // Escaped, because a zero would cut the message off.
    fatalError(error.description.debugDescription)
  }
  return 0
}

private func variable(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}
