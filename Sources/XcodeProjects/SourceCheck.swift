/// Checks Swift sources for what cannot be compiled here.
struct SourceCheck {
  /// The origin of the project's own modules.
  let projectModules: [String: String]
  let ownModule: String
  /// The project's modules that are built along.
  var builtModules: Set<String> = []
  let defines: Set<String>

  /// Modules of Swift's toolchain for Linux.
  private static let toolchain: Set<String> = [
    "Cxx", "Dispatch", "Distributed", "Foundation", "FoundationEssentials",
    "FoundationInternationalization", "FoundationNetworking", "FoundationXML", "Glibc",
    "Observation",
    "RegexBuilder", "Swift", "Synchronization", "_Concurrency", "_RegexParser", "_StringProcessing",
    "_Volatile",
  ]

  /// Modules of the package `AppleModules`, with the submodules that can be imported.
  static let appleModules: [String: Set<String>] = [
    "Combine": [],
    "CoreServices": ["UTCoreTypes", "UTType"],
    "ExtensionMessages": [], "ExtensionRuntime": [],
    "MobileCoreServices": ["UTCoreTypes", "UTType"],
    "OSLog": ["OSLog"],
    "SafariServices": [
      "SFContentBlockerManager", "SFContentBlockerState", "SFError", "SFSafariApplication",
      "SFSafariExtension", "SFSafariExtensionHandler", "SFSafariExtensionHandling",
      "SFSafariExtensionManager", "SFSafariExtensionState", "SFSafariExtensionViewController",
      "SFSafariPage", "SFSafariPageProperties", "SFSafariTab", "SFSafariToolbarItem",
      "SFSafariWindow", "SafariServices",
    ],
    "UIKit": [],
    "UniformTypeIdentifiers": ["UTCoreTypes", "UTType"],
    "os": ["lock", "log", "signpost"],
  ]

  /// Modules that are products of their own of that package, with words for what they lack.
  ///
  /// They are for files that import them needlessly, or for what is no view. A file that has one of
  /// the words cannot be compiled. On macOS, SafariServices brings AppKit along.
  static let optionalModules: [String: Set<String>] = [
    "AppKit": views.union(["NSViewController"]), "Cocoa": views.union(["NSViewController"]),
    "SwiftUI": [
      "App", "AppStorage", "Binding", "Button", "Color", "Environment", "EnvironmentObject", "Font",
      "HStack", "Image", "NavigationLink", "NavigationStack", "NavigationView", "ObservedObject",
      "Scene", "ScenePhase", "State", "StateObject", "Text", "VStack", "View", "ViewBuilder",
      "ViewModifier", "WindowGroup", "ZStack", "withAnimation",
    ],
  ]

  private static let views: Set<String> = [
    "NSAlert", "NSApp", "NSAppearance", "NSApplication", "NSApplicationDelegate", "NSBezierPath",
    "NSButton", "NSColor", "NSControl", "NSCursor", "NSEvent", "NSFont", "NSGraphicsContext",
    "NSHostingController", "NSHostingView", "NSImageView", "NSLayoutConstraint", "NSMenu",
    "NSMenuItem", "NSOpenPanel", "NSPanel", "NSPopUpButton", "NSPopover", "NSSavePanel", "NSScreen",
    "NSScrollView", "NSSegmentedControl", "NSSlider", "NSStackView", "NSStatusBar", "NSStatusItem",
    "NSStoryboard", "NSSwitch", "NSTableView", "NSTextField", "NSTextView", "NSView", "NSWindow",
    "NSWindowController",
  ]

  /// The modules with what a file that imports them cannot have.
  private static let missingWords = optionalModules.merging(["SafariServices": views]) { $1 }

  private static let kinds: Set<String> = [
    "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
  ]

