#if !hasFeature(Embedded)
internal import CLibrary
#endif
internal import RuleMatching

extension CompiledRuleList {
  /// The least bytes of a file that are worth a thread: some tenths of a millisecond of work.
  private static var bytesWorthThread: Int { 1 << 20 }

  /// Returns what calls the two halves of opening a file of so many bytes: on two threads, if it is worth that
  /// and a processor is free.
  static func callBoth(forBytes count: Int) -> CallBoth {
    #if !hasFeature(Embedded)
    if count >= bytesWorthThread {
      return { first, second in
        withFreeProcessors(atMost: 2) { processors in
          if processors > 1 { return callInParallel(first, second) }
          first()
          second()
        }
      }
    }
    #endif
    return { first, second in
      first()
      second()
    }
  }
}
