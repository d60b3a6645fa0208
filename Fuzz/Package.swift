// swift-tools-version: 6.3

import PackageDescription

// Two fuzzers: what `tickbird` reads, and what `tickbird-host` reads. The environment's FUZZ_TARGET
// says which kind of input it is about. Build them with `Scripts/fuzz`: the fuzzer's own `main` takes
// the place of one here, which takes the flags that the script gives.
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
