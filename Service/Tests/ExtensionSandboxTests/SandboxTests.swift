import Testing
import Foundation
import ExtensionSandbox
import Glibc
@Test func hello() async throws {
  print(Sandbox.available().sentence)
  let b = URL(filePath: "/tmp/sbx/b"), c = URL(filePath: "/tmp/sbx/home")
  try? FileManager.default.removeItem(at: b.appending(path: "SandboxProbe"))
  let built = URL(filePath: ProcessInfo.processInfo.arguments[0])
  print(built, Bundle.main.bundlePath)
  try FileManager.default.copyItem(at: URL(filePath: "/tmp/wt/sandbox/Service/.build/debug/SandboxProbe"), to: b.appending(path: "SandboxProbe"))
  let p = try SandboxedProcess.start(executable: b.appending(path: "SandboxProbe"), arguments: ["a"], environment: ["HOME": c.path, "CFFIXED_USER_HOME": c.path], channel: -1, output: 1, profile: SandboxProfile(bundle: b, readWrite: [c]))
  print(p.processIdentifier, await p.wait())
  for r in p.refusals { print(r) }
}
