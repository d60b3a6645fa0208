public import CTickbird
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import RuleMatching

/// A list as callers hold it.
final class SharedList: Sendable {
  let list: ContentRuleList

  init(_ list: ContentRuleList) { self.list = list }

  /// Gives a reference to the caller, who frees it.
  var handle: OpaquePointer { unsafe OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }

  /// The list behind a caller's reference.
  static func of(_ handle: OpaquePointer) -> SharedList {
    unsafe Unmanaged<SharedList>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  }
}

/// Copies the caller's bytes; `nil` if there are none where some should be, or too many.
private func copied(_ start: UnsafeRawPointer?, _ size: Int) -> Result<[UInt8], CallerFault> {
  guard size >= 0, unsafe start != nil || size == 0 else { return .failure(.badArgument) }
  guard size <= listLimit else { return .failure(.tooLong) }
  return unsafe .success([UInt8](UnsafeRawBufferPointer(start: start, count: size)))
}

/// What is wrong with a call.
struct CallerFault: Error {
  var status: tickbird_status

  static let badArgument = CallerFault(status: .badArgument)
  static let tooLong = CallerFault(status: .tooLong)
}

/// A list's name; empty for none.
private func name(_ text: UnsafePointer<CChar>?) -> String {
  unsafe text.map { unsafe String(cString: $0) } ?? ""
}

/// Checks a list's text.
@c @implementation
public func tickbird_check(
  _ json: UnsafeRawPointer?,
  _ size: Int,
  _ name: UnsafePointer<CChar>?,
  _ report: UnsafeMutablePointer<tickbird_text>?
) -> tickbird_status {
  unsafe clear(report)
  guard unsafe report != nil else { return .badArgument }
  switch unsafe copied(json, size) {
  case .failure(let fault): return fault.status
  case .success(let text):
    unsafe give(bytes: CheckReport.of(text, named: CInterface.name(name)), to: report)
    return .ok
  }
}

/// Compiles a list's text.
@c @implementation
public func tickbird_compile(
  _ json: UnsafeRawPointer?,
  _ size: Int,
  _ name: UnsafePointer<CChar>?,
  _ list: UnsafeMutablePointer<OpaquePointer?>?,
  _ report: UnsafeMutablePointer<tickbird_text>?
) -> tickbird_status {
  unsafe clear(report)
  guard let list = unsafe list else { return .badArgument }
  unsafe list.pointee = nil
  let text: [UInt8]
  switch unsafe copied(json, size) {
  case .failure(let fault): return fault.status
  case .success(let bytes): text = bytes
  }
  let name = unsafe CInterface.name(name)
  do throws(RuleListError) {
    let (file, found) = try ContentRuleList.compile(text)
    let compiled = try ContentRuleList(identifier: name, compiledFile: file)
    unsafe list.pointee = SharedList(compiled).handle
    if unsafe report != nil {
      unsafe give(bytes: CheckReport.of(found, found.diagnostics, named: name), to: report)
    }
    return .ok
  } catch {
    // The whole check, so that the report also says what compiling does not look for.
    if unsafe report != nil { unsafe give(bytes: CheckReport.of(text, named: name), to: report) }
    return .refused
  }
}

/// Opens a compiled list from a copy of its bytes.
@c @implementation
public func tickbird_list_open(
  _ compiled: UnsafeRawPointer?,
  _ size: Int,
  _ list: UnsafeMutablePointer<OpaquePointer?>?,
  _ message: UnsafeMutablePointer<tickbird_text>?
) -> tickbird_status {
  unsafe clear(message)
  guard let list = unsafe list else { return .badArgument }
  unsafe list.pointee = nil
  switch unsafe copied(compiled, size) {
  case .failure(let fault): return fault.status
  case .success(let file):
    do throws(RuleListError) {
      let opened = try ContentRuleList(identifier: "", compiledFile: file)
      unsafe list.pointee = SharedList(opened).handle
      return .ok
    } catch {
      unsafe give(error.message, to: message)
      return .damaged
    }
  }
}

// Embedded Swift, and so WebAssembly, has no files.
#if !hasFeature(Embedded)
/// Opens a compiled list by mapping its file.
@c @implementation
public func tickbird_list_map(
  _ path: UnsafePointer<CChar>?,
  _ list: UnsafeMutablePointer<OpaquePointer?>?,
  _ message: UnsafeMutablePointer<tickbird_text>?
) -> tickbird_status {
  unsafe clear(message)
  guard let path = unsafe path, let list = unsafe list else { return .badArgument }
  unsafe list.pointee = nil
  do {
    let name = unsafe String(cString: path)
    let mapped = try CompiledRuleList(mapping: name)
    unsafe list.pointee = SharedList(ContentRuleList(identifier: name, compiled: mapped)).handle
    return .ok
  } catch let error as ByteCodeError {
    unsafe give(RuleListError.damaged(error).message, to: message)
    return .damaged
  } catch let error as FileError {
    unsafe give(error.message, to: message)
    return .unreadable
  } catch {
    return .unreadable
  }
}
#endif

/// Shows the bytes of a compiled list.
@c @implementation
public func tickbird_list_compiled(
  _ list: OpaquePointer?,
  _ compiled: UnsafeMutablePointer<UnsafeRawPointer?>?,
  _ size: UnsafeMutablePointer<Int>?
) -> tickbird_status {
  guard let list = unsafe list, let compiled = unsafe compiled, let size = unsafe size else {
    return .badArgument
  }
  let bytes = unsafe SharedList.of(list).list.compiled.fileBytes
  unsafe compiled.pointee = bytes.baseAddress
  unsafe size.pointee = bytes.count
  return .ok
}

/// Copies the text that a list was compiled from.
@c @implementation
public func tickbird_list_source(
  _ list: OpaquePointer?,
  _ json: UnsafeMutablePointer<tickbird_text>?
) -> tickbird_status {
  unsafe clear(json)
  guard let list = unsafe list, unsafe json != nil else { return .badArgument }
  let compiled = unsafe SharedList.of(list).list
  guard compiled.isSourceIntact else { return .damaged }
  unsafe give(bytes: compiled.source, to: json)
  return .ok
}

/// Counts the rules of a list.
@c @implementation
public func tickbird_list_rule_count(_ list: OpaquePointer?) -> Int {
  guard let list = unsafe list else { return 0 }
  return unsafe Int(SharedList.of(list).list.compiled.info.ruleCount)
}

/// Frees a list.
@c @implementation
public func tickbird_list_free(_ list: OpaquePointer?) {
  guard let list = unsafe list else { return }
  unsafe Unmanaged<SharedList>.fromOpaque(UnsafeRawPointer(list)).release()
}
