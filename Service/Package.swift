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
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // Where everything is kept; all others use it.
    .target(name: "ServiceFolders"),

    // Notes on pages: the store, what browsers ask of it, synchronisation.
    .target(
      name: "PageNotes",
      dependencies: [
        "ServiceFolders",
        .product(name: "EngineParts", package: "tickbird"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    // What browsers and the programs that they start say to each other, and how they find them.
    .target(name: "NativeMessaging"),

    .executableTarget(
      name: "tickbird-host",
      dependencies: [
        "NativeMessaging", "PageNotes", "ServiceFolders",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),

    .testTarget(name: "ServiceFoldersTests", dependencies: ["ServiceFolders"]),
    .testTarget(
      name: "PageNotesTests",
      dependencies: [
        "PageNotes", "ServiceFolders", "tickbird-host",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .testTarget(name: "NativeMessagingTests", dependencies: ["NativeMessaging", "tickbird-host"]),
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