  /// Words that cause compiler errors here, with advice.
  private static let words: [(word: String, code: String, reason: String, advice: String?)] = [
    (
      "@objc", "objective-c-runtime", "there is no Objective-C runtime here", "remove the attribute"
    ),
    (
      "@objcMembers", "objective-c-runtime", "there is no Objective-C runtime here",
      "remove the attribute"
    ),
    ("#selector", "objective-c-runtime", "selectors do not exist here", "use a closure"),
    (
      "#keyPath", "objective-c-runtime", "string key paths do not exist here", "use \\Type.property"
    ),
    ("@NSManaged", "core-data", "Core Data does not exist here", nil),
    ("@IBOutlet", "interface", "there are no views here", nil),
    ("@IBAction", "interface", "there are no views here", nil),
    ("#colorLiteral", "literal", "color literals exist in Xcode alone", nil),
    (
      "#fileLiteral", "literal", "file literals exist in Xcode alone",
      "use Bundle.main.url(forResource:withExtension:)"
    ),
    (
      "@main", "entry-point", "the extension's entry point is ExtensionEntryPoint.swift",
      "remove the attribute"
    ),
    (
      "@NSApplicationMain", "entry-point",
      "the extension's entry point is ExtensionEntryPoint.swift", "remove the attribute"
    ),
    (
      "@UIApplicationMain", "entry-point",
      "the extension's entry point is ExtensionEntryPoint.swift", "remove the attribute"
    ),
    (
      "beginRequestWithExtensionContext", "swift-2", "this is Swift 2",
      "convert the sources with Xcode 8, and then with Xcode 10"
    ),
  ]

  private static let deepestNesting = 100

  /// Checks one source; `shown` is its name in findings.
  ///
  /// - Returns: Findings with `file:line`, the modules that the parts compiled here import, and the
  ///   names that only the other parts declare.
  func check(
    _ bytes: [UInt8],
    shown: String
  ) -> (findings: [Finding], modules: Set<String>, otherNames: [String]) {
    var findings: [Finding] = []
    var modules: Set<String> = []
    var names: Set<String> = []
    var otherNames: Set<String> = []
    let condition = CompilationCondition(defines: defines) { isThere($0) }
    // For each open `#if`, whether its current branch is compiled, and whether any has been.
    var open: [(isOn: Bool, wasOn: Bool)] = []
    // The places of imports of optional modules, and the words of the parts compiled here.
    var optional: [String: String] = [:]
    var uses: [Substring: String] = [:]
    for (index, line) in SwiftCode(bytes).lines.enumerated() {
      let text = line.drop { $0.isWhitespace }
      if text.hasPrefix("#") {
        let word = text.prefix { $0 == "#" || $0.isLetter }
        let rest = String(text.dropFirst(word.count))
        switch word {
        case "#if":
          guard open.count < Self.deepestNesting else { return (findings, modules, []) }
          let holds = condition.holds(rest)
          open.append((holds, holds))
          continue
        case "#elseif":
          guard let last = open.popLast() else { continue }
          let holds = !last.wasOn && condition.holds(rest)
          open.append((holds, last.wasOn || holds))
          continue
        case "#else":
          guard let last = open.popLast() else { continue }
          open.append((!last.wasOn, true))
          continue
        case "#endif":
          _ = open.popLast()
          continue
        default: break
        }
      }
      guard open.allSatisfy(\.isOn) else {
        otherNames.formUnion(Self.declarations(inLine: line))
        continue
      }
      names.formUnion(Self.declarations(inLine: line))
      let place = "\(shown):\(index + 1)"
      for statement in line.split(separator: ";") where statement.contains("import") {
        guard let path = Self.imported(statement), let module = path.first else { continue }
        modules.insert(module)
        if Self.missingWords[module] != nil, optional[module] == nil { optional[module] = place }
        if let finding = finding(forImport: path, place) { findings.append(finding) }
      }
      findings += Self.findings(inLine: line, place)
      for word in line.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
      where uses[word] == nil { uses[word] = place }
    }
    for (module, place) in optional.sorted(by: { $0.key < $1.key }) {
      let missing = Self.missingWords[module]?.filter { uses[$0[...]] != nil } ?? []
      guard let word = missing.min() else { continue }
      let isWithoutViews = Self.appleModules[module] != nil
      findings.append(
        .notTaken(
          "import",
          isWithoutViews ? uses[word[...]] ?? place : place,
          isWithoutViews
            ? "uses \(word), and there are no views here"
            : "imports \(module), which does not exist here, for \(word)",
          "remove what needs it, or put it between #if canImport("
            + (isWithoutViews ? "AppKit" : module) + ") and #endif"
        )
      )
    }
    return (findings, modules, otherNames.subtracting(names).sorted())
  }

