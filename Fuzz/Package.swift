// swift-tools-version: 6.3

import PackageDescription

// Two fuzzers, for what `tickbird` reads and what `tickbird-host` reads. The environment variable
// FUZZ_TARGET selects the kind of input. Build them with `Scripts/fuzz`: the fuzzer's own `main`
// replaces the one here, which needs the flags that the script passes.
let package = Package(
  name: "tickbird-fuzz",
  dependencies: [
    .package(name: "tickbird", path: ".."),
    .package(name: "Service", path: "../Service"),
  ],
  targets: [
    .target(
      name: "FuzzSupport",
      dependencies: [.product(name: "_FuzzTargets", package: "tickbird")]
    ),
    .executableTarget(
      name: "FuzzCommand",
      dependencies: ["FuzzSupport", .product(name: "_FuzzBodies", package: "tickbird")]
    ),
    .executableTarget(
      name: "FuzzHost",
      dependencies: ["FuzzSupport", .product(name: "_HostFuzzBodies", package: "Service")]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
