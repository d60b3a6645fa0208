// swift-format-ignore-file
public enum BaseName {
    public static let standard = "standard"
}
