internal import ExtensionBundles

extension BundleVersion {
  private static let mostBytes = 64
  private static let mostNumbers = 16

  /// Reads a version that may be published: 1 to 16 whole numbers with dots between them, in at most
  /// 64 bytes; nil for every other text.
  ///
  /// `CFBundleVersion` is documented as digits and dots alone, and the limits keep a signed line short.
  /// What is installed otherwise may carry any text; the order is the same for both.
  init?(published text: String) {
    guard text.utf8.count <= Self.mostBytes else { return nil }
    let numbers = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard numbers.count <= Self.mostNumbers,
      numbers.allSatisfy({ number in
        !number.isEmpty
          && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      })
    else { return nil }
    self.init(text)
  }
}
