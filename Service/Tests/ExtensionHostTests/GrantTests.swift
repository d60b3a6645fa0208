import ExtensionMessages
import Foundation
import Synchronization
import Testing

@testable import ExtensionHost
@testable import ExtensionSandbox

/// The list of all paths that the sandbox grants: a new one fails the test.
@Suite("Grants of the templates", .enabled(if: TestHost.hasSandbox))
struct GrantTests {
  private static let everywhere: Set<String> = [
    "/usr/lib read", "/usr/lib64 read", "/lib read", "/lib64 read", "/usr/local/lib read",
    "/etc/ld.so.cache read", "/etc/localtime read", "/etc/timezone read",
    "/etc/nsswitch.conf read", "/etc/authselect/nsswitch.conf read",
    "/usr/share/zoneinfo read", "/usr/share/zoneinfo/ZONE read", "/usr/share/locale read",
    "/sys/devices/system/cpu/online read", "/sys/devices/system/cpu/possible read",
    "/proc/sys/vm/overcommit_memory read", "/dev/urandom read", "/dev/random read",
    "/dev/null readAndWriteFile", "/dev/zero readAndWriteFile",
    "LOADER readAndExecute", "RUNTIME/LIBRARY read",
    "BUNDLE readAndExecute", "CONTAINER readAndWrite",
  ]
  private static let forNetwork: Set<String> = [
    "/etc/resolv.conf read", "/run/systemd/resolve/stub-resolv.conf read",
    "/run/systemd/resolve/resolv.conf read", "/run/NetworkManager/resolv.conf read",
    "/run/resolvconf/resolv.conf read", "/mnt/wsl/resolv.conf read",
    "/etc/hosts read", "/etc/host.conf read", "/etc/gai.conf read", "/etc/services read",
    "/etc/protocols read", "/etc/ssl/certs read", "/etc/ssl/cert.pem read",
    "/etc/ssl/openssl.cnf read", "/etc/pki/tls/certs read", "/etc/pki/tls/cert.pem read",
    "/etc/pki/tls/openssl.cnf read", "/etc/pki/ca-trust/extracted read",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem read", "/etc/ca-certificates read",
    "/etc/ssl/certs/ca-certificates.crt read", "/etc/crypto-policies read",
    "/usr/share/ca-certificates read", "/usr/local/share/ca-certificates read",
  ]

  /// Records the grants of a start, made like the host's.
  private final class KeepingLauncher: ProcessLauncher {
    let grants = Mutex<[(path: String, access: FileAccess, plan: ProcessPlan)]>([])

    func walls(network: Bool) -> String? { SandboxedLauncher().walls(network: network) }

    func start(_ plan: ProcessPlan) throws(HostError) -> any RunningExtension {
      let launch: LaunchPlan
      do {
        launch = try LaunchPlan(
          executable: plan.executable,
          arguments: [],
          environment: [:],
          channel: plan.channel,
          output: plan.output,
          profile: SandboxedLauncher.profile(of: plan),
          limits: ProcessLimits(),
          availability: Sandbox.available()
        )
      } catch {
        throw HostError(.system, "\(error)")
      }
      grants.withLock { grants in
        grants += launch.grants.map { ($0.path, $0.access, plan) }
      }
      return try SandboxedLauncher().start(plan)
    }
  }

  @Test(
    "No path is granted that is not written down",
    arguments: [
      ("ContentBlockerTemplate", "com.apple.Safari.content-blocker"),
      ("SharedLinksTemplate", "com.apple.Safari.sharedlinks-service"),
      ("WebExtensionTemplate", "com.apple.Safari.web-extension"),
    ],
    [false, true]
  )
  func templates(template: (target: String, point: String), network: Bool) async throws {
    let launcher = KeepingLauncher()
    let test = try await TestHost(launcher: launcher)
    let identifier = "com.example.template"
    try await test.install(
      SampleExtensions.Description(
        target: template.target,
        principal: template.target + ".ContentBlockerRequestHandler",
        identifier: identifier,
        point: template.point,
        entitlements: ["com.apple.security.network.client": network],
        resources: ["blockerList.json": rules("template")]
      )
    )
    switch template.target {
    case "SharedLinksTemplate": _ = try await test.host.sharedLinks(of: identifier)
    case "WebExtensionTemplate": _ = try await test.host.ask(.string("hello"), of: identifier)
    default: break
    }
    let granted = launcher.grants.withLock { $0 }
    #expect(!granted.isEmpty)
    let runtime = SystemFiles.runtimeFolders.map { $0 + "/" }
    var names: Set<String> = []
    for (path, access, plan) in granted {
      var name = path
      let file = path.split(separator: "/").last.map(String.init) ?? ""
      if path == plan.bundle.path {
        name = "BUNDLE"
      } else if path == plan.readWrite.first?.path {
        name = "CONTAINER"
      } else if runtime.contains(where: { path == $0 + file }), SystemFiles.isLibrary(file) {
        name = "RUNTIME/LIBRARY"
      } else if path.hasPrefix("/usr/share/zoneinfo/") {
        name = "/usr/share/zoneinfo/ZONE"
      } else if access == .readAndExecute, file.hasPrefix("ld-"),
        ["/usr/lib", "/lib"].contains(where: { path.hasPrefix($0) })
      {
        name = "LOADER"
      }
      names.insert("\(name) \(access)")
    }
    let written = Self.everywhere.union(network ? Self.forNetwork : [])
    #expect(names.subtracting(written) == [], "these are new")
    #expect(names.isSuperset(of: ["BUNDLE readAndExecute", "CONTAINER readAndWrite"]))
    #expect(names.contains("LOADER readAndExecute"))
    #expect(granted.allSatisfy { $0.plan.network == network })

    // Its log and its state say what confines it.
    let walls = try #require(await test.host.summary(of: identifier).walls)
    #expect(walls.contains("Landlock"))
    #expect(walls.contains("namespaces"))
    let log = try await test.host.logText(of: identifier)
    #expect(log.contains("sandbox: \(walls)"), "\(log)")
    // Those of the last start stay, whatever the machine offers later.
    #expect(try await test.host.summary(of: identifier).state.walls == walls)
  }
}
