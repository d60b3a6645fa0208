// swift-tools-version: 6.3

import PackageDescription

// What runs for a user beside the command: the host of app extensions, Shared Links and the gallery.
//
// A package of its own, so that those who build the engine or the command for authors neither
// resolve nor build what only a service needs.
let package = Package(
  name: "Service",
  products: [
    .executable(name: "tickbird-host", targets: ["tickbird-host"]),
    .executable(name: "tickbird-reader", targets: ["tickbird-reader"]),
    // For the package in `Fuzz` alone.
    .library(name: "_HostFuzzBodies", targets: ["HostFuzzBodies"]),
  ],
  dependencies: [
    .package(name: "tickbird", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird",
      exact: "2.28.1",
      traits: []
    ),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
  ],
  targets: [
    // Where everything is kept; all others use it.
    .target(
      name: "ServiceFolders",
      dependencies: [
        .product(name: "_CLibrary", package: "tickbird"),
        .product(name: "_DurableFiles", package: "tickbird"),
      ]
    ),
    // What the stores of links and notes share: how SQLite is opened, and its errors in words.
    .systemLibrary(name: "CSQLiteLogs"),
    .target(
      name: "UserDatabase",
      dependencies: [
        "CSQLiteLogs", "ServiceFolders", .product(name: "_DurableFiles", package: "tickbird"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    // Work that waits, kept off the threads that tasks share, and the memory of what has ended.
    .target(name: "CFreedMemory"),
    .target(
      name: "BlockingWork",
      dependencies: ["CFreedMemory", .product(name: "_CLibrary", package: "tickbird")]
    ),

    // Installs bundles, runs the processes of extensions and keeps their lists.
    .target(
      name: "ExtensionHost",
      dependencies: [
        "BlockingWork", "ExtensionSandbox", "ListSubscriptions", "ServiceFolders",
        .product(name: "_CLibrary", package: "tickbird"),
        .product(name: "_CodedErrors", package: "tickbird"),
        .product(name: "ContentBlocking", package: "tickbird"),
        .product(name: "_DurableFiles", package: "tickbird"),
        .product(name: "_EngineParts", package: "tickbird"),
        .product(name: "_ExtensionBundles", package: "tickbird"),
        .product(name: "_ExtensionMessages", package: "tickbird"),
      ]
    ),

    // A process that can reach only what it is granted. C does what happens between fork and
    // execve, where Swift cannot run.
    .target(name: "CSandbox"),
    .target(
      name: "ExtensionSandbox",
      dependencies: [
        "CSandbox",
        .product(name: "_CLibrary", package: "tickbird"),
        .product(name: "_CodedErrors", package: "tickbird"),
      ]
    ),

    // Programs that are started, with what they may use and nothing else.
    .systemLibrary(name: "CPrivateDescriptors"),
    .target(
      name: "ChildPrograms",
      dependencies: [
        .target(name: "CPrivateDescriptors", condition: .when(platforms: [.linux])),
        .product(name: "_CLibrary", package: "tickbird"),
      ]
    ),
    // Requests to servers that may do anything, each made by a process of its own.
    .target(
      name: "CurlTransfers",
      dependencies: [
        "BlockingWork", "ChildPrograms",
        .target(name: "CPrivateDescriptors", condition: .when(platforms: [.linux])),
        .product(name: "_CLibrary", package: "tickbird"),
        .product(name: "_EngineParts", package: "tickbird"),
      ]
    ),

    // Lists that the user chose: fetched, converted, compiled and kept up to date.
    .target(
      name: "ListSubscriptions",
      dependencies: [
        "BlockingWork", "ChildPrograms", "CurlTransfers", "ServiceFolders",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "_CLibrary", package: "tickbird"),
        .product(name: "_CodedErrors", package: "tickbird"),
        .product(name: "_DurableFiles", package: "tickbird"),
        .product(name: "_EngineParts", package: "tickbird"),
        .product(name: "_ListIngestion", package: "tickbird"),
        .product(name: "_TextOutput", package: "tickbird"),
      ],
      resources: [.embedInCode("Resources")]
    ),

    // Signed packages of extensions, lists of updates, and installing from them.
    .target(
      name: "ExtensionGallery",
      dependencies: [
        "BrowserHalves", "CurlTransfers", "ServiceFolders",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "_CLibrary", package: "tickbird"),
        .product(name: "_CodedErrors", package: "tickbird"),
        .product(name: "_DurableFiles", package: "tickbird"),
        .product(name: "_ExtensionBundles", package: "tickbird"),
        .product(name: "_WebExtensions", package: "tickbird"),
      ]
    ),

    // One stream of links from feeds and extensions, and the server that publishes it.
    .systemLibrary(
      name: "CLibXML2",
      pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .yum(["libxml2-devel"])]
    ),
    .target(
      name: "SharedLinks",
      dependencies: [
        "BlockingWork", "CLibXML2", "CurlTransfers", "ExtensionSandbox", "ServiceFolders",
        "UserDatabase",
        .product(name: "_CLibrary", package: "tickbird"),
        .product(name: "_CodedErrors", package: "tickbird"),
        .product(name: "ContentBlocking", package: "tickbird"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "_EngineParts", package: "tickbird"),
        .product(name: "_ExtensionMessages", package: "tickbird"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    // Reads feeds and the like for tickbird-host, in a sandbox; it has to be beside it.
    .executableTarget(name: "tickbird-reader", dependencies: ["SharedLinks"]),
    // What servers on loopback share: secrets, and who may have how many connections.
    .target(
      name: "LoopbackServing",
      dependencies: [
        .product(name: "_CLibrary", package: "tickbird"),
        .product(name: "_DurableFiles", package: "tickbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ]
    ),
    .target(
      name: "LinkPublishing",
      dependencies: [
        "LoopbackServing", "SharedLinks",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]
    ),

    // What pages say, in the reader's language, and the templates that it is said in.
    .target(
      name: "PageTexts",
      dependencies: [
        .product(name: "_EngineParts", package: "tickbird"),
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [.embedInCode("Resources")]
    ),
    // The static pages of a gallery.
    .target(
      name: "GallerySite",
      dependencies: [
        "ExtensionGallery", "PageTexts",
        .product(name: "_ExtensionBundles", package: "tickbird"),
      ],
      resources: [.embedInCode("Resources")]
    ),

    // The pages on loopback that show and change all of this.
    .target(
      name: "LocalApp",
      dependencies: [
        "ExtensionGallery", "ExtensionHost", "GallerySite", "ListSubscriptions", "LoopbackServing",
        "PageNotes", "PageTexts", "SharedLinks",
        .product(name: "_CodedErrors", package: "tickbird"),
        .product(name: "ContentBlocking", package: "tickbird"),
        .product(name: "_DurableFiles", package: "tickbird"),
        .product(name: "_EngineParts", package: "tickbird"),
        .product(name: "_ExtensionBundles", package: "tickbird"),
        .product(name: "_ExtensionMessages", package: "tickbird"),
        .product(name: "_ListIngestion", package: "tickbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      resources: [.embedInCode("Resources")]
    ),

    // Notes on pages: the store, what browsers ask of it, synchronisation.
    .target(
      name: "PageNotes",
      dependencies: [
        "ServiceFolders", "UserDatabase",
        .product(name: "_CodedErrors", package: "tickbird"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "_DurableFiles", package: "tickbird"),
        .product(name: "_EngineParts", package: "tickbird"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    // What browsers and the programs that they start say to each other, and how they find them.
    .target(
      name: "NativeMessaging",
      dependencies: [
        "ServiceFolders",
        .product(name: "_CLibrary", package: "tickbird"),
        .product(name: "_CodedErrors", package: "tickbird"),
        .product(name: "_DurableFiles", package: "tickbird"),
      ]
    ),
    // The web extension, packed and with what installs it for good.
    .target(
      name: "BrowserPackages",
      dependencies: [
        .product(name: "_CLibrary", package: "tickbird"),
        .product(name: "_CodedErrors", package: "tickbird"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "_DurableFiles", package: "tickbird"),
      ]
    ),

    // Installing the extension in all browsers of a machine, and undoing all of it.
    .target(
      name: "BrowserSetup",
      dependencies: [
        "BrowserPackages", "NativeMessaging", "ServiceFolders",
        .product(name: "_CLibrary", package: "tickbird"),
        .product(name: "_CodedErrors", package: "tickbird"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "_DurableFiles", package: "tickbird"),
      ]
    ),

    // What an extension's bundle has for browsers.
    .target(
      name: "BrowserHalves",
      dependencies: [
        .product(name: "_ExtensionBundles", package: "tickbird"),
        .product(name: "_WebExtensions", package: "tickbird"),
      ]
    ),

    // The browser halves of installed web extensions, added to browsers and taken away.
    .target(
      name: "WebExtensionInstalling",
      dependencies: [
        "BrowserHalves", "BrowserPackages", "ExtensionHost", "NativeMessaging", "ServiceFolders",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "_CodedErrors", package: "tickbird"),
        .product(name: "_DurableFiles", package: "tickbird"),
        .product(name: "_ExtensionBundles", package: "tickbird"),
        .product(name: "_ExtensionMessages", package: "tickbird"),
        .product(name: "_WebExtensions", package: "tickbird"),
      ]
    ),

    // What browsers ask, and the answers.
    .target(
      name: "BrowserAnswering",
      dependencies: [
        "BlockingWork", "BrowserPackages", "BrowserSetup", "ExtensionGallery", "ExtensionHost",
        "ListSubscriptions", "NativeMessaging", "PageNotes", "ServiceFolders", "SharedLinks",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "_CLibrary", package: "tickbird"),
        .product(name: "_DeclarativeRules", package: "tickbird"),
        .product(name: "_DurableFiles", package: "tickbird"),
        .product(name: "_EngineParts", package: "tickbird"),
        .product(name: "_ExtensionMessages", package: "tickbird"),
        .product(name: "_ListIngestion", package: "tickbird"),
        .product(name: "_LoadAdvice", package: "tickbird"),
        .product(name: "_TextOutput", package: "tickbird"),
      ]
    ),

    .executableTarget(
      name: "tickbird-host",
      dependencies: [
        "BlockingWork", "BrowserAnswering", "BrowserHalves", "BrowserPackages", "BrowserSetup",
        "ExtensionGallery", "ExtensionHost", "GallerySite", "LinkPublishing", "ListSubscriptions",
        "LocalApp", "LoopbackServing", "NativeMessaging", "PageNotes", "ServiceFolders",
        "SharedLinks", "UserDatabase", "WebExtensionInstalling",
        .product(name: "_CLibrary", package: "tickbird"),
        .product(name: "_CodedErrors", package: "tickbird"),
        .product(name: "_CommandArguments", package: "tickbird"),
        .product(name: "_DurableFiles", package: "tickbird"),
        .product(name: "_EngineParts", package: "tickbird"),
        .product(name: "_ExtensionBundles", package: "tickbird"),
        .product(name: "_ExtensionMessages", package: "tickbird"),
        .product(name: "_ListIngestion", package: "tickbird"),
        .product(name: "_TextOutput", package: "tickbird"),
        .product(name: "_WebExtensions", package: "tickbird"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      resources: [.embedInCode("Resources")]
    ),

    // What the fuzzers of the package in `Fuzz` do with strangers' bytes, replayed by tests.
    .target(
      name: "HostFuzzBodies",
      dependencies: [
        "BrowserAnswering", "ExtensionGallery", "LocalApp", "NativeMessaging", "PageNotes",
        "PageTexts", "SharedLinks",
        .product(name: "ContentBlocking", package: "tickbird"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "_FuzzTargets", package: "tickbird"),
      ],
      path: "Tests/HostFuzzBodies"
    ),
    .testTarget(
      name: "HostFuzzReplayTests",
      dependencies: ["HostFuzzBodies", .product(name: "_FuzzTargets", package: "tickbird")]
    ),

    // Sockets, for all tests that are servers or clients themselves.
    .target(
      name: "LoopbackSockets",
      dependencies: [.product(name: "_CLibrary", package: "tickbird")],
      path: "Tests/LoopbackSockets"
    ),
    // The built command, for all tests that run it.
    .target(
      name: "HostTestSupport",
      dependencies: ["BlockingWork", "ChildPrograms", "NativeMessaging"],
      path: "Tests/HostTestSupport"
    ),
    .testTarget(
      name: "ExtensionGalleryTests",
      dependencies: [
        // The command is run, and killed.
        "ExtensionGallery", "GallerySite", "HostTestSupport", "LoopbackSockets", "PageTexts",
        "PageTextsTestSupport", "ServiceFolders", "tickbird-host",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "_ExtensionBundles", package: "tickbird"),
        .product(name: "_TestSupport", package: "tickbird"),
        .product(name: "_WebExtensions", package: "tickbird"),
      ],
      exclude: ["Fixtures"]
    ),
    // What Scripts/measure-extensions runs.
    .executableTarget(
      name: "measure-extensions",
      dependencies: [
        "ExtensionHost",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "_ExtensionMessages", package: "tickbird"),
      ],
      path: "Tests/MeasureExtensions"
    ),
    // The command, with a fault at each of its calls.
    .testTarget(
      name: "FaultInjectionTests",
      dependencies: [
        "BlockingWork", "tickbird-host", .product(name: "_TestSupport", package: "tickbird"),
      ]
    ),
    .testTarget(
      name: "ServiceFoldersTests",
      dependencies: ["ServiceFolders", .product(name: "_DurableFiles", package: "tickbird")]
    ),
    .testTarget(
      name: "UserDatabaseTests",
      dependencies: ["UserDatabase", .product(name: "GRDB", package: "GRDB.swift")]
    ),
    .testTarget(name: "BlockingWorkTests", dependencies: ["BlockingWork", "HostTestSupport"]),
    .testTarget(name: "ChildProgramsTests", dependencies: ["ChildPrograms"]),
    .testTarget(
      name: "CurlTransfersTests",
      dependencies: [
        "BlockingWork", "CurlTransfers", "HostTestSupport",
        .product(name: "_CLibrary", package: "tickbird"),
      ]
    ),
    .testTarget(
      name: "ListSubscriptionsTests",
      dependencies: [
        // The command is run, and killed.
        "HostTestSupport", "ListSubscriptions", "LoopbackSockets", "NativeMessaging",
        "ServiceFolders", "tickbird-host",
        .product(name: "_DurableFiles", package: "tickbird"),
        .product(name: "_ListIngestion", package: "tickbird"),
      ]
    ),
    .testTarget(
      name: "LoopbackServingTests",
      dependencies: [
        "LoopbackServing", "LoopbackSockets",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ]
    ),
    .testTarget(
      name: "ExtensionHostTests",
      dependencies: [
        "BlockingWork", "ChildPrograms", "ExtensionHost", "ExtensionSandbox", "HostTestSupport",
        "ListSubscriptions", "LoopbackSockets", "NativeMessaging", "ServiceFolders",
        "tickbird-host",
        .product(name: "ContentBlocking", package: "tickbird"),
        .product(name: "_EngineParts", package: "tickbird"),
        .product(name: "_ExtensionBundles", package: "tickbird"),
        .product(name: "_ExtensionMessages", package: "tickbird"),
        .product(name: "_TestSupport", package: "tickbird"),
      ]
    ),
    // An extension that tries to break out in every way there is.
    .executableTarget(name: "SandboxProbe", path: "Tests/SandboxProbe"),
    .testTarget(
      name: "ExtensionSandboxTests",
      dependencies: ["CPrivateDescriptors", "ExtensionSandbox", "LoopbackSockets", "SandboxProbe"],
      exclude: ["Programs"]
    ),
    .testTarget(
      name: "SharedLinksTests",
      dependencies: [
        "CurlTransfers", "HostTestSupport", "LinkPublishing", "LoopbackServing", "LoopbackSockets",
        "ServiceFolders", "SharedLinks", "tickbird-host", "tickbird-reader",
        .product(name: "_ExtensionMessages", package: "tickbird"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "_TestSupport", package: "tickbird"),
      ],
      exclude: ["Programs"]
    ),
    .testTarget(
      name: "PageNotesTests",
      dependencies: [
        "HostTestSupport", "PageNotes", "ServiceFolders", "UserDatabase", "tickbird-host",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "_TestSupport", package: "tickbird"),
      ]
    ),
    .testTarget(
      name: "NativeMessagingTests",
      dependencies: [
        "BlockingWork", "HostTestSupport", "NativeMessaging", "tickbird-host",
        .product(name: "_TestSupport", package: "tickbird"),
      ]
    ),
    .testTarget(
      name: "BrowserAnsweringTests",
      dependencies: [
        // The program is run as a browser runs it.
        "BlockingWork", "BrowserAnswering", "ExtensionGallery", "HostTestSupport",
        "ListSubscriptions", "NativeMessaging", "PageNotes", "SharedLinks", "tickbird-host",
        .product(name: "ContentBlocking", package: "tickbird"),
        .product(name: "_CLibrary", package: "tickbird"),
        .product(name: "_ExtensionMessages", package: "tickbird"),
        .product(name: "_TestSupport", package: "tickbird"),
      ],
      exclude: ["Fixtures"]
    ),
    .testTarget(
      name: "BrowserPackagesTests",
      dependencies: ["BrowserPackages", "HostTestSupport", "NativeMessaging", "tickbird-host"]
    ),
    .testTarget(
      name: "BrowserSetupTests",
      dependencies: [
        // The command is run, and killed.
        "BrowserPackages", "BrowserSetup", "HostTestSupport", "NativeMessaging", "ServiceFolders",
        "tickbird-host",
        .product(name: "_DurableFiles", package: "tickbird"),
      ]
    ),
    .testTarget(
      name: "WebExtensionInstallingTests",
      dependencies: [
        // The program is run as users and browsers run it.
        "BlockingWork", "BrowserPackages", "ExtensionHost", "HostTestSupport", "NativeMessaging",
        "WebExtensionInstalling", "tickbird-host",
        .product(name: "_ExtensionBundles", package: "tickbird"),
        .product(name: "_ExtensionMessages", package: "tickbird"),
        .product(name: "_TestSupport", package: "tickbird"),
      ]
    ),
    // What has to hold for the texts of any pages.
    .target(
      name: "PageTextsTestSupport",
      dependencies: ["PageTexts"],
      path: "Tests/PageTextsTestSupport"
    ),
    .testTarget(name: "PageTextsTests", dependencies: ["PageTexts", "PageTextsTestSupport"]),
    .testTarget(
      name: "LocalAppTests",
      dependencies: [
        "BlockingWork", "ExtensionGallery", "ExtensionHost", "GallerySite", "HostTestSupport",
        "ListSubscriptions", "LocalApp", "LoopbackServing", "LoopbackSockets", "PageNotes",
        "PageTexts", "PageTextsTestSupport", "ServiceFolders", "SharedLinks", "tickbird-host",
        "tickbird-reader",
        .product(name: "ContentBlocking", package: "tickbird"),
        .product(name: "_EngineParts", package: "tickbird"),
        .product(name: "_ExtensionMessages", package: "tickbird"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]
    ),
    // The built command, with output that fails, and with what strangers write.
    .testTarget(
      name: "HostOutputTests",
      dependencies: [
        "BlockingWork", "HostTestSupport", "NativeMessaging", "tickbird-host",
        .product(name: "_TestSupport", package: "tickbird"),
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
