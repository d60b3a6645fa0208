import ResourceLoads
import WebURL

// For WebAssembly this file and RuleMatching are compiled as one module, because Embedded Swift has
// to see how a scratch is destroyed.
#if canImport(RuleMatching)
import RuleMatching
#endif

// What a browser extension's script calls; `Scripts/check-embedded` builds it.
//
// Addresses and sizes are in bytes of the module's memory. A function that has more to say than a
// number leaves 32-bit numbers or UTF-8 bytes at `tickbird_result`, where they stay until the next
// call. A handle that is not open makes every function return -1.

/// An opened list.
final class OpenList {
  let handle: Int32
  let list: CompiledRuleList
  /// Whether the list has a say in the decisions of all lists.
  var isOn = true
  /// The page of `tickbird_set_page`.
  var page = PageState()

  init(_ list: CompiledRuleList, handle: Int32) {
    self.list = list
    self.handle = handle
  }
}

/// All lists, and the working memory that they share.
final class OpenLists {
  var lists: [OpenList] = []
  var scratch = MatchScratch()
  var pages = OpenPages()
  private var lastHandle: Int32 = 0

  func add(_ list: CompiledRuleList) -> Int32 {
    scratch.prepare(for: list)
    lastHandle += 1
    lists.append(OpenList(list, handle: lastHandle))
    pages.forget()
    return lastHandle
  }

  func list(_ handle: Int32) -> OpenList? { lists.first { $0.handle == handle } }
}

// WebAssembly modules have one thread.
nonisolated(unsafe) let openLists = OpenLists()
nonisolated(unsafe) private var result: UnsafeMutableRawPointer?
nonisolated(unsafe) private var resultCount: Int32 = 0
nonisolated(unsafe) private var faultOffset = 0

private func openList(_ handle: Int32) -> OpenList? { unsafe openLists.list(handle) }

/// Copies bytes or numbers to where the caller reads them.
func setResult<Element>(_ elements: [Element]) -> Int32 {
  unsafe result?.deallocate()
  let size = elements.count * MemoryLayout<Element>.stride
  let copy = UnsafeMutableRawPointer.allocate(byteCount: max(size, 8), alignment: 8)
  unsafe elements.withUnsafeBytes {
    if let base = $0.baseAddress { unsafe copy.copyMemory(from: base, byteCount: size) }
  }
  unsafe result = copy
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

/// Opens a compiled list and takes its memory over.
///
/// - Returns: A handle above zero, or -1 when the bytes are refused; the memory is free then.
@_expose(wasm, "tickbird_open")
@_cdecl("tickbird_open")
public func open(_ bytes: UnsafeMutableRawPointer, _ count: Int32) -> Int32 {
  let address = Int(bitPattern: bytes)
  do throws(ByteCodeError) {
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
    let list = try unsafe CompiledRuleList(validating: buffer) {
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
  guard openList(handle) != nil else { return -1 }
  unsafe openLists.lists.removeAll { $0.handle == handle }
  unsafe openLists.pages.forget()
  return 0
}

/// Takes over the top URL and the frame URL of the loads to come.
@_expose(wasm, "tickbird_set_page")
@_cdecl("tickbird_set_page")
public func setPage(
  _ handle: Int32,
  _ topURL: UnsafePointer<UInt8>,
  _ topCount: Int32,
  _ frameURL: UnsafePointer<UInt8>,
  _ frameCount: Int32
) -> Int32 {
  guard let open = openList(handle) else { return -1 }
  let top = unsafe UnsafeBufferPointer(start: topURL, count: Int(topCount))
  let frame = unsafe UnsafeBufferPointer(start: frameURL, count: Int(frameCount))
  open.list.update(
    &open.page,
    topURL: unsafe top.span,
    frameURL: unsafe frame.span,
    &openLists.scratch
  )
  return 0
}

/// Decides a load.
///
/// The properties are packed as by `TriggerFlags`: bits 0–13 resource type, 14–15 load type, 16–17
/// load context, 18–21 request method.
///
/// - Returns: One bit for each kind of action that applies; bit 16 when the document gets no
///   global sheet. The result is, for each action in order: slot, kind, number of rules, rules.
@_expose(wasm, "tickbird_decide")
@_cdecl("tickbird_decide")
public func decide(
  _ handle: Int32,
  _ url: UnsafePointer<UInt8>,
  _ count: Int32,
  _ properties: UInt32
) -> Int32 {
  guard let open = openList(handle) else { return -1 }
  unsafe openLists.scratch.assign(unsafe UnsafeBufferPointer(start: url, count: Int(count)).span)
  let load = LoadProperties(packed: properties)
  var words: [UInt32] = []
  let verdict = unsafe open.list.append(load, open.page, &openLists.scratch, to: &words)
  _ = setResult(words)
  return Int32(bitPattern: verdict)
}

extension LoadProperties {
  /// Creates properties from the layout of ``packed``.
  init(packed: UInt32) {
    let flags = TriggerFlags(packed: packed)
    self.init(
      resourceType: flags.resourceTypes,
      loadType: flags.loadTypes,
      loadContext: flags.loadContexts,
      requestMethod: flags.requestMethod
    )
  }
}

extension CompiledRuleList {
  /// Decides the load that the scratch holds, and appends the number of actions and the actions.
  ///
  /// - Returns: One bit for each kind of action that applies; bit 16 when the document gets no
  ///   global sheet.
  func append(
    _ load: LoadProperties,
    _ page: PageState,
    _ scratch: inout MatchScratch,
    to words: inout [UInt32]
  ) -> UInt32 {
    let decision = decide(load, page, &scratch)
    let count = words.count
    words.append(0)
    for action in appliedActions(decision, page, scratch) {
      words[count] += 1
      words.append(action.slot)
      words.append(UInt32(action.kind.rawValue))
      words.append(UInt32(action.rules.count))
      words += action.rules
    }
    return UInt32(decision.kinds) | (decision.attachesGlobalSheet ? 0 : 1 << 16)
  }
}

/// Where the last call left its result.
@_expose(wasm, "tickbird_result")
@_cdecl("tickbird_result")
public func resultAddress() -> UnsafeMutableRawPointer? { unsafe result }

/// How many numbers or bytes the last call left there.
@_expose(wasm, "tickbird_result_count")
@_cdecl("tickbird_result_count")
public func lastResultCount() -> Int32 { unsafe resultCount }

/// Makes a slot's text the result, or the global sheet's for slot -1, and returns its length.
@_expose(wasm, "tickbird_text")
@_cdecl("tickbird_text")
public func text(_ handle: Int32, _ slot: Int32) -> Int32 {
  guard let open = openList(handle), slot < open.list.slotCount else { return -1 }
  guard slot >= 0 else { return setResult(open.list.globalSheet ?? []) }
  return setResult(open.list.text(at: open.list.slot(UInt32(slot)).text))
}
