import Foundation
import Glibc
import Synchronization
import Testing

@testable import ExtensionSandbox

/// What is decided about control groups, against a model of the kernel's rules.
@Suite struct ControlGroupTests {
  private static let service = "/user.slice/user-1000.slice/user@1000.service/app.slice/t.service"
  private static let folder = "/sys/fs/cgroup" + service
  private static let mounts = """
    22 1 0:20 / / rw - ext4 /dev/sda1 rw
    30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate
    """
  private let limits = ProcessLimits(memory: 64 << 20, threads: 20)

  /// A service with a group of its own, in which its process and some others run.
  private func model(
    others: Set<Int32> = [],
    delegated: Set<String> = ["memory", "pids"],
    isOurs: Bool = true,
    _ prepare: (inout ControlGroupModel.State) -> Void = { _ in }
  ) -> ControlGroupModel {
    ControlGroupModel { state in
      var path = "/sys/fs/cgroup"
      for part in Self.service.split(separator: "/") {
        path += "/" + part
        state.groups[path] = ControlGroupModel.Group(divided: delegated)
      }
      state.groups[path] = ControlGroupModel.Group(
        processes: others.union([4711]),
        isOurs: isOurs,
        attributes: ["user.delegate": "1"]
      )
      state.started[4711] = 900
      prepare(&state)
    }
  }

  private func find(
    _ model: ControlGroupModel,
    membership: String = "0::\(Self.service)\n",
    mounts: String = Self.mounts
  ) throws(ControlGroups.Unavailable) -> ControlGroups {
    try ControlGroups(membership: membership, mounts: mounts, process: 4711, files: model)
  }

