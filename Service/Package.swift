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
  ],
  targets: [
    // Where everything is kept; all others use it.
    .target(name: "ServiceFolders"),

    // Signed packages of extensions, lists of updates, and installing from them.
    .target(
      name: "ExtensionGallery",
      dependencies: ["ServiceFolders", .product(name: "Crypto", package: "swift-crypto")]
    ),

    .executableTarget(
      name: "tickbird-host",
      dependencies: [
        "ExtensionGallery", "ServiceFolders",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),

    .testTarget(
      name: "ExtensionGalleryTests",
      dependencies: [
        // The command is run, and killed.
        "ExtensionGallery", "ServiceFolders", "tickbird-host",
        .product(name: "Crypto", package: "swift-crypto"),
      ]
    ),
    .testTarget(name: "ServiceFoldersTests", dependencies: ["ServiceFolders"]),
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
