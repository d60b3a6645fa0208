// swift-tools-version: 6.3

import PackageDescription

// Tests of the web extension in real browsers, and what drives the browsers.
//
// A package of its own, because it takes minutes, and browsers that not everybody has.
let package = Package(
  name: "BrowserTests",
  dependencies: [.package(name: "tickbird", path: "..")],
  targets: [
    // Browsers, their pages and a server for the pages.
    .target(name: "BrowserDriving"),
    // A browser with an extension, driven by lines of JSON, for scripts.
    .executableTarget(name: "browser-driver", dependencies: ["BrowserDriving"]),
    // A native host that serves the compiled lists of a folder.
    .executableTarget(
      name: "tickbird-test-host",
      dependencies: [
        .product(name: "ContentBlocking", package: "tickbird"),
        .product(name: "_DeclarativeRules", package: "tickbird"),
        .product(name: "_EngineParts", package: "tickbird"),
      ]
    ),
    .testTarget(
      name: "BrowserTests",
      dependencies: [
        "BrowserDriving", "tickbird-test-host",
        .product(name: "ContentBlocking", package: "tickbird"),
        .product(name: "_DeclarativeModel", package: "tickbird"),
        .product(name: "_DeclarativeRules", package: "tickbird"),
        .product(name: "_EngineParts", package: "tickbird"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
