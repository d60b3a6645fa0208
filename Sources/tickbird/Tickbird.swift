@main
struct Tickbird {
  static func main() {}
}
