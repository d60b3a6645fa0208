/// The limits of a package.
///
/// A static executable with Swift's libraries has about 60 MB, a large rule list about 20 MB.
public struct PackageLimits: Equatable, Sendable {
  /// Bytes of the manifest and its signature.
  public var manifestSize = 8 << 20
  /// Files.
  public var files = 20_000
  /// Bytes of all files together.
  public var contentsSize: UInt64 = 512 << 20

  /// Creates the default limits.
  public init() {}

  /// Bytes of the whole package.
  public var packageSize: UInt64 {
    let images =
      PresentationLimits.iconSize
      + PresentationLimits.pictures * PresentationLimits.pictureSize
    return contentsSize + UInt64(manifestSize + images + 12)
  }
}
