/// The file that makes an executable of an extension's classes.
public enum EntryPoint {
  /// The file's name in the target's folder.
  public static let fileName = "ExtensionEntryPoint.swift"

  /// The file's text.
  ///
  /// It calls the class by name, so that the compiler checks it: on Linux a class that was found by
  /// its name at run time cannot be instantiated. Its re-export lets files see extension types that
  /// import Foundation alone.
  public static func source(principalClass: String) -> String {
    TemplateSources.entryPoint(principalClass: principalClass)
  }
}
