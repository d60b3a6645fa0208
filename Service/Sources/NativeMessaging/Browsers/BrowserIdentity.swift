/// The identity of Tickbird's extension and its host in browsers.
///
/// Chromium derives an extension's id from the public key in its manifest: the first 32 hexadecimal
/// digits of the SHA-256 of the key's DER bytes, with the letters a to p for the digits 0 to f. The
/// private half of that key was discarded, since an unpacked extension does not need it. A package
/// that a user makes is signed with the user's own key, and has the id derived from that (`tickbird
/// browser package`).
public enum BrowserIdentity {
  /// The host's name in `connectNative` and `sendNativeMessage`.
  public static let hostName = "tickbird.host"
  /// The host's name in Apple's samples; see `browser install --application-id`.
  public static let sampleHostName = "application.id"
  /// The description in the host's manifests.
  public static let hostDescription = "Tickbird: content blockers, notes and links"
  /// The value of `key` in the extension's manifest: base64 of an RSA key's DER bytes.
  public static let chromiumKey = """
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAsl6qZX6VViPbxaAvVOE0xaPsiTrB7DUjv4clFP9VhNga\
    pwZzH3x7RNBeqE87Q0hJ/i2XbrJ3fq+tzm+J2XtBe68TomDP/dNOwqXOa0XsNBQEoRLjW/0c0P0fcjnQE4MKvJBX\
    hfdlf7NCAUjFYepU6wBe/K7yEypOCdBjjusG8oqCMu0hj00df8++xKojq9NRdKDQqCMCJ7+k68HE4d6U4tWIv+Gz\
    GXTnwhvBEBMswjK+hBFcbFpgmigQqc5A5fCOPYiUwxVYbWbHPdHn9hWmSE1gNa8CyckZAtTmPUMM22aABvwjpdAU\
    1RlFuW39Imaou9UZ9bDYtcnnfMKd1hFVTQIDAQAB
    """
  /// The extension's id in Chromium and browsers based on it.
  public static let chromiumID = "ikbgldcboihikpajmomppahfieejmdcj"
  /// The value of `browser_specific_settings.gecko.id` in the extension's manifest.
  public static let geckoID = "tickbird@tickbird.example"
}
