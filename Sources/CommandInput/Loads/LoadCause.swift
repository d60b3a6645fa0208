/// An earlier load without which a load would not have happened.
package struct LoadCause: Hashable, Sendable {
  /// What the earlier load did.
  package enum Kind: String, Sendable {
    /// It was answered with the load's URL.
    case redirect
    /// It asked for the load: a script, a style sheet, the document whose text names the URL.
    case initiator
    /// It is the document that the load belongs to.
    case document
  }

  /// What the earlier load did.
  package var kind: Kind
  /// The place of the earlier load in ``HARFile/entries``, less than that of the load itself.
  package var entry: Int

  package init(_ kind: Kind, _ entry: Int) {
    self.kind = kind
    self.entry = entry
  }
}

/// Why a load would not have happened.
package struct LoadPrevention: Hashable, Sendable {
  /// The cause that failed: a load that is blocked, or one that would not have happened itself.
  package var cause: LoadCause
  /// The blocked load at the beginning, as a place in ``HARFile/entries``.
  package var blockedEntry: Int

  package init(cause: LoadCause, blockedEntry: Int) {
    self.cause = cause
    self.blockedEntry = blockedEntry
  }
}

/// Tells which loads would not have happened because a load before them is blocked.
///
///     var prevented = PreventedLoads()
///     for entry in file.entries {
///       let decision = blocker.decision(for: entry.load)
///       if let prevention = prevented.add(entry.causes, isBlocked: decision.isBlocked) { … }
///     }
///
/// A load in a log did happen; with the lists that are asked about, it might not have.
package struct PreventedLoads {
  /// For each load so far the blocked load at the beginning, if it does not happen; its own place if
  /// it is the blocked one.
  private var origins: [Int?] = []

  /// Creates an empty record.
  package init() {}

  /// Adds the next load, in the order of ``HARFile/entries``.
  ///
  /// - Parameters:
  ///   - causes: The load's causes.
  ///   - isBlocked: Whether the lists block the load.
  /// - Returns: Why the load would not even have been asked for; `nil` if it would.
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
