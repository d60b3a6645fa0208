import Glibc
import Synchronization

/// Creates control groups for other processes, so that the kernel limits their memory and tasks.
///
/// A delegated group may be divided if this process is alone in it. Since a divided group cannot
/// hold processes itself, this process first moves to a subgroup:
///
///     the delegated group            (nothing)
///       tickbird-host                this process
///       tickbird-4711-830211-1       the process of an extension
///
/// Without a delegated group, or if other processes run in it, nothing is changed.
///
/// > Source: the kernel's `Documentation/admin-guide/cgroup-v2.rst`.
struct ControlGroups: Sendable {
  /// The delegated group's folder.
  let folder: String
  private let files: any ControlGroupFiles
  private let owner: String
  private static let lastNumber = Mutex(0)

  /// The name of the host's own subgroup.
  static let ownName = "tickbird-host"
  private static let prefix = "tickbird-"
  private static let controllers = ["memory", "pids"]

  /// Why there are no control groups, in one sentence.
  struct Unavailable: Error, Equatable {
    var sentence: String
  }

  /// The control groups of this process, looked up once.
  struct Shared: Sendable {
    var groups: ControlGroups?
    /// Why there are none.
    var reason: String
  }

  /// The control groups of this process; the first access sets them up.
  static let shared: Shared = {
    let files = KernelControlGroupFiles()
    do throws(Unavailable) {
      let groups = try ControlGroups(
        membership: files.text("/proc/self/cgroup") ?? "",
        mounts: files.text("/proc/self/mountinfo") ?? "",
        process: getpid(),
        files: files
      )
      return Shared(groups: groups, reason: "")
    } catch {
      return Shared(groups: nil, reason: error.sentence)
    }
  }()

  /// Finds the group delegated to a process, and prepares it for subgroups.
  ///
  /// - Parameters:
  ///   - membership: The process's `/proc/PID/cgroup`.
  ///   - mounts: Its `/proc/PID/mountinfo`.
  ///   - process: Its number.
  ///   - files: The file system of the groups.
  /// - Throws: ``Unavailable``; then nothing has changed.
  init(
    membership: String,
    mounts: String,
    process: Int32,
    files: any ControlGroupFiles
  ) throws(Unavailable) {
    var group = try Self.group(membership: membership, mounts: mounts)
    if group.split(separator: "/").last.map(String.init) == Self.ownName {
      // It was prepared before, or by the service's unit (DelegateSubgroup).
      group = String(group.dropLast(Self.ownName.count + 1))
    }
    folder = group
    self.files = files
    owner = "\(process)-\(Self.startTime(of: process, files) ?? 0)"
    try makeReady(process)
    removeLeftovers()
  }

