// swift-tools-version: 6.3

import PackageDescription

// The modules that handlers of app extensions import, under their names on Apple systems.
//
// A package of its own, because every target of a build can find a module: with these in the same
// build, `#if canImport(os)` would become true in unrelated packages.
let package = Package(
  name: "AppleModules",
  swiftLanguageModes: [.v6]
)

#if canImport(Darwin)
// Apple systems have the real frameworks, so nothing is added to them.
package.products = [.library(name: "AppleModules", targets: ["AppleModules"])]
package.targets = [.target(name: "AppleModules", path: "Sources/OnAppleSystems")]
#else
let modules = [
  "AppKitCore", "Combine", "CoreServices", "MobileCoreServices", "OSLog", "SafariServices", "UIKit",
  "UIKitCore", "UniformTypeIdentifiers", "os",
]
// Products of their own, for extensions that import them: others may have code under
// `#if canImport(SwiftUI)`, which needs all of it.
let optional = ["AppKit", "Cocoa", "SwiftUI"]
package.products = [.library(name: "AppleModules", targets: modules + ["ExtensionRuntime"])]
package.products += optional.map { .library(name: $0, targets: [$0]) }

let ownDependencies: [String: [Target.Dependency]] = [
  "OSLog": ["os"], "SafariServices": ["AppKitCore", "UIKitCore"], "UIKit": ["UIKitCore"],
]

let messages = Target.Dependency.byName(name: "ExtensionMessages")
package.targets = [
  // What the process and its host share. Links, because a dependency on the package around this one
  // would fetch that one's dependencies for every extension, from the network.
  .target(name: "CLibrary", path: "Shared/CLibrary"),
  .target(name: "CodedErrors", path: "Shared/CodedErrors"),
  .target(
    name: "ExtensionMessages",
    dependencies: ["CLibrary", "CodedErrors"],
    path: "Shared/ExtensionMessages"
  ),
  .target(name: "ExtensionRuntime", dependencies: [messages]),
  // Modules such as `os.log`, which only a Clang module can have.
  .systemLibrary(name: "AppleSubmodules"),
]
package.targets += modules.map { name in
  .target(
    name: name,
    dependencies: ["ExtensionRuntime", "AppleSubmodules", messages]
      + (ownDependencies[name] ?? [])
  )
}

package.targets += optional.map { name in
  .target(
    name: name,
    dependencies: ["ExtensionRuntime", "AppKitCore"].map { .byName(name: $0) }
      + (name == "Cocoa" ? ["AppKit"] : []),
    path: "Optional/\(name)"
  )
}

// Handlers as people write them, so without the strict settings. `swift test` builds them as
// ordinary targets, and the tests run them as processes.
let samples = [
  "AppHandlers", "BrowserHandlers", "ContainingApp", "ContentBlockerMacTemplate",
  "ContentBlockerTemplate", "OldWebExtensionTemplate", "SharedLinksTemplate",
  "WebExtensionTemplate",
]
package.targets += samples.map { name in
  .executableTarget(
    name: name,
    dependencies: (modules + ["ExtensionRuntime"]).map { .byName(name: $0) },
    path: "Tests/ExtensionSamples/\(name)",
    swiftSettings: [.swiftLanguageMode(.v5)]
  )
}
package.targets.append(
  .testTarget(
    name: "AppleModulesTests",
    dependencies: (modules + samples + ["ExtensionRuntime"]).map { .byName(name: $0) } + [messages]
  )
)

for target in package.targets where target.type != .system && !samples.contains(target.name) {
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
#endif
