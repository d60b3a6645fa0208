/// The members of a target.
struct Membership: Sendable {
  /// A Swift source.
  struct Source: Equatable, Sendable {
    let path: String
  }

  /// A file, or a folder with its contents, that is copied into the bundle.
  struct Resource: Hashable, Sendable {
    let path: String
    /// The path in the bundle.
    let destination: String
  }

  /// A framework or library that is linked.
  struct Library: Equatable, Sendable {
    enum Origin: Equatable, Sendable {
      /// Part of Apple's systems.
      case system
      /// From the project, another project or a file.
      case other(String)
    }

    let name: String
    let origin: Origin
  }

  var sources: [Source] = []
  var resources: [Resource] = []
  var libraries: [Library] = []
  var findings: [Finding] = []

  /// Adds a file by its kind, or reports why it cannot be imported; `destination` is a resource's
  /// path in the bundle.
  mutating func add(
    _ path: String,
    destination: String,
    shown: String,
    compiles: Bool
  ) {
    let kind = FileKind(path)
    switch kind {
    case .swift where compiles: sources.append(Source(path: path))
    case .header: break
    case .untaken(let code, let reason, let advice):
      findings.append(.notTaken(code, shown, reason, advice))
    case .resource where compiles:
      findings.append(
        .notTaken("source-kind", shown, "nothing here compiles this kind of source")
      )
    case .swift, .resource: resources.append(Resource(path: path, destination: destination))
    }
  }

  /// Returns the path in a bundle of a file that Xcode copies: its name, in its `.lproj` if it is
  /// in one.
  static func destination(_ path: String) -> String {
    let parts = path.split(separator: "/")
    guard let name = parts.last else { return "" }
    if let folder = parts.dropLast().last, folder.hasSuffix(".lproj") {
      return "\(folder)/\(name)"
    }
    return String(name)
  }
}

/// What an import does with a file, by its extension.
enum FileKind: Equatable, Sendable {
  case swift
  /// Belongs to no bundle.
  case header
  case resource
  case untaken(code: String, reason: String, advice: String?)

  /// Extensions of folders that count as one item.
  static let packages: Set<String> = [
    "xcassets", "xcdatamodeld", "xcdatamodel", "mlpackage", "bundle", "framework", "xcframework",
    "scnassets", "icon", "docc", "playground", "xcodeproj", "appex", "app", "rcproject",
  ]

  init(_ path: String) {
    switch ReferencePaths.fileExtension(path) {
    case "swift": self = .swift
    case "h", "hh", "hpp", "pch", "modulemap": self = .header
    case "m", "mm":
      self = .untaken(
        code: "objective-c",
        reason: "Objective-C does not exist here",
        advice: "write it again in Swift"
      )
    case "c", "cc", "cpp", "cxx", "s", "asm", "metal", "y", "l":
      self = .untaken(
        code: "c",
        reason: "only Swift is taken into the extension's module",
        advice: "make it a C target of Package.swift by hand, or write it again in Swift"
      )
    case "storyboard", "xib", "nib":
      self = .untaken(
        code: "interface",
        reason: "there are no views here",
        advice: nil
      )
    case "xcassets":
      self = .untaken(
        code: "asset-catalog",
        reason: "asset catalogs are compiled by Xcode alone",
        advice: "put the images that the handler opens into Resources as files"
      )
    case "xcdatamodeld", "xcdatamodel", "xcmappingmodel":
      self = .untaken(
        code: "core-data",
        reason: "Core Data does not exist here",
        advice: "keep the data in a file of the application group"
      )
    case "xcstrings":
      self = .untaken(
        code: "string-catalog",
        reason: "string catalogs are compiled by Xcode alone",
        advice: "export it, and put Localizable.strings into Resources/en.lproj"
      )
    case "mlmodel", "mlpackage", "intentdefinition", "rcproject", "scnassets", "icon":
      self = .untaken(
        code: "compiled-resource",
        reason: "this kind of resource is compiled by Xcode alone",
        advice: nil
      )
    case "framework", "xcframework", "a", "dylib", "tbd", "appex", "app":
      self = .untaken(
        code: "binary",
        reason: "it is a binary for Apple's systems",
        advice: nil
      )
    default: self = .resource
    }
  }
}