  @Test func aServiceDividesItsGroup() throws {
    let model = model()
    let groups = try find(model)
    #expect(groups.folder == Self.folder)
    #expect(model[Self.folder]?.processes == [])
    #expect(model[Self.folder + "/tickbird-host"]?.processes == [4711])
    let group = try #require(groups.group(for: 5000, limits: limits))
    #expect(group.folder.hasPrefix(Self.folder + "/tickbird-4711-900-"))
    let made = try #require(model[group.folder])
    #expect(made.processes == [5000])
    #expect(
      made.limits == [
        "memory.max": "\(64 << 20)", "memory.swap.max": "0", "memory.oom.group": "1",
        "pids.max": "20",
      ]
    )
    #expect(group.exceeded == nil)
    model.state.withLock { $0.groups[group.folder]?.events = "oom 1\noom_kill 1\n" }
    #expect(group.exceeded == .memory)
    // With a process in it that has not ended yet.
    group.remove()
    #expect(model[group.folder] == nil)
  }

  /// The program itself is in the group, and not what its namespace needs beside it.
  @Test func aStartMakesAGroupForTheProgram() async throws {
    let model = model()
    let workspace = try Workspace()
    let file = workspace.root.appending(path: "output").path(percentEncoded: false)
    let output = unsafe open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(output) }
    var plan = try LaunchPlan(
      executable: workspace.program,
      arguments: ["work"],
      environment: workspace.environment,
      channel: -1,
      output: output,
      profile: workspace.profile(),
      limits: ProcessLimits(),
      availability: Sandbox.available()
    )
    plan.groups = try find(model)
    let process = try Supervisor.start(plan)
    let groups = model.state.withLock { state in
      state.placed.filter { $0.group.hasPrefix(Self.folder + "/tickbird-4711-") }
    }
    #expect(groups.map(\.process) == [process.processIdentifier])
    _ = await process.wait()
    #expect(model.names.allSatisfy { !$0.contains("/tickbird-4711-") })
  }

  @Test func aContainersGroupHasNoMark() throws {
    let model = ControlGroupModel { state in
      state.groups["/sys/fs/cgroup/docker"] = ControlGroupModel.Group(divided: ["memory", "pids"])
      state.groups["/sys/fs/cgroup/docker/0123"] = ControlGroupModel.Group(
        processes: [4711],
        isOurs: true
      )
    }
    #expect(try find(model, membership: "0::/docker/0123\n").folder == "/sys/fs/cgroup/docker/0123")
  }

  @Test func whatIsReadyIsNotMadeAgain() throws {
    let model = model()
    _ = try find(model)
    let again = try find(model, membership: "0::\(Self.service)/tickbird-host\n")
    #expect(again.folder == Self.folder)
    #expect(model[Self.folder + "/tickbird-host"]?.processes == [4711])
  }

  @Test func ofAMachineWithoutSwapNoLimitOfItIsSet() throws {
    let model = model { $0.swaps = false }
    let group = try #require(find(model).group(for: 5000, limits: limits))
    #expect(model[group.folder]?.limits["memory.swap.max"] == nil)
  }

  @Test(arguments: [
    ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/t.service", "/user.slice", "/cg"),
    (
      "9:name=systemd:/x\n0::/user.slice/user-1000.slice/user@1000.service/app.slice/t.service",
      "/", "/a b"
    ),
  ]) func aPartOfTheHierarchyMayBeMountedAnywhere(
    _ membership: String,
    _ root: String,
    _ place: String
  ) throws {
    let rest = root == "/" ? Self.service : String(Self.service.dropFirst(root.count))
    let model = ControlGroupModel(mount: place) { state in
      var path = place
      for part in rest.split(separator: "/") {
        path += "/" + part
        state.groups[path] = ControlGroupModel.Group(divided: ["memory", "pids"])
      }
      state.groups[path] = ControlGroupModel.Group(
        processes: [4711],
        isOurs: true,
        attributes: ["trusted.delegate": "1"]
      )
    }
    let escaped = place.replacing(" ", with: "\\040")
    let line = "30 22 0:26 \(root) \(escaped) rw,nosuid shared:9 master:2 - cgroup2 none rw"
    #expect(try find(model, membership: membership, mounts: line).folder == place + rest)
  }

  /// Nothing is changed where there is no group for this process alone.
  @Test(arguments: [
    "others", "not delegated", "systemd's", "systemd's, said so", "one controller", "foreign",
    "root", "no v2", "not mounted",
    "outside", "move fails", "division fails",
  ]) func elsewhereEverythingStaysAsItWas(_ what: String) {
    var membership = "0::\(Self.service)\n"
    var mounts = Self.mounts
    let model: ControlGroupModel
    let reason: String
    switch what {
    case "others": (model, reason) = (self.model(others: [1, 2]), "other processes")
    case "not delegated": (model, reason) = (self.model(delegated: []), "memory and pids cannot")
    case "systemd's":
      (model, reason) = (self.model { $0.groups[Self.folder]?.attributes = [:] }, "is systemd's")
    case "systemd's, said so":
      (model, reason) = (
        self.model { $0.groups[Self.folder]?.attributes = ["user.delegate": "0"] }, "Delegate=yes"
      )
    case "one controller": (model, reason) = (self.model(delegated: ["pids"]), "memory cannot")
    case "foreign": (model, reason) = (self.model(isOurs: false), "no group can be made")
    case "root":
      (model, reason) = (self.model(), "the whole machine's")
      membership = "0::/\n"
    case "no v2":
      (model, reason) = (self.model(), "in no group of the unified hierarchy")
      membership = "4:memory:/x\n1:cpu:/\n"
    case "not mounted":
      (model, reason) = (self.model(), "is not mounted")
      mounts = "30 22 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory"
    case "outside":
      (model, reason) = (self.model(), "cannot be seen")
      membership = "0::/../other\n"
    case "move fails":
      (model, reason) = (self.model { $0.failing["cgroup.procs"] = EACCES }, "cannot be moved")
    default:
      (model, reason) = (
        self.model { $0.failing["cgroup.subtree_control"] = EOPNOTSUPP }, "cannot be divided"
      )
    }
    let (names, own) = (model.names, model[Self.folder]?.processes)
    let error = #expect(throws: ControlGroups.Unavailable.self) {
      try find(model, membership: membership, mounts: mounts)
    }
    #expect(error?.sentence.contains(reason) == true, "\(error?.sentence ?? "")")
    #expect(model.names == names)
    #expect(model[Self.folder]?.processes == own)
  }

  @Test(arguments: ["memory.max", "memory.swap.max", "pids.max", "cgroup.procs"])
  func aGroupWithoutALimitIsNoGroup(_ file: String) throws {
    let model = model()
    let groups = try find(model)
    model.state.withLock { $0.failing[file] = EINVAL }
    let names = model.names
    #expect(groups.group(for: 5000, limits: limits) == nil)
    #expect(model.names == names)
  }

  @Test func groupsOfThoseWhoAreGoneAreRemoved() throws {
    let model = model { state in
      state.started[99] = 5
      state.started[98] = 7
      for name in ["tickbird-99-5-1", "tickbird-97-3-1", "tickbird-98-6-2", "tickbird-x", "other"] {
        state.groups[Self.folder + "/" + name] = ControlGroupModel.Group(isOurs: true)
      }
      // A process that outlived its host, though it should not.
      state.groups[Self.folder + "/tickbird-97-3-1"]?.processes = [5001]
    }
    _ = try find(model)
    // Another host still runs as 99; 97 is gone, and 98 is another process now.
    #expect(
      model.names(in: Self.folder) == ["other", "tickbird-99-5-1", "tickbird-host", "tickbird-x"]
    )
  }

  @Test func itIsSaidWhatHoldsWhichLimit() {
    let with = Sandbox.holders(of: limits, hasGroups: true, reason: "")
    #expect(with.first { $0.resource == "memory" }?.amount == "64 MiB")
    #expect(with.first { $0.resource == "memory" }?.holder.contains("control group") == true)
    let without = Sandbox.holders(of: limits, hasGroups: false, reason: "it is not mounted")
    #expect(without.first { $0.resource == "memory" }?.holder.contains("it is not mounted") == true)
    #expect(without.map(\.resource).contains("disk"))
    let none = Sandbox.holders(
      of: ProcessLimits(memory: nil, threads: nil, disk: nil),
      hasGroups: false,
      reason: ""
    )
    #expect(!none.map(\.resource).contains("memory"))
  }
}
