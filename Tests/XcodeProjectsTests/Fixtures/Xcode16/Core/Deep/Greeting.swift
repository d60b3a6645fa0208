// swift-format-ignore-file
#if GREETS
enum Greeting {
    static let text = "Good day"
}
#endif
