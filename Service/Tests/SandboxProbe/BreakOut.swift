import Foundation
import Glibc

/// The lines of attempts.
struct Report {
  /// Errors by which the sandbox refuses; the calls themselves would fail with others.
  static let refusals: Set<Int32> = [EPERM, EACCES, EXDEV, ENOSYS, EOPNOTSUPP, EROFS]

  func attempt(_ name: String, told call: String = "-", _ result: Int) {
    let outcome =
      result >= 0
      ? "allowed"
      // What is tried is there on every machine: a root of one's own does not have it.
      : result == -Int(ENOENT)
        ? "absent" : Self.refusals.contains(Int32(-result)) ? "refused" : "error \(-result)"
    say("\(name)\t\(call)\t\(outcome)")
  }

  /// For functions of the C library, which say -1 and set `errno`.
  func attempt(_ name: String, told call: String = "-", status: Int32) {
    attempt(name, told: call, status == -1 ? -Int(errno) : Int(status))
  }

  /// A call with arguments that would fail otherwise, so that it harms nothing where it is allowed.
  func attempt(call: String, _ a: Int = 0, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0, _ e: Int = 0) {
    guard let number = Number[call] else { return }
    attempt(call, told: call, systemCall(number, a, b, c, d, e))
  }
}

func variable(_ name: String) -> String { ProcessInfo.processInfo.environment[name] ?? "" }

func breakOut() {
  let report = Report()
  breakOutByDescriptors(report)
  breakOutOfFiles(report)
  breakOutByModes(report)
  breakOutBySockets(report)
  breakOutByProcesses(report)
  breakOutOfKernel(report)
  breakOutByArguments(report)
  breakOutByDescriptorsOfFolders(report)
  breakOutByPlaces(report)
  say("done")
}

private func breakOutOfFiles(_ report: Report) {
  let outside = variable("PROBE_OUTSIDE")
  let inside = variable("HOME")
  let bundle = Bundle.main.bundlePath
  let secret = outside + "/secret"
  report.attempt("read outside", told: "openat", status: unsafe open(secret, O_RDONLY))
  report.attempt("list outside", told: "openat", status: unsafe open(outside, O_DIRECTORY))
  report.attempt("write outside", told: "openat", status: unsafe open(secret, O_WRONLY))
  report.attempt(
    "make a file outside",
    told: "openat",
    status: unsafe open(outside + "/new", O_WRONLY | O_CREAT, 0o600)
  )
  report.attempt("make a folder outside", status: unsafe mkdir(outside + "/folder", 0o700))
  report.attempt("remove outside", status: unsafe unlink(outside + "/removable"))
  report.attempt("remove a folder outside", status: unsafe rmdir(outside + "/empty"))
  report.attempt(
    "write to the bundle",
    told: "openat",
    status: unsafe open(bundle + "/Info.plist", O_WRONLY)
  )
  report.attempt(
    "empty a file of the bundle",
    status: unsafe open(bundle + "/Info.plist", O_RDONLY | O_TRUNC)
  )
  report.attempt(
    "truncate by path",
    told: "truncate",
    systemCall(Number["truncate"] ?? 0, path: secret)
  )
  report.attempt("read the users", told: "openat", status: unsafe open("/etc/passwd", O_RDONLY))
  report.attempt("list the home folders", told: "openat", status: unsafe open("/home", O_DIRECTORY))
  report.attempt("list the root folder", told: "openat", status: unsafe open("/", O_DIRECTORY))

  // By way of the container.
  _ = FileManager.default.createFile(atPath: inside + "/own", contents: Data("own".utf8))
  _ = unsafe symlink(secret, inside + "/way-out")
  _ = unsafe symlink(outside, inside + "/folder-out")
  report.attempt(
    "read through a link",
    told: "openat",
    status: unsafe open(inside + "/way-out", O_RDONLY)
  )
  report.attempt(
    "write through a link",
    told: "openat",
    status: unsafe open(inside + "/way-out", O_WRONLY)
  )
  report.attempt(
    "make a file through a link",
    told: "openat",
    status: unsafe open(inside + "/folder-out/new", O_WRONLY | O_CREAT, 0o600)
  )
  report.attempt(
    "read through ..",
    told: "openat",
    status: unsafe open(inside + "/../outside/secret", O_RDONLY)
  )
  report.attempt(
    "read through /proc/self/root",
    told: "openat",
    status: unsafe open("/proc/self/root" + secret, O_RDONLY)
  )
  report.attempt("hard link from outside", status: unsafe link(secret, inside + "/hard"))
  report.attempt("hard link to outside", status: unsafe link(inside + "/own", outside + "/hard"))
  report.attempt("rename to outside", status: unsafe rename(inside + "/own", outside + "/moved"))
  report.attempt("rename from outside", status: unsafe rename(secret, inside + "/moved"))
  let device = 0o020_600
  let null = 1 << 8 | 3
  report.attempt(
    "make a device file",
    told: "mknodat",
    status: unsafe mknod(inside + "/null", mode_t(device), dev_t(null))
  )
  report.attempt("make a pipe", told: "mknodat", status: unsafe mkfifo(inside + "/pipe", 0o600))

  // Other processes' and the kernel's files.
  let other = variable("PROBE_PROCESS")
  report.attempt("list processes", told: "openat", status: unsafe open("/proc", O_DIRECTORY))
  for name in ["environ", "cmdline", "status", "mem", "maps"] {
    report.attempt(
      "read another process's \(name)",
      told: "openat",
      status: unsafe open("/proc/\(other)/\(name)", O_RDONLY)
    )
  }
  report.attempt(
    "list another's descriptors",
    status: unsafe open("/proc/\(other)/fd", O_DIRECTORY)
  )
  report.attempt(
    "write own memory's score",
    status: unsafe open("/proc/self/oom_score_adj", O_WRONLY)
  )
  report.attempt(
    "write to the kernel",
    status: unsafe open("/proc/sys/kernel/core_pattern", O_WRONLY)
  )
  report.attempt("list devices", status: unsafe open("/dev", O_DIRECTORY))
  report.attempt(
    "shared memory by name",
    status: unsafe shm_open("/tickbird-probe", O_RDWR | O_CREAT, 0o600)
  )
  report.attempt("watch files", told: "inotify_init1", systemCall(Number["inotify_init1"] ?? 0))
}

