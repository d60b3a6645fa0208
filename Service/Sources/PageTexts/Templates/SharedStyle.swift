/// How all pages look, of the local app and of galleries: `Resources/shared.css`.
public enum SharedStyle {
  /// Returns a whole style sheet.
  ///
  /// - Parameter own: What differs on the pages that it is for.
  /// - Returns: The shared sheet and then the own one, so that the own one decides.
  public static func sheet(with own: [UInt8]) -> [UInt8] {
    PackageResources.shared_css + Array("\n".utf8) + own
  }
}
