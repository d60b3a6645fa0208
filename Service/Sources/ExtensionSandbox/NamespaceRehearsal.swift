import CSandbox
import Foundation
import Glibc

/// Why a child did not get its namespaces; it can be started without them.
struct NamespaceFailure: Error {
  var reason: String

  init(_ report: csandbox_report, root: PrivateRoot) {
    let error = describeError(Int(report.error))
    let steps = root.steps
    switch Int(report.step) {
    case _ where UInt32(report.stage) == csandbox_stage_namespaces.rawValue:
      reason = Self.cause(of: report.error) ?? "the kernel lets this user make none: \(error)"
    case let step where steps.indices.contains(step):
      reason = "\(Self.path(of: steps[step])) cannot be put into its own root: \(error)"
    default: reason = "the kernel gives a process no root of its own: \(error)"
    }
  }

  init(reason: String) {
    self.reason = reason
  }

  private static func path(of step: PrivateRoot.Step) -> String {
    switch step {
    case .folder(let path), .file(let path), .bind(let path, _, _): path
    case .link(let link): link.path
    }
  }

  /// Returns the setting that denies namespaces, if it is a known one.
  private static func cause(of error: Int32) -> String? {
    func value(_ name: String) -> String? {
      try? String(contentsOfFile: "/proc/sys/\(name)", encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    if value("user/max_user_namespaces") == "0" {
      return "the kernel's setting user.max_user_namespaces is 0"
    }
    if value("kernel/unprivileged_userns_clone") == "0", geteuid() != 0 {
      return "the kernel's setting kernel.unprivileged_userns_clone is 0"
    }
    if value("kernel/apparmor_restrict_unprivileged_userns") == "1", geteuid() != 0 {
      return "AppArmor denies them; kernel.apparmor_restrict_unprivileged_userns is 1"
    }
    return error == EPERM ? "a container or a filter around the host denies them" : nil
  }
}

/// Finds out whether a process gets namespaces, by creating one that does everything except start a
/// program.
enum NamespaceRehearsal {
  /// The outcome; tried once in this process.
  static let result: NamespaceAvailability = {
    do throws(NamespaceFailure) {
      try rehearse(ownProcesses: true)
      return .all
    } catch {
      do throws(NamespaceFailure) {
        try rehearse(ownProcesses: false)
        return .withoutProcesses(reason: error.reason)
      } catch {
        return .none(reason: error.reason)
      }
    }
  }()

  private static func rehearse(ownProcesses: Bool) throws(NamespaceFailure) {
    guard let system = try? SystemFiles(network: .none, avoiding: WritableFolders()) else {
      throw NamespaceFailure(reason: "the system's files cannot be found")
    }
    let root = PrivateRoot(grants: Array(system.grants.values), links: system.links)
    let request = NamespaceRequest(root: root, ownProcesses: ownProcesses, network: .none)
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let nothing = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(nothing) }
    guard nothing >= 0, unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw NamespaceFailure(reason: "no process can be made: \(describeError(Int(errno)))")
    }
    defer { close(ends[0]) }
    var starter: Int32 = -1
    let process = unsafe "/".withCString { folder in
      var plan = unsafe csandbox_plan()
      unsafe plan.directory = folder
      unsafe plan.channel = -1
      unsafe plan.output = nothing
      unsafe plan.input = nothing
      unsafe plan.report = ends[1]
      unsafe plan.rule_set = -1
      unsafe plan.namespaces = request.pointer
      return unsafe csandbox_start(&plan, &starter)
    }
    close(ends[1])
    withExtendedLifetime(request) {}
    guard process > 0 else {
      throw NamespaceFailure(reason: "no process can be made: \(describeError(-Int(process)))")
    }
    var processes: NamespaceProcesses?
    var failure: NamespaceFailure?
    var program: Int32 = -1
    defer {
      NamespaceProcesses.end(&program)
      processes?.end()
      NamespaceProcesses.end(&starter)
    }
    while failure == nil {
      var report = csandbox_report()
      var descriptor: Int32 = -1
      var asked = [pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)]
      let isReady: Bool
      do throws(SandboxError) {
        isReady = try pollDescriptors(&asked, milliseconds: deadline)
      } catch {
        failure = NamespaceFailure(reason: error.message)
        break
      }
      guard isReady else {
        failure = NamespaceFailure(reason: "trying it took longer than \(deadline / 1000) s")
        break
      }
      guard unsafe csandbox_receive(ends[0], &report, &descriptor) > 0 else { break }
      if UInt32(report.stage) == csandbox_stage_started.rawValue {
        defer { starter = -1 }
        do {
          let made = try NamespaceProcesses(report, starter: starter)
          (processes, program) = (made, made.programDescriptor)
        } catch {
          failure = NamespaceFailure(reason: "\(error)")
        }
      } else {
        failure = NamespaceFailure(report, root: root)
      }
    }
    // A filter around the host may kill whoever makes a call that it forbids, without a report.
    if failure == nil {
      let isDone =
        ownProcesses
        ? NamespaceProcesses.endedWell(&program) : NamespaceProcesses.endedWell(&starter)
      if !isDone {
        failure = NamespaceFailure(
          reason: "something around the host ends the process that tries it"
        )
      }
    }
    if let failure { throw failure }
  }

  private static let deadline: Int32 = 10_000
}
