internal import LoadDeciding
internal import ResourceLoads
internal import RuleMatching
internal import WebURL

// What a browser extension's script calls; `Scripts/check-embedded` builds it for WebAssembly.
//
// Addresses and sizes are in bytes of the module's memory. A function that has more to say than a
// number leaves 32-bit numbers or UTF-8 bytes at `tickbird_result`, where they stay until the next
// call. A handle that is not open makes every function return -1.

/// All open lists, and the working memory that they share.
final class OpenLists {
  private struct Open {
    var handle: Int32
    /// Whether the list has a say in the decisions of all lists.
    var isOn = true
  }

  /// Tabs and frames load at once, more of them than in a log.
  private static let pages = 24

  var decider = LoadDecider([], pages: OpenLists.pages)
  /// In the order of the decider's lists.
  private var open: [Open] = [] {
    didSet { on = open.indices.filter { open[$0].isOn }.map { ($0, open[$0].handle) } }
  }
  /// The lists that have a say: their positions and handles.
  private(set) var on: [(number: Int, handle: Int32)] = []
  private var lastHandle: Int32 = 0

  func add(_ list: CompiledRuleList) -> Int32 {
    lastHandle += 1
    open.append(Open(handle: lastHandle))
    decider.append(list)
    return lastHandle
  }

  func close(_ number: Int) {
    open.remove(at: number)
    decider.remove(list: number)
  }

  func setOn(_ number: Int, _ isOn: Bool) { open[number].isOn = isOn }

  /// The position of an open list; `nil` if the handle is none's.
  func number(_ handle: Int32) -> Int? { open.firstIndex { $0.handle == handle } }

  /// An open list; `nil` if the handle is none's.
  func list(_ handle: Int32) -> CompiledRuleList? { number(handle).map { decider.lists[$0] } }
}

// WebAssembly modules have one thread.
nonisolated(unsafe) let openLists = OpenLists()
nonisolated(unsafe) private var result = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
nonisolated(unsafe) private var resultCount: Int32 = 0
nonisolated(unsafe) private var faultOffset = 0

/// Copies bytes or numbers to where the caller reads them; the place is kept for the next ones.
func setResult<Element>(_ elements: [Element]) -> Int32 {
  let size = elements.count * MemoryLayout<Element>.stride
  if unsafe size > result.count {
    unsafe result.deallocate()
    unsafe result = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * size, alignment: 8)
  }
  unsafe elements.withUnsafeBytes { unsafe result.copyMemory(from: $0) }
  unsafe resultCount = Int32(elements.count)
  return unsafe resultCount
}

/// Returns so many bytes of memory for the caller to fill.
@_expose(wasm, "tickbird_allocate")
@_cdecl("tickbird_allocate")
public func allocate(_ size: Int32) -> UnsafeMutableRawPointer? {
  size < 0 ? nil : UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 8)
}

/// Takes memory back.
@_expose(wasm, "tickbird_free")
@_cdecl("tickbird_free")
public func free(_ memory: UnsafeMutableRawPointer?) {
  unsafe memory?.deallocate()
}

/// Opens a compiled list, whole or without its source text, and takes its memory over.
///
/// - Returns: A handle above zero, or -1 when the bytes are refused; the memory is free then.
@_expose(wasm, "tickbird_open")
@_cdecl("tickbird_open")
public func open(_ bytes: UnsafeMutableRawPointer, _ count: Int32) -> Int32 {
  let address = Int(bitPattern: bytes)
  do throws(ByteCodeError) {
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
    let list = try unsafe CompiledRuleList(validating: buffer, mayLackSource: true) {
      unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
    return unsafe openLists.add(list)
  } catch {
    unsafe faultOffset = error.offset
    return -1
  }
}

/// The byte of the last refused list where the fault was found.
@_expose(wasm, "tickbird_fault_offset")
@_cdecl("tickbird_fault_offset")
public func lastFaultOffset() -> Int32 { Int32(truncatingIfNeeded: unsafe faultOffset) }

/// Closes a list and frees its memory.
@_expose(wasm, "tickbird_close")
@_cdecl("tickbird_close")
public func close(_ handle: Int32) -> Int32 {
  guard let number = unsafe openLists.number(handle) else { return -1 }
  unsafe openLists.close(number)
  return 0
}

/// Where the last call left its result.
@_expose(wasm, "tickbird_result")
@_cdecl("tickbird_result")
public func resultAddress() -> UnsafeMutableRawPointer? { unsafe result.baseAddress }

/// How many numbers or bytes the last call left there.
@_expose(wasm, "tickbird_result_count")
@_cdecl("tickbird_result_count")
public func lastResultCount() -> Int32 { unsafe resultCount }

/// Makes a slot's text the result, or the global sheet's for slot -1, and returns its length.
@_expose(wasm, "tickbird_text")
@_cdecl("tickbird_text")
public func text(_ handle: Int32, _ slot: Int32) -> Int32 {
  guard let list = unsafe openLists.list(handle), slot < list.slotCount else { return -1 }
  guard slot >= 0 else { return setResult(list.globalSheet ?? []) }
  return setResult(list.text(at: list.slot(UInt32(slot)).text))
}
