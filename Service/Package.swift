// swift-tools-version: 6.3

import PackageDescription

// What runs for a user beside the command: the host of app extensions, Shared Links and the gallery.
//
// A package of its own, so that those who build the engine or the command for authors neither
// resolve nor build what only a service needs.
let package = Package(
  name: "Service",
  products: [.executable(name: "tickbird-host", targets: ["tickbird-host"])],
  dependencies: [
    .package(name: "tickbird", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
  ],
  targets: [
    // Where everything is kept; all others use it.
    .target(name: "ServiceFolders"),

    // One stream of links from feeds and extensions, and the server that publishes it.
    .systemLibrary(
      name: "CLibXML2",
      pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .yum(["libxml2-devel"])]
    ),
    .target(
      name: "SharedLinks",
      dependencies: [
        "CLibXML2", "ServiceFolders",
        .product(name: "ContentBlocking", package: "tickbird"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "EngineParts", package: "tickbird"),
        .product(name: "ExtensionMessages", package: "tickbird"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "LinkPublishing",
      dependencies: [
        "SharedLinks",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]
    ),

    .executableTarget(
      name: "tickbird-host",
      dependencies: [
        "LinkPublishing", "ServiceFolders", "SharedLinks",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),

    .testTarget(name: "ServiceFoldersTests", dependencies: ["ServiceFolders"]),
    .testTarget(
      name: "SharedLinksTests",
      dependencies: [
        "LinkPublishing", "ServiceFolders", "SharedLinks", "tickbird-host",
        .product(name: "ExtensionMessages", package: "tickbird"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
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
