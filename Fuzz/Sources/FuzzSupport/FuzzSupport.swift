public import FuzzBodies
internal import Glibc

/// Checks one input of the fuzzer; ends the process with what was found if a property is violated.
@unsafe
public func fuzz(_ target: FuzzTarget, _ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  do {
    try target.check(input)
  } catch {
    // Escaped, because the message is cut off at a zero.
    fatalError(error.description.debugDescription)
  }
  return 0
}

/// Writes a target's seeds into the folder that `FUZZ_SEEDS` names, if it does.
///
/// The fuzzer calls this before it reads its corpus, which may be that folder.
public func writeSeeds(of target: FuzzTarget) -> CInt {
  guard let folder = unsafe getenv("FUZZ_SEEDS").map({ unsafe String(cString: $0) }) else {
    return 0
  }
  for (number, seed) in target.seeds.enumerated() {
    guard let file = unsafe fopen("\(folder)/seed-\(number)", "w") else { return 1 }
    unsafe fwrite(seed, 1, seed.count, file)
    unsafe fclose(file)
  }
  return 0
}
