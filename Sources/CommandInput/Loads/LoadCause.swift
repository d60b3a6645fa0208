/// An earlier load without which a load would not have happened.
package struct LoadCause: Hashable, Sendable {
  /// What the earlier load did.
  package enum Kind: String, Sendable {
    /// It redirected to the load's URL.
    case redirect
    /// It initiated the load: a script, a style sheet, or the document whose text contains the URL.
    case initiator
    /// It is the document that the load belongs to.
    case document
  }

  /// What the earlier load did.
  package var kind: Kind
  /// The index of the earlier load in ``HARFile/entries``, less than that of the load itself.
  package var entry: Int

  package init(_ kind: Kind, _ entry: Int) {
    self.kind = kind
    self.entry = entry
  }
}

/// The reason why a load would not have happened.
package struct LoadPrevention: Hashable, Sendable {
  /// The cause that failed: a load that is blocked, or one that would not have happened itself.
  package var cause: LoadCause
  /// The blocked load at the root, as an index into ``HARFile/entries``.
  package var blockedEntry: Int

  package init(cause: LoadCause, blockedEntry: Int) {
    self.cause = cause
    self.blockedEntry = blockedEntry
  }
}

/// Determines which loads would not have happened because an earlier one is blocked.
///
///     var prevented = PreventedLoads()
///     for entry in file.entries {
///       let decision = blocker.decision(for: entry.load)
///       if let prevention = prevented.add(entry.causes, isBlocked: decision.isBlocked) { … }
///     }
///
/// The loads of a log did happen, but with the lists in question they might not have.
package struct PreventedLoads {
  /// For each load so far, the blocked load at the root if it would not happen; its own index if it
  /// is blocked itself.
  private var origins: [Int?] = []

  /// Creates an empty record.
  package init() {}

  /// Adds the next load, in the order of ``HARFile/entries``.
  ///
  /// - Parameters:
  ///   - causes: The load's causes.
  ///   - isBlocked: Whether the lists block the load.
  /// - Returns: Why the load would not have been requested; `nil` if it would.
  package mutating func add(_ causes: [LoadCause], isBlocked: Bool) -> LoadPrevention? {
    for cause in causes where origins.indices.contains(cause.entry) {
      if let origin = origins[cause.entry] {
        origins.append(origin)
        return LoadPrevention(cause: cause, blockedEntry: origin)
      }
    }
    origins.append(isBlocked ? origins.count : nil)
    return nil
  }
}
