// `best` is read for each scratch and each URL. What scans a text matches by `if case`, which needs no call
// of the derived `==` of another module.

internal import CGramScan

/// The code that scans the bytes of a URL; all of it gives the same results.
package enum ScanCode: CaseIterable, Sendable {
  /// Swift alone.
  case plain
  /// 32 bytes, or eight grams, at once by AVX2.
  case vectors

  /// Whether this processor can run it.
  package var isAvailable: Bool {
    switch self {
    case .plain: return true
    case .vectors: return Self.hasVectors
    }
  }

  /// Asked once: in a virtual machine, asking the processor takes some 20 microseconds.
  private static let hasVectors: Bool = {
    #if arch(x86_64)
    return tickbird_has_avx2() != 0
    #else
    return false
    #endif
  }()

  /// The faster one for this processor, unless `TICKBIRD_GRAM_SCAN` is `plain` in the environment.
  package static let best: ScanCode =
    vectors.isAvailable && tickbird_wants_plain_scan() == 0 ? .vectors : .plain
}
