internal import FuzzBodies
internal import FuzzSupport

@c(LLVMFuzzerInitialize)
public func initialize(_ argumentCount: OpaquePointer?, _ arguments: OpaquePointer?) -> CInt {
  writeSeeds(of: .selector)
}

@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  unsafe fuzz(.selector, start, count)
}
