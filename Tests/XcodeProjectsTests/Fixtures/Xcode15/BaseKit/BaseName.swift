public enum BaseName {
    public static let standard = "standard"
}
