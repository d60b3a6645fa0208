internal import FuzzSupport
internal import HostFuzzBodies

/// Called by the fuzzer once, before it reads its corpus.
@c(LLVMFuzzerInitialize)
public func initialize(_ argumentCount: OpaquePointer?, _ arguments: OpaquePointer?) -> CInt {
  start(HostFuzzing.targets)
}

/// Called by the fuzzer for each input.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  unsafe fuzz(start, count)
}
