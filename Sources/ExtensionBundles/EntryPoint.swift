/// The generated file that makes an executable of an extension's classes.
public enum EntryPoint {
  /// The file's name in the target's folder.
  public static let fileName = "ExtensionEntryPoint.swift"

  /// The file's text.
  ///
  /// It refers to the class in code, so that the compiler checks it: on Linux, a class looked up by
  /// name at run time cannot be instantiated. It re-exports the extension types, so that files that
  /// import only Foundation see them.
  public static func source(principalClass: String) -> String {
    TemplateSources.entryPoint(principalClass: principalClass)
  }
}
