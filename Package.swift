// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "tickbird",
  products: [
    .library(name: "ContentBlocking", targets: ["ContentBlocking"]),
    .executable(name: "tickbird", targets: ["tickbird"]),

    // For the packages of this repository alone: what is in them changes without notice.
    .library(name: "_CLibrary", targets: ["CLibrary"]),
    .library(name: "_CodedErrors", targets: ["CodedErrors"]),
    .library(name: "_CommandArguments", targets: ["CommandArguments"]),
    .library(name: "_DeclarativeModel", targets: ["DeclarativeModel"]),
    .library(name: "_DeclarativeRules", targets: ["DeclarativeRules"]),
    .library(name: "_DurableFiles", targets: ["DurableFiles"]),
    .library(
      name: "_EngineParts",
      targets: ["ContentRules", "ResourceLoads", "RuleCompiler", "RuleMatching", "WebURL"]
    ),
    .library(name: "_ExtensionBundles", targets: ["ExtensionBundles"]),
    .library(name: "_ExtensionMessages", targets: ["ExtensionMessages"]),
    .library(name: "_FuzzBodies", targets: ["FuzzBodies"]),
    .library(name: "_FuzzTargets", targets: ["FuzzTargets"]),
    .library(name: "_ListIngestion", targets: ["ListIngestion"]),
    .library(name: "_LoadAdvice", targets: ["LoadAdvice"]),
    .library(name: "_TestSupport", targets: ["TestSupport"]),
    .library(name: "_TextOutput", targets: ["TextOutput"]),
    .library(name: "_WebExtensions", targets: ["WebExtensions"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: [
    // The pipeline, in its one direction; see ARCHITECTURE.md. These targets use the standard
    // library only.
    .target(name: "ResourceLoads"),
    // The scan of a URL by vectors: headers alone.
    .systemLibrary(name: "CGramScan"),
    .target(name: "TextScanning", dependencies: ["CGramScan"]),
    .target(name: "WebURL", dependencies: ["CGramScan", "TextScanning"]),
    .target(name: "Automata"),
    .target(name: "ContentRules", dependencies: ["Automata", "ResourceLoads"]),
    .target(name: "RuleMatching", dependencies: ["CGramScan", "ResourceLoads", "TextScanning"]),
    .target(name: "ActionCoding", dependencies: ["ContentRules", "RuleMatching"]),
    .target(
      name: "RuleCompiler",
      dependencies: [
        "ActionCoding", "Automata", "ContentRules", "ResourceLoads", "RuleMatching",
      ]
    ),

    // What rules mean for each other: which URLs a pattern matches that another does not.
    .target(
      name: "RuleProofs",
      dependencies: ["Automata", "ContentRules", "ResourceLoads", "WebURL"]
    ),

    // What every load goes through: in the library, in the browser's matcher and in audits.
    .target(name: "LoadDeciding", dependencies: ["ResourceLoads", "RuleMatching", "WebURL"]),

    // What the browser extension's script calls, as WebAssembly (`Scripts/check-embedded`).
    .target(
      name: "BrowserMatcher",
      dependencies: ["LoadDeciding", "ResourceLoads", "RuleMatching", "WebURL"],
      path: "BrowserExtension/Matcher",
      exclude: ["Runtime.c", "try.mjs"]
    ),

    // Rule lists for browsers that take declarative rules alone.
    .target(name: "DeclarativeRules", dependencies: ["ContentRules", "ResourceLoads", "WebURL"]),

    // Declarative rules as rule lists.
    .target(name: "DeclarativeImport", dependencies: ["CommandInput", "ContentRules"]),

    // Filter lists of other blockers, and what becomes of them.
    .target(name: "FilterLists", dependencies: ["ContentRules"]),
    .target(
      name: "FilterConversion",
      dependencies: ["ContentRules", "FilterLists", "WebURL"]
    ),

    // What errors that have a code and a message share.
    .target(name: "CodedErrors"),

    // The platform's C library under one name.
    .target(name: "CLibrary"),

    // Files that are on the disk when a call returns; everything that is kept is written by it.
    .systemLibrary(name: "CExtendedAttributes"),
    .target(
      name: "DurableFiles",
      dependencies: [
        "CLibrary", .target(name: "CExtendedAttributes", condition: .when(platforms: [.linux])),
      ]
    ),

    // What is written for people, and every write that is checked.
    .target(name: "TextOutput", dependencies: ["CLibrary", "ContentRules", "DurableFiles"]),

    // What the command lines of both programs share.
    .target(
      name: "CommandArguments",
      dependencies: [
        "ContentRules", "TextOutput",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),

    // What a programmer imports, and the command.
    .target(
      name: "ContentBlocking",
      dependencies: [
        "ActionCoding", "Automata", "CLibrary", "CodedErrors", "ContentRules", "DurableFiles",
        "LoadDeciding", "ResourceLoads", "RuleCompiler", "RuleMatching", "WebURL",
      ]
    ),
    // What the rules of a list do to each other, and how two lists differ.
    .target(
      name: "ListAnalysis",
      dependencies: [
        "ContentBlocking", "ContentRules", "LoadDeciding", "ResourceLoads", "RuleCompiler",
        "RuleMatching", "RuleProofs", "WebURL",
      ]
    ),
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .yum(["zlib-devel"])]
    ),
    .target(
      name: "CommandInput",
      dependencies: [
        "CLibrary", "CZlib", "ContentBlocking", "ContentRules", "LoadDeciding", "ResourceLoads",
        "RuleMatching", "WebURL",
      ]
    ),
    .target(
      name: "CommandOutput",
      dependencies: [
        "CLibrary", "CZlib", "ContentBlocking", "ContentRules", "DurableFiles", "ResourceLoads",
        "RuleMatching", "TextOutput", "WebURL",
      ]
    ),
    .target(
      name: "RuleAudit",
      dependencies: [
        "CommandInput", "CommandOutput", "ContentBlocking", "ContentRules", "LoadDeciding",
        "ResourceLoads", "RuleMatching", "TextOutput", "WebURL",
      ]
    ),
    // Lists as servers have them: recognised, converted and compiled.
    .target(
      name: "ListIngestion",
      dependencies: [
        "CodedErrors", "CommandInput", "CommandOutput", "ContentBlocking", "ContentRules",
        "FilterConversion", "FilterLists", "RuleMatching",
      ]
    ),
    // Changes of lists, tried on all loads.
    .target(
      name: "LoadAdvice",
      dependencies: [
        "CommandInput", "CommandOutput", "ContentBlocking", "ContentRules", "ResourceLoads",
        "RuleMatching", "WebURL",
      ]
    ),
    // Lists in editors: the Language Server Protocol.
    .target(
      name: "LanguageServer",
      dependencies: [
        "Automata", "CLibrary", "CommandInput", "CommandOutput", "ContentBlocking",
        "ContentRules", "ResourceLoads", "TextOutput", "WebURL",
      ]
    ),
    // A browser without a window, by its DevTools protocol.
    .target(
      name: "BrowserPipe",
      dependencies: ["CLibrary", "CodedErrors", "CommandInput", "CommandOutput"]
    ),
    // A page with and without lists.
    .target(
      name: "PagePreview",
      dependencies: [
        "BrowserPipe", "CommandInput", "CommandOutput", "ContentBlocking", "ContentRules",
        "ResourceLoads", "WebURL",
      ]
    ),
    // Tests that people write for their lists.
    .target(
      name: "ListTesting",
      dependencies: [
        "CommandInput", "ContentBlocking", "ContentRules", "ResourceLoads", "RuleMatching",
        "WebURL",
      ]
    ),
    // The engine for programs in other languages (`Scripts/build-library`).
    .systemLibrary(name: "CTickbird"),
    .target(
      name: "CInterface",
      dependencies: [
        "CTickbird", "CommandInput", "CommandOutput", "ContentBlocking", "ContentRules",
        "LoadDeciding", "ResourceLoads", "RuleAudit", "RuleMatching", "TextOutput", "WebURL",
      ]
    ),
    .executableTarget(
      name: "tickbird",
      dependencies: [
        "BrowserPipe", "CLibrary", "CommandArguments", "CommandInput", "CommandOutput",
        "ContentBlocking", "ContentRules", "DeclarativeImport", "DeclarativeRules", "DurableFiles",
        "ExtensionBundles", "FilterConversion", "FilterLists", "LanguageServer", "ListAnalysis",
        "ListTesting",
        "LoadAdvice", "LoadDeciding", "PagePreview", "ResourceLoads", "RuleAudit", "RuleCompiler",
        "RuleMatching",
        "TextOutput", "WebExtensions", "WebURL", "XcodeProjects",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),

    // What the host of app extensions and their processes say to each other.
    .target(name: "ExtensionMessages", dependencies: ["CLibrary", "CodedErrors"]),
    // New extensions, and bundles made of them.
    .target(
      name: "ExtensionBundles",
      dependencies: ["CLibrary", "CodedErrors", "DurableFiles"],
      resources: [.embedInCode("Templates")]
    ),
    // The browser's half of Safari's web extensions, as Chromium and Firefox take it.
    .target(
      name: "WebExtensions",
      dependencies: ["CodedErrors", "ExtensionBundles"],
      resources: [.embedInCode("Resources")]
    ),
    // Extensions taken out of Xcode projects.
    .target(
      name: "XcodeProjects",
      dependencies: ["CodedErrors", "DurableFiles", "ExtensionBundles", "WebExtensions"]
    ),

    // Tests and what they share.
    .target(name: "TestSupport", path: "Tests/Support/TestSupport"),
    .target(name: "ReferenceMatcher", path: "Tests/Support/ReferenceMatcher"),
    .target(name: "FilterMatcher", path: "Tests/Support/FilterMatcher"),
    .testTarget(name: "FilterMatcherTests", dependencies: ["FilterMatcher", "WebURL"]),
    .testTarget(
      name: "FilterComparisonTests",
      dependencies: [
        "ContentBlocking", "FilterConversion", "FilterLists", "FilterMatcher", "ResourceLoads",
        "TestSupport", "WebURL",
      ]
    ),
    .target(
      name: "CaseGenerators",
      dependencies: ["ReferenceMatcher", "TestSupport"],
      path: "Tests/Support/CaseGenerators"
    ),
    .target(
      name: "EngineComparison",
      dependencies: [
        "Automata", "CaseGenerators", "ContentBlocking", "ContentRules", "ReferenceMatcher",
        "ResourceLoads", "RuleCompiler", "RuleMatching", "TestSupport", "WebURL",
      ],
      path: "Tests/Support/EngineComparison"
    ),
    .executableTarget(
      name: "compare-engines",
      dependencies: [
        "CaseGenerators", "ContentBlocking", "ContentRules", "EngineComparison", "ReferenceMatcher",
        "ResourceLoads", "TestSupport", "WebURL",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Tools/CompareEngines",
      exclude: ["README.md"]
    ),
    // What the compiler cannot tell of the sources of all packages.
    .testTarget(name: "SourceRulesTests"),
    .testTarget(
      name: "CaseGeneratorsTests",
      dependencies: ["CaseGenerators", "ReferenceMatcher", "TestSupport"]
    ),
    // What browsers make of declarative rules.
    .target(
      name: "DeclarativeModel",
      dependencies: ["ContentBlocking", "DeclarativeRules", "ResourceLoads", "WebURL"],
      path: "Tests/Support/DeclarativeModel"
    ),
    .testTarget(
      name: "DeclarativeRulesTests",
      dependencies: [
        "CaseGenerators", "ContentBlocking", "ContentRules", "DeclarativeModel",
        "DeclarativeRules", "EngineComparison", "ReferenceMatcher", "ResourceLoads", "TestSupport",
        "WebURL",
      ]
    ),
    .testTarget(
      name: "DeclarativeImportTests",
      dependencies: [
        "ContentBlocking", "ContentRules", "DeclarativeImport", "DeclarativeModel",
        "DeclarativeRules", "ResourceLoads", "TestSupport", "WebURL",
      ]
    ),
    // What Scripts/compare-converters runs.
    .executableTarget(
      name: "decide-each",
      dependencies: [
        "ContentBlocking", "FilterConversion", "FilterLists", "ResourceLoads", "WebURL",
      ],
      path: "Tests/Tools/DecideEach"
    ),
    // What Scripts/measure-translation runs.
    .executableTarget(
      name: "measure-translation",
      dependencies: [
        "ContentBlocking", "ContentRules", "DeclarativeModel", "DeclarativeRules",
        "EngineComparison", "ResourceLoads", "TestSupport", "WebURL",
      ],
      path: "Tests/Tools/MeasureTranslation"
    ),
    .testTarget(
      name: "DurableFilesTests",
      // The command is run.
      dependencies: [
        "DurableFiles", "TestSupport", "tickbird",
        .target(name: "CExtendedAttributes", condition: .when(platforms: [.linux])),
      ]
    ),
    .testTarget(name: "ReferenceMatcherTests", dependencies: ["ReferenceMatcher", "TestSupport"]),
    .testTarget(
      name: "ExtensionBundlesTests",
      dependencies: ["ExtensionBundles", "TestSupport"]
    ),
    .testTarget(
      name: "XcodeProjectsTests",
      dependencies: ["ExtensionBundles", "XcodeProjects"],
      exclude: ["Fixtures"]
    ),
    .testTarget(name: "FilterListsTests", dependencies: ["ContentRules", "FilterLists"]),
    .testTarget(
      name: "FilterConversionTests",
      dependencies: [
        "ContentBlocking", "ContentRules", "FilterConversion", "FilterLists", "ResourceLoads",
        "TestSupport", "WebURL",
      ]
    ),
    .testTarget(name: "WebExtensionsTests", dependencies: ["TestSupport", "WebExtensions"]),
    .testTarget(
      name: "ExtensionMessagesTests",
      dependencies: ["ExtensionMessages", "TestSupport"]
    ),
    .testTarget(name: "WebURLTests", dependencies: ["TestSupport", "TextScanning", "WebURL"]),
    .testTarget(
      name: "ContentRulesTests",
      dependencies: ["CaseGenerators", "ContentRules", "TestSupport", "WebURL"]
    ),
    .testTarget(name: "TextOutputTests", dependencies: ["ContentRules", "TextOutput"]),
    // What fuzzers and the tests that replay their findings share.
    .target(name: "FuzzTargets", dependencies: ["TestSupport"], path: "Tests/Support/FuzzTargets"),
    .target(
      name: "FuzzBodies",
      dependencies: [
        "ActionCoding", "CInterface", "CTickbird", "CaseGenerators", "CommandInput",
        "CommandOutput", "ContentBlocking", "ContentRules", "DeclarativeImport",
        "EngineTestSupport", "ExtensionBundles",
        "ExtensionMessages", "FilterConversion", "FilterLists", "FuzzTargets", "LanguageServer",
        "ListTesting", "LoadDeciding", "PagePreview", "ReferenceMatcher", "ResourceLoads",
        "RuleAudit", "RuleCompiler", "RuleMatching", "WebExtensions", "WebURL",
      ],
      path: "Tests/Support/FuzzBodies"
    ),
    .testTarget(name: "FuzzReplayTests", dependencies: ["FuzzBodies", "FuzzTargets"]),
    .testTarget(
      name: "CommandInputTests",
      dependencies: [
        "CLibrary", "CommandInput", "ContentBlocking", "ContentRules", "LoadDeciding",
        "ResourceLoads", "TestSupport", "WebURL",
      ]
    ),
    .testTarget(
      name: "LanguageServerTests",
      dependencies: [
        "ContentBlocking", "ContentRules", "LanguageServer", "TestSupport", "TextOutput",
      ]
    ),
    .testTarget(name: "BrowserPipeTests", dependencies: ["BrowserPipe", "TestSupport"]),
    .testTarget(
      name: "PagePreviewTests",
      dependencies: [
        "CommandInput", "CommandOutput", "ContentBlocking", "PagePreview", "ResourceLoads",
        "TestSupport", "WebURL",
      ]
    ),
    .testTarget(name: "CommandOutputTests", dependencies: ["CommandOutput"]),
    .testTarget(
      name: "ListTestingTests",
      dependencies: [
        "CommandInput", "ContentBlocking", "ContentRules", "ListTesting", "ResourceLoads",
        "TestSupport", "WebURL",
      ]
    ),
    .testTarget(
      name: "RuleAuditTests",
      dependencies: [
        "CaseGenerators", "CommandInput", "CommandOutput", "ContentBlocking", "ContentRules",
        "ResourceLoads", "RuleAudit", "TestSupport", "WebURL",
      ]
    ),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "CaseGenerators", "CommandInput", "CommandOutput", "ContentBlocking", "ContentRules",
        "DurableFiles", "ResourceLoads", "RuleAudit", "TestSupport", "TextOutput", "WebURL",
        "tickbird",
      ]
    ),
    .testTarget(
      name: "ContentBlockingTests",
      dependencies: [
        "CaseGenerators", "ContentBlocking", "ContentRules", "EngineComparison", "ReferenceMatcher",
        "ResourceLoads", "RuleCompiler", "RuleMatching", "TestSupport", "WebURL",
      ]
    ),
    // Rules, compiled lists and automata for the tests of the engine's parts.
    .target(
      name: "EngineTestSupport",
      dependencies: [
        "Automata", "ContentRules", "ResourceLoads", "RuleCompiler", "RuleMatching", "TestSupport",
      ],
      path: "Tests/Support/EngineTestSupport"
    ),
    .testTarget(
      name: "RuleProofsTests",
      dependencies: [
        "Automata", "CaseGenerators", "ContentRules", "ReferenceMatcher", "ResourceLoads",
        "RuleProofs", "TestSupport", "WebURL",
      ]
    ),
    .testTarget(
      name: "ListAnalysisTests",
      dependencies: [
        "CaseGenerators", "ContentBlocking", "ContentRules", "EngineComparison", "ListAnalysis",
        "ReferenceMatcher", "ResourceLoads", "RuleMatching", "RuleProofs", "TestSupport", "WebURL",
      ]
    ),
    .testTarget(
      name: "ListIngestionTests",
      dependencies: ["CommandOutput", "ContentBlocking", "ListIngestion", "TestSupport"]
    ),
    .testTarget(
      name: "AutomataTests",
      dependencies: ["Automata", "EngineTestSupport", "TestSupport"]
    ),
    .testTarget(
      name: "ActionCodingTests",
      dependencies: ["ActionCoding", "ContentRules", "RuleMatching"]
    ),
    .testTarget(
      name: "RuleCompilerTests",
      dependencies: [
        "ContentRules", "EngineTestSupport", "ResourceLoads", "RuleCompiler", "RuleMatching",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "RuleMatchingTests",
      dependencies: [
        "Automata", "ContentRules", "EngineTestSupport", "ResourceLoads", "RuleCompiler",
        "RuleMatching", "TestSupport", "TextScanning",
      ]
    ),
    .testTarget(
      name: "LoadDecidingTests",
      dependencies: ["ContentBlocking", "LoadDeciding", "ResourceLoads", "RuleMatching"]
    ),
    .testTarget(
      name: "BrowserMatcherTests",
      dependencies: [
        "BrowserMatcher", "ContentBlocking", "ContentRules", "EngineComparison",
        "EngineTestSupport", "LoadDeciding", "ResourceLoads", "RuleCompiler", "RuleMatching",
        "TestSupport", "WebURL",
      ]
    ),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "CaseGenerators", "ContentBlocking", "EngineComparison", "ReferenceMatcher",
        "ResourceLoads", "RuleCompiler", "RuleMatching", "TestSupport", "WebURL",
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}

// Tests run against the optimized engine, which saves minutes; to optimize themselves costs minutes.
for target in package.targets where target.type == .test {
  target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
}
