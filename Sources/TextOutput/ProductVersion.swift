/// The version of Tickbird.
///
/// The one place that says it: both programs and SARIF logs take it from here, and
/// `Scripts/build-web-extension` writes it into the manifests of the web extension.
public enum ProductVersion {
  /// The version as text.
  public static let text = "0.1.0"
}
