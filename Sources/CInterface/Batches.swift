public import CTickbird
internal import ContentBlocking

// Hot: allocates nothing, as deciding one load.

/// Decides the rows of a batch, from `done` on.
@c @implementation
public func tickbird_decide_batch(
  _ decider: OpaquePointer?,
  _ batch: UnsafeMutablePointer<tickbird_batch>?
) -> tickbird_status {
  guard let decider = unsafe decider, let batch = unsafe batch,
    unsafe batch.pointee.struct_size >= MemoryLayout<tickbird_batch>.size,
    let rows = unsafe BatchRows(batch.pointee)
  else { return .badArgument }
  let working = unsafe Decider.of(decider)
  return unsafe rows.decide(&batch.pointee, working)
}

/// The rows of a batch, and what is wanted of it.
@safe
private struct BatchRows {
  private let columns: BatchColumns

  /// Reads the caller's columns and places; `nil` if one of them is none.
  init?(_ batch: tickbird_batch) {
    guard let columns = unsafe BatchColumns(batch), unsafe batch.done >= 0,
      unsafe batch.done <= columns.rows
    else { return nil }
    self.columns = columns
    if unsafe batch.rule_offsets != nil {
      guard unsafe batch.rule_capacity >= 0 else { return nil }
      // A call that goes on begins where the last one has ended.
      if unsafe batch.done > 0 {
        let used = unsafe batch.rule_offsets[batch.done]
        guard used >= 0, unsafe used <= batch.rule_capacity else { return nil }
      }
    }
  }

  func decide(_ batch: inout tickbird_batch, _ working: Decider) -> tickbird_status {
    if unsafe batch.rule_offsets != nil, unsafe batch.done == 0 { unsafe batch.rule_offsets[0] = 0 }
    while unsafe batch.done < columns.rows {
      let row = unsafe batch.done
      guard let load = columns.load(row) else { return .badArgument }
      let status = working.decide(load)
      if status != .ok { working.fate = LoadFate() }
      guard unsafe addRules(working.fate, row, batch) else { return .full }
      if unsafe batch.blocked != nil { unsafe batch.blocked[row] = working.fate.isBlocked ? 1 : 0 }
      if unsafe batch.flags != nil { unsafe batch.flags[row] = working.fate.flags }
      if unsafe batch.faults != nil { unsafe batch.faults[row] = UInt8(clamping: status) }
      if working.fate.isBlocked { unsafe batch.blocked_rows &+= 1 }
      switch status {
      case .ok: break
      case .missing: unsafe batch.missing_rows &+= 1
      default: unsafe batch.bad_rows &+= 1
      }
      unsafe batch.done = row &+ 1
    }
    return .ok
  }

  /// Adds a row's rules, if they are wanted; returns false, and adds none, if there is no room.
  private func addRules(_ fate: LoadFate, _ row: Int, _ batch: tickbird_batch) -> Bool {
    guard let offsets = unsafe batch.rule_offsets else { return true }
    var place = unsafe Int(offsets[row])
    fate.forEachRule { rule in
      if unsafe place < batch.rule_capacity {
        if let lists = unsafe batch.rule_lists { unsafe lists[place] = rule.list }
        if let numbers = unsafe batch.rule_numbers { unsafe numbers[place] = rule.rule }
        if let actions = unsafe batch.rule_actions { unsafe actions[place] = rule.action }
      }
      place += 1
    }
    guard unsafe place <= batch.rule_capacity else { return false }
    unsafe offsets[row + 1] = Int64(place)
    return true
  }
}
