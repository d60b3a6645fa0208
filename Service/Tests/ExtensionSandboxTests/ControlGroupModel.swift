import Glibc
import Synchronization

@testable import ExtensionSandbox

/// A model of the kernel's control groups, with the rules that matter for making them.
///
/// > Source: the kernel's `Documentation/admin-guide/cgroup-v2.rst`: delegation, top-down and
/// > no-internal-process constraints.
final class ControlGroupModel: ControlGroupFiles {
  struct Group {
    var processes: Set<Int32> = []
    var divided: Set<String> = []
    var limits: [String: String] = [:]
    var isOurs = false
    var attributes: [String: String] = [:]
    var events = "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n"
  }

  struct State {
    var groups: [String: Group] = [:]
    /// Processes that there are, with when they started.
    var started: [Int32: Int] = [:]
    /// Writes that fail with this error, by the file's name.
    var failing: [String: Int32] = [:]
    var swaps = true
    /// Every process that was put into a group, in order.
    var placed: [(process: Int32, group: String)] = []
  }

  let state: Mutex<State>
  let mount: String
  static let controllers: Set = ["memory", "pids", "cpu"]

  init(mount: String = "/sys/fs/cgroup", _ prepare: (inout State) -> Void) {
    self.mount = mount
    var state = State()
    state.groups[mount] = Group(divided: ["memory", "pids", "cpu"])
    prepare(&state)
    self.state = Mutex(state)
  }

  subscript(group: String) -> Group? { state.withLock { $0.groups[group] } }
  var names: [String] { state.withLock { $0.groups.keys.sorted() } }

  private static func split(_ path: String) -> (group: String, file: String) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// What the group above has handed down.
  private func offered(_ group: String, _ state: State) -> Set<String> {
    group == mount ? Self.controllers : state.groups[Self.split(group).group]?.divided ?? []
  }

  func text(_ path: String) -> String? {
    state.withLock { state in
      let (name, file) = Self.split(path)
      if name.hasPrefix("/proc/"), file == "stat", let process = Int32(name.dropFirst(6)) {
        return state.started[process].map {
          "\(process) (a) b) S \((4...21).map(String.init).joined(separator: " ")) \($0) 0"
        }
      }
      guard let group = state.groups[name] else { return nil }
      let offered = offered(name, state)
      switch file {
      case "cgroup.type": return name == mount ? nil : "domain\n"
      case "cgroup.controllers": return offered.sorted().joined(separator: " ") + "\n"
      case "cgroup.subtree_control": return group.divided.sorted().joined(separator: " ") + "\n"
      case "cgroup.procs": return group.processes.sorted().map { "\($0)\n" }.joined()
      case "memory.events": return offered.contains("memory") ? group.events : nil
      case "memory.swap.max": return offered.contains("memory") && state.swaps ? "max\n" : nil
      default: return group.limits[file]
      }
    }
  }

  func attribute(_ name: String, of path: String) -> String? { self[path]?.attributes[name] }

  func write(_ text: String, to path: String) -> Int32 {
    state.withLock { state in
      let (name, file) = Self.split(path)
      guard var group = state.groups[name] else { return ENOENT }
      guard group.isOurs else { return EACCES }
      if let error = state.failing[file] { return error }
      let offered = offered(name, state)
      switch file {
      case "cgroup.procs":
        guard let process = Int32(text) else { return EINVAL }
        if !group.divided.isEmpty { return EBUSY }
        for other in state.groups.keys { state.groups[other]?.processes.remove(process) }
        state.groups[name]?.processes.insert(process)
        state.placed.append((process, name))
        return 0
      case "cgroup.subtree_control":
        let wanted = Set(text.split(separator: " ").map { String($0.dropFirst()) })
        if !wanted.isSubset(of: offered) { return ENOENT }
        if !group.processes.isEmpty { return EBUSY }
        group.divided.formUnion(wanted)
      case "cgroup.kill": group.processes = []
      case "memory.max", "memory.swap.max", "memory.oom.group":
        if !offered.contains("memory") { return ENOENT }
        group.limits[file] = text
      case "pids.max":
        if !offered.contains("pids") { return ENOENT }
        group.limits[file] = text
      default: return ENOENT
      }
      state.groups[name] = group
      return 0
    }
  }

  func makeGroup(_ path: String) -> Int32 {
    state.withLock { state in
      guard let parent = state.groups[Self.split(path).group] else { return ENOENT }
      guard parent.isOurs else { return EACCES }
      guard state.groups[path] == nil else { return EEXIST }
      state.groups[path] = Group(isOurs: true)
      return 0
    }
  }

  func removeGroup(_ path: String) -> Int32 {
    state.withLock { state in
      guard let group = state.groups[path] else { return ENOENT }
      let hasInner = state.groups.keys.contains { $0.hasPrefix(path + "/") }
      guard group.processes.isEmpty, !hasInner else { return EBUSY }
      state.groups[path] = nil
      return 0
    }
  }

  func names(in path: String) -> [String] {
    state.withLock { state in
      state.groups.keys.filter { Self.split($0).group == path }.map { Self.split($0).file }.sorted()
    }
  }
}