  /// Whether a source declares a class.
  static func declares(_ name: String, in bytes: [UInt8]) -> Bool {
    SwiftCode(bytes).lines.contains { line in
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      return zip(words, words.dropFirst()).contains { $0 == "class" && $1 == name }
    }
  }

  /// Returns the classes of a source whose superclass is one of Apple's.
  static func subclasses(of superclass: String, in bytes: [UInt8]) -> [String] {
    SwiftCode(bytes).lines.compactMap { line in
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      guard let index = words.firstIndex(of: "class"), index + 2 < words.count,
        words[index + 2] == superclass
      else { return nil }
      return String(words[index + 1])
    }
  }

  /// Returns the names that a source declares, wherever in it.
  static func declarations(in bytes: [UInt8]) -> [String] {
    Set(SwiftCode(bytes).lines.flatMap(declarations(inLine:))).sorted()
  }

  private static let declaring: Set<Substring> = [
    "actor", "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
  ]

  private static func declarations(inLine line: String) -> [String] {
    let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return zip(words, words.dropFirst()).filter { declaring.contains($0.0) }.map { String($0.1) }
  }

  private static func findings(inLine line: String, _ place: String) -> [Finding] {
    guard line.contains(where: { $0 == "@" || $0 == "#" }) || line.contains("beginRequestWith")
    else {
      return []
    }
    return words.compactMap { entry in
      guard let range = line.firstRange(of: entry.word) else { return nil }
      if let next = line[range.upperBound...].first, next.isLetter || next.isNumber || next == "_" {
        return nil
      }
      return .notTaken(entry.code, place, "\(entry.word): \(entry.reason)", entry.advice)
    }
  }

  /// Returns the path of an import statement, such as `["os", "log"]`; for `import struct
  /// os.Logger` only the module.
  static func imported(_ statement: Substring) -> [String]? {
    var words = statement.split(whereSeparator: \.isWhitespace)[...]
    // Skips attributes and access levels.
    while let word = words.first, word != "import" {
      let isModifier = ["public", "package", "internal", "fileprivate", "private"].contains(word)
      guard isModifier || word.hasPrefix("@") else { return nil }
      words.removeFirst()
    }
    words = words.dropFirst()
    let isOfOne = words.count > 1 && words.first.map { kinds.contains(String($0)) } ?? false
    if isOfOne { words.removeFirst() }
    guard let path = words.first, words.count == 1 else { return nil }
    let parts = path.split(separator: ".").map { String($0.replacing("`", with: "")) }
    return isOfOne ? Array(parts.prefix(1)) : parts
  }

  private func isThere(_ module: String) -> Bool {
    Self.toolchain.contains(module) || Self.appleModules[module] != nil || module == ownModule
      || builtModules.contains(module)
  }

  private func finding(forImport path: [String], _ place: String) -> Finding? {
    guard let module = path.first, Self.optionalModules[module] == nil || path.count > 1 else {
      return nil
    }
    if isThere(module) {
      guard path.count > 1, Self.appleModules[module]?.contains(path[1]) != true else { return nil }
      return .notTaken(
        "import",
        place,
        "imports \(path.joined(separator: ".")), a submodule which does not exist here",
        "import \(module)"
      )
    }
    if let origin = projectModules[module] {
      return .notTaken(
        "import",
        place,
        "imports \(module), which is \(origin)",
        "add its sources to Sources, or make it a package that Package.swift depends on"
      )
    }
    return .notTaken(
      "import",
      place,
      "imports \(module), which does not exist here",
      "remove what needs it, or put it between #if canImport(\(module)) and #endif"
    )
  }
}
