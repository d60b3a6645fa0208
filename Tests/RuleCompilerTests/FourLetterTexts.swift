/// Texts of four letters, all different, that few URLs have.
///
/// More than 13,000 of them make the scanner look at each place of a URL, somewhat fewer at every second one.
///
/// - Parameter count: How many, up to 65,536.
/// - Returns: The texts.
func fourLetterTexts(_ count: Int) -> [String] {
  let letters = "bcdfghjkmpqvwxyz".map(String.init)
  return (0..<count).map { number in
    (0..<4).map { letters[number >> (4 * $0) & 15] }.joined()
  }
}
