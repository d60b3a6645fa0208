// swift-tools-version: 6.3

import PackageDescription

// Benchmarks of Tickbird; see Documentation/Performance.md.
let package = Package(
  name: "tickbird-benchmarks",
  dependencies: [
    .package(name: "tickbird", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ],
  targets: [
    .systemLibrary(name: "CGzip", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CMeasuring"),
    .target(
      name: "Workloads",
      dependencies: ["CGzip", .product(name: "_EngineParts", package: "tickbird")]
    ),
    .target(name: "Measuring", dependencies: ["CMeasuring"]),
    .executableTarget(
      name: "tickbird-benchmarks",
      dependencies: [
        "Measuring", "Workloads",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "ContentBlocking", package: "tickbird"),
        .product(name: "_EngineParts", package: "tickbird"),
      ]
    ),
    .testTarget(
      name: "WorkloadsTests",
      dependencies: [
        "Measuring", "Workloads",
        .product(name: "ContentBlocking", package: "tickbird"),
        .product(name: "_EngineParts", package: "tickbird"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.name != "CMeasuring" {
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
