/// The C library's words for an error number, beginning with a small letter.
///
/// What goes wrong with files has better ones, and a way out: `FileFailure`.
public func systemWords(for number: Int32) -> String {
  let text = unsafe String(cString: strerror(number))
  return text.prefix(1).lowercased() + text.dropFirst()
}
