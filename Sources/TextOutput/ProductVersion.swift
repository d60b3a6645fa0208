/// The version of Tickbird.
///
/// The only definition, which both programs and SARIF logs use, and
/// `Scripts/build-web-extension` writes into the manifests of the web extension.
public enum ProductVersion {
  /// The version as text.
  public static let text = "0.1.0"
}
