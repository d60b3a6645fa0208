// swift-tools-version: 6.3

import PackageDescription

// One fuzzer for each kind of untrusted input. Build it with `Scripts/fuzz`: the fuzzer's own `main`
// takes the place of one here, which takes the flags that the script gives.
let fuzzers = ["FuzzListText", "FuzzPattern", "FuzzSelector", "FuzzURL", "FuzzCompiledBytes"]

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "tickbird-fuzz",
  dependencies: [.package(name: "tickbird", path: "..")],
  targets: [
    .target(
      name: "FuzzSupport",
      dependencies: [.product(name: "FuzzBodies", package: "tickbird")],
      swiftSettings: settings
    )
  ]
    + fuzzers.map {
      .executableTarget(name: $0, dependencies: ["FuzzSupport"], swiftSettings: settings)
    },
  swiftLanguageModes: [.v6]
)