  /// Returns the folder of the group that a process is in.
  private static func group(
    membership: String,
    mounts: String
  ) throws(Unavailable) -> String {
    guard let line = membership.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else {
      throw Unavailable(
        sentence: "this process is in no group of the unified hierarchy (cgroup v2)"
      )
    }
    let own = String(line.dropFirst("0::".count))
    guard !own.split(separator: "/").contains("..") else {
      throw Unavailable(sentence: "the group of this process, \(own), cannot be seen from here")
    }
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ").map(String.init)
      guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count > dash + 1,
        fields[dash + 1] == "cgroup2"
      else { continue }
      let (root, place) = (unescaped(fields[3]), unescaped(fields[4]))
      guard own.isAtOrBelow(root == "/" ? "" : root) else { continue }
      let rest = root == "/" ? own : String(own.dropFirst(root.count))
      return place + (rest == "/" ? "" : rest)
    }
    throw Unavailable(sentence: "the unified hierarchy (cgroup v2) is not mounted")
  }

  /// Decodes a path of the kernel, which writes white space and backslashes as octal escapes.
  private static func unescaped(_ path: String) -> String {
    path.replacing("\\040", with: " ").replacing("\\011", with: "\t").replacing("\\134", with: "\\")
  }

  private func makeReady(_ process: Int32) throws(Unavailable) {
    guard files.text(folder + "/cgroup.type") != nil else {
      throw Unavailable(sentence: "the group of this process is the whole machine's")
    }
    guard isDelegated else {
      throw Unavailable(
        sentence: "the group \(folder) is systemd's, and not delegated (Delegate=yes in the unit)"
      )
    }
    let offered = words("cgroup.controllers")
    let missing = Self.controllers.filter { !offered.contains($0) }
    guard missing.isEmpty else {
      throw Unavailable(
        sentence: "\(missing.joined(separator: " and ")) cannot be limited in \(folder)"
      )
    }
    let enabled = words("cgroup.subtree_control")
    if Self.controllers.allSatisfy(enabled.contains) { return }
    let others = words("cgroup.procs").filter { $0 != String(process) }
    guard others.isEmpty else {
      throw Unavailable(
        sentence: "other processes run in the group \(folder) too; a service of its own has one to"
          + " itself (systemd-run --user --scope -p Delegate=yes tickbird-host run)"
      )
    }
    let own = folder + "/" + Self.ownName
    func failed(_ what: String, _ error: Int32) -> Unavailable {
      Unavailable(sentence: "\(what): \(describeError(Int(error)))")
    }
    let made = files.makeGroup(own)
    guard made == 0 || made == EEXIST else {
      throw failed("no group can be made in \(folder)", made)
    }
    let moved = files.write(String(process), to: own + "/cgroup.procs")
    guard moved == 0 else {
      if made == 0 { _ = files.removeGroup(own) }
      throw failed("this process cannot be moved to \(own)", moved)
    }
    let both = Self.controllers.map { "+" + $0 }.joined(separator: " ")
    let divided = files.write(both, to: folder + "/cgroup.subtree_control")
    guard divided == 0 else {
      // Move back, so that nothing has changed.
      if files.write(String(process), to: folder + "/cgroup.procs") == 0 {
        _ = files.removeGroup(own)
      }
      throw failed("the group \(folder) cannot be divided", divided)
    }
  }

  /// Whether nobody else controls the group: systemd marks what it delegates to a unit.
  ///
  /// > Source: systemd's "Control Group APIs and Delegation", and systemd.resource-control(5).
  private var isDelegated: Bool {
    let name = folder.split(separator: "/").last ?? ""
    guard [".service", ".scope", ".slice"].contains(where: name.hasSuffix) else { return true }
    return ["user.delegate", "trusted.delegate"].contains {
      files.attribute($0, of: folder) == "1"
    }
  }

  private func words(_ name: String) -> [String] {
    (files.text(folder + "/" + name) ?? "").split { $0 == " " || $0 == "\n" }.map(String.init)
  }

  /// Removes the groups of hosts that no longer exist, whose processes ended with them.
  private func removeLeftovers() {
    for name in files.names(in: folder) where name.hasPrefix(Self.prefix) && name != Self.ownName {
      let parts = name.dropFirst(Self.prefix.count).split(separator: "-")
      guard parts.count == 3, let process = Int32(parts[0]), let start = Int(parts[1]),
        Self.startTime(of: process, files) != start
      else { continue }
      ControlGroup(folder: folder + "/" + name, files: files).remove()
    }
  }

  /// Returns when a process started, in clock ticks; nil if it does not exist.
  ///
  /// > Source: proc_pid_stat(5), field 22; the name before it may contain anything.
  private static func startTime(of process: Int32, _ files: any ControlGroupFiles) -> Int? {
    guard let text = files.text("/proc/\(process)/stat") else { return nil }
    let bytes = Array(text.utf8)
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
    return fields.count > 22 - 3 ? Int(String(decoding: fields[22 - 3], as: UTF8.self)) : nil
  }

  /// Creates a group for a process that has not begun its work, and moves it there.
  ///
  /// - Returns: nil if no limit needs a group, or the kernel refused to create it.
  func group(for process: Int32, limits: ProcessLimits) -> ControlGroup? {
    guard limits.memory != nil || limits.threads != nil else { return nil }
    let number = Self.lastNumber.withLock { last in
      last += 1
      return last
    }
    let group = ControlGroup(folder: "\(folder)/\(Self.prefix)\(owner)-\(number)", files: files)
    guard files.makeGroup(group.folder) == 0 else { return nil }
    guard group.limit(limits), files.write(String(process), to: group.folder + "/cgroup.procs") == 0
    else {
      group.remove()
      return nil
    }
    return group
  }
}

/// The control group of one process.
struct ControlGroup: Sendable {
  let folder: String
  let files: any ControlGroupFiles

  /// - Returns: Whether all limits could be set.
  fileprivate func limit(_ limits: ProcessLimits) -> Bool {
    if let memory = limits.memory {
      guard files.write(String(memory), to: folder + "/memory.max") == 0 else { return false }
      // Swapped-out memory counts too. The file is absent on kernels without swap.
      if files.text(folder + "/memory.swap.max") != nil,
        files.write("0", to: folder + "/memory.swap.max") != 0
      {
        return false
      }
      _ = files.write("1", to: folder + "/memory.oom.group")
    }
    if let threads = limits.threads {
      guard files.write(String(threads), to: folder + "/pids.max") == 0 else { return false }
    }
    return true
  }

  /// The limit for which the kernel killed the process.
  var exceeded: ProcessLimit? {
    for line in (files.text(folder + "/memory.events") ?? "").split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, words[0] == "oom_kill", words[1] != "0" { return .memory }
    }
    return nil
  }

  /// Kills what is in the group, and removes it.
  func remove() {
    let (attempts, pause) = (20, UInt32(5_000))
    for attempt in 0..<attempts {
      let result = files.removeGroup(folder)
      guard result == EBUSY else { return }
      if attempt == 0 { _ = files.write("1", to: folder + "/cgroup.kill") }
      usleep(pause)
    }
  }
}
