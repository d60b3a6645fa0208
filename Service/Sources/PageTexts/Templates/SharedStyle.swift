/// How all pages look, of the local app and of galleries: `Resources/colours.css` and `shared.css`.
public enum SharedStyle {
  /// Returns a whole style sheet.
  ///
  /// - Parameter own: What differs on the pages that it is for.
  /// - Returns: The shared sheets and then the own one, so that the own one decides.
  public static func sheet(with own: [UInt8]) -> [UInt8] {
    let sheets = [PackageResources.colours_css, PackageResources.shared_css, own]
    return Array(sheets.joined(separator: "\n".utf8))
  }
}
