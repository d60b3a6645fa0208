internal import CLibrary

/// The names that a program is given: its arguments, and that of its working folder.
///
/// Swift's texts are UTF-8. Bytes that are none arrive as other letters, and would name another file, which is then
/// written or missed in place of the one that is meant.
public enum GivenNames {
  /// Returns which of the program's arguments cannot be used, and the way out; `nil` if all can.
  ///
  /// Every program asks this before it looks at its arguments.
  public static func faultOfArguments() -> String? {
    let words = unsafe CommandLine.unsafeArgv
    for place in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = unsafe words[place], unsafe String(validatingCString: word) == nil else {
        continue
      }
      return """
        “\(unsafe String(cString: word))”, argument \(place), is not in UTF-8, so another file would be used than \
        the one that is meant; nothing was done. Give the file another name, or make a symbolic link to it with one \
        and name the link.
        """
    }
    return nil
  }

  /// Returns why a path cannot be used from the working folder, and the way out; `nil` if it can.
  public static func fault(ofPath path: String) -> String? {
    guard !path.hasPrefix("/"), path != "-", let folder = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(folder) }
    guard unsafe String(validatingCString: folder) == nil else { return nil }
    return """
      \(path) is in the current folder, \(unsafe String(cString: folder)), whose name is not in UTF-8, so another \
      file would be used than the one that is meant; nothing was done. Make a symbolic link to the folder with \
      another name, and name the file through the link, from the root: /path/of/the/link/\(path)
      """
  }
}
