// swift-tools-version: 6.3

import PackageDescription

// A program that uses Tickbird as a library, as README.md shows it; Scripts/check-library-example
// builds and runs it.
let package = Package(
  name: "library-example",
  dependencies: [.package(name: "tickbird", path: "../..")],
  targets: [
    .executableTarget(
      name: "library-example",
      dependencies: [.product(name: "ContentBlocking", package: "tickbird")],
      // One import must be enough, also for those who turn this on.
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]
    )
  ],
  swiftLanguageModes: [.v6]
)
