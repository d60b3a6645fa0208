// swift-tools-version: 6.0

import PackageDescription

let package = Package(
  name: "2.4-links-from-a-server",
  dependencies: [.package(name: "AppleModules", path: "../../AppleModules")],
  targets: [
    .executableTarget(
      name: "_2_4_links_from_a_server",
      dependencies: [.product(name: "AppleModules", package: "AppleModules")],
      // Handlers from Xcode's templates are written for this mode.
      swiftSettings: [.swiftLanguageMode(.v5)]
    )
  ]
)
