import Foundation

/// What a compiler's errors mean for somebody who builds a handler that was written for Apple's systems.
public struct BuildExplanation: Equatable, Sendable {
  /// A source that an import left out, or that is compiled here in part.
  public struct LeftOut: Codable, Equatable, Sendable {
    /// The source in the project.
    public var file: String
    /// Why it was left out.
    public var reason: String
    /// The names that are missing because of that.
    public var names: [String]
    /// Whether the rest of the source is there; absent means false.
    public var isPart: Bool?

    /// Creates a record.
    public init(file: String, reason: String, names: [String], isPart: Bool? = nil) {
      self.file = file
      self.reason = reason
      self.names = names
      self.isPart = isPart
    }

    fileprivate func sentence(about name: String) -> String {
      guard isPart == true else {
        return "\(name) is declared in \(file), which the import left out: \(reason)"
      }
      return
        "\(name) is declared in \(file) for Apple's systems alone, \(reason); let it be declared "
        + "here as well, as by #if os(macOS) || os(Linux)"
    }
  }

  /// The name of the file in an extension's folder that has what an import left out.
  public static let recordName = ".left-out.json"

  /// What the errors mean, a sentence each, without repetitions.
  public private(set) var sentences: [String] = []

  private static let mostSentences = 8

  /// Apple's frameworks by the beginnings of their types' names, the longer ones first.
  private static let frameworks: [(prefix: String, name: String)] = [
    ("ASWebAuthentication", "AuthenticationServices"), ("NSManaged", "Core Data"),
    ("NSFetch", "Core Data"), ("NSPersistent", "Core Data"), ("JSC", "JavaScriptCore"),
    ("JSV", "JavaScriptCore"), ("Sec", "Security"), ("kSec", "Security"), ("errSec", "Security"),
    ("LAContext", "LocalAuthentication"), ("UN", "UserNotifications"), ("WK", "WebKit"),
    ("CK", "CloudKit"), ("SK", "StoreKit"), ("AV", "AVFoundation"), ("CA", "QuartzCore"),
    ("CG", "Core Graphics"), ("CF", "Core Foundation"), ("CI", "Core Image"),
    ("CL", "Core Location"), ("MK", "MapKit"), ("UI", "UIKit"), ("NS", "AppKit or Foundation"),
    ("SF", "SafariServices"),
  ]

  /// Explains a compiler's output.
  ///
  /// - Parameters:
  ///   - output: The lines of the output.
  ///   - leftOut: What the import of the extension left out.
  public init(_ output: [String], leftOut: [LeftOut] = []) {
    var seen: Set<String> = []
    for line in output {
      guard let start = line.firstRange(of: ": error: "),
        let sentence = Self.sentence(line[start.upperBound...], leftOut),
        seen.insert(sentence).inserted
      else { continue }
      guard sentences.count < Self.mostSentences else { break }
      sentences.append(sentence)
    }
  }

  private static func sentence(_ error: Substring, _ leftOut: [LeftOut]) -> String? {
    if let module = quoted(error, after: "no such module ") {
      return "\(module) does not exist here; remove what needs it, or put it between "
        + "#if canImport(\(module)) and #endif"
    }
    let name =
      quoted(error, after: "cannot find type ") ?? quoted(error, after: "cannot find ")
      ?? quoted(error, after: "unknown attribute ")
    if let name {
      if let record = leftOut.first(where: { $0.names.contains(name) }) {
        return record.sentence(about: name)
      }
      return framework(of: name).map { "\(name) is of Apple's \($0), and does not exist here" }
    }
    guard let type = quoted(error, after: "type "),
      let member = quoted(error, after: "has no member ")
    else { return nil }
    if let record = leftOut.first(where: { $0.names.contains(member) }) {
      return record.sentence(about: member)
    }
    return framework(of: type).map {
      "\(type) is of Apple's \($0); it does not have \(member) here"
    }
  }

  private static func framework(of name: String) -> String? {
    frameworks.first { entry in
      guard name.hasPrefix(entry.prefix) else { return false }
      let next = name.dropFirst(entry.prefix.count).first
      return next == nil || next?.isUppercase == true || entry.prefix.count > 3
    }?.name
  }

  /// Returns the text between the quotation marks behind some words.
  private static func quoted(_ text: Substring, after words: String) -> String? {
    guard let range = text.firstRange(of: words) else { return nil }
    let rest = text[range.upperBound...]
    guard rest.first == "'", let end = rest.dropFirst().firstIndex(of: "'") else { return nil }
    return String(rest[rest.index(after: rest.startIndex)..<end])
  }
}