/// Landlock does not cover these.
private func breakOutByModes(_ report: Report) {
  let secret = variable("PROBE_OUTSIDE") + "/secret"
  let inside = variable("HOME")
  let bundle = Bundle.main.bundlePath + "/Info.plist"
  report.attempt("chmod outside", status: unsafe chmod(secret, 0o777))
  report.attempt("chmod through a link", status: unsafe chmod(inside + "/way-out", 0o777))
  report.attempt("chmod of the bundle", status: unsafe chmod(bundle, 0o777))
  let readOnly = unsafe open(bundle, O_RDONLY)
  report.attempt("fchmod of the bundle", told: "fchmod", status: fchmod(readOnly, 0o777))
  report.attempt("times of the bundle", told: "utimensat", status: futimens(readOnly, nil))
  report.attempt(
    "times outside",
    told: "utimensat",
    status: unsafe utimensat(AT_FDCWD, secret, nil, 0)
  )
  report.attempt(
    "chown outside",
    told: "fchownat",
    status: unsafe fchownat(AT_FDCWD, secret, getuid(), getgid(), 0)
  )
  report.attempt(
    "fchown of the bundle",
    told: "fchown",
    status: fchown(readOnly, getuid(), getgid())
  )
  report.attempt(
    "attribute outside",
    systemCall(Number["setxattr"] ?? 0, path: secret, 1 << 30)
  )
  close(readOnly)
  // Allowed within the container, without the bits by which programs change their user.
  let own = inside + "/own"
  let setUser: mode_t = 0o4755
  var status = stat()
  _ = unsafe chmod(own, setUser)
  unsafe stat(own, &status)
  report.attempt(
    "set the user bit",
    status.st_mode & 0o7000 == 0 ? -Int(EPERM) : 0
  )
}
