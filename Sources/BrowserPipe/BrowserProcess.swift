internal import CLibrary
internal import Foundation

/// A browser without a window, in a process group and with a profile of its own, both of which go away
/// with it.
///
/// A shell, the group's first process, removes the profile when the browser has ended. The browser
/// ends as soon as the pipes are closed, so nothing stays when this program is killed, too.
final class BrowserProcess {
  /// The pipe's end that commands are written to.
  let input: Int32
  /// The pipe's end that answers are read from.
  let output: Int32
  private let process: pid_t
  private let profile: URL
  private var isEnded = false

  /// Starts a browser.
  ///
  /// - Throws: ``BrowserFailure`` if it cannot be started.
  init(program: String, arguments: [String]) throws(BrowserFailure) {
    // Writing to a browser that is gone is an error and not a signal.
    signal(SIGPIPE) { _ in }
    profile = try Self.privateFolder()
    let toBrowser: (read: Int32, write: Int32)
    let fromBrowser: (read: Int32, write: Int32)
    do throws(BrowserFailure) {
      toBrowser = try Self.pipe()
      fromBrowser = try Self.pipe()
      process = try Self.spawn(
        ["/bin/sh", "-c", Self.script, "sh", profile.path, program]
          + Self.arguments(profile: profile) + arguments,
        home: profile,
        read: toBrowser.read,
        write: fromBrowser.write
      )
    } catch {
      try? FileManager.default.removeItem(at: profile)
      throw error
    }
    close(toBrowser.read)
    close(fromBrowser.write)
    (input, output) = (toBrowser.write, fromBrowser.read)
  }

  deinit { end() }

  /// Ends the browser with all its processes, and removes its profile.
  func end() {
    guard !isEnded else { return }
    isEnded = true
    close(input)
    close(output)
    // Its processes are told by the pipe's end, and have a moment to leave.
    var status: Int32 = 0
    for _ in 0..<50 {
      if unsafe waitpid(process, &status, WNOHANG) != 0 { break }
      usleep(10_000)
    }
    _ = kill(-process, SIGKILL)
    _ = unsafe waitpid(process, &status, 0)
    removeProfile()
  }

  /// Removes the profile, and what processes write into it while they end.
  private func removeProfile() {
    var absentCount = 0
    for _ in 0..<60 where absentCount < 4 {
      if FileManager.default.fileExists(atPath: profile.path) {
        absentCount = 0
        try? FileManager.default.removeItem(at: profile)
      } else {
        absentCount += 1
      }
      usleep(25_000)
    }
  }

  /// Runs the browser; the shell closes its own ends of the pipes, so that they end with the browser.
  ///
  /// Its last processes may write into the profile while it is removed.
  private static let script = """
    profile=$1; shift
    "$@" &
    exec 3<&- 4>&-
    wait $!
    rm -rf "$profile" || { sleep 1; rm -rf "$profile"; }
    """

  private static func arguments(profile: URL) -> [String] {
    var arguments = [
      "--headless=new", "--user-data-dir=\(profile.path)/profile", "--remote-debugging-pipe",
      "--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-sync",
      "--disable-extensions", "--disable-component-update", "--disable-default-apps",
      "--disable-background-networking", "--disable-breakpad", "--disable-dev-shm-usage",
      // The lists upgrade to https, and nobody else.
      "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,OptimizationHints,Translate",
      "--password-store=basic", "--mute-audio", "--hide-scrollbars", "--force-color-profile=srgb",
    ]
    // WebRTC sends past everything that decides requests; the switch had another name once.
    arguments += ["", "force-"].map { "--\($0)webrtc-ip-handling-policy=disable_non_proxied_udp" }
    // Chromium's sandbox refuses to run as root.
    if geteuid() == 0 { arguments.append("--no-sandbox") }
    return arguments
  }

  /// The longest path of the folder for temporary files: Chromium has a socket in it, whose path
  /// may have 107 bytes.
  private static let longestBase = 30

  /// Makes a folder that only this user can read.
  private static func privateFolder() throws(BrowserFailure) -> URL {
    var base = FileManager.default.temporaryDirectory
    if base.path.utf8.count > longestBase, FileManager.default.isWritableFile(atPath: "/tmp") {
      base = URL(fileURLWithPath: "/tmp", isDirectory: true)
    }
    let name = "tickbird-browser-\(UUID().uuidString.prefix(8).lowercased())"
    let folder = base.appendingPathComponent(name)
    do {
      try FileManager.default.createDirectory(
        at: folder,
        withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700]
      )
    } catch {
      throw BrowserFailure(
        .cannotStart,
        "no folder for the browser's profile can be made in \(base.path); "
          + "set TMPDIR to a folder that can be written"
      )
    }
    return folder
  }

  private static func pipe() throws(BrowserFailure) -> (read: Int32, write: Int32) {
    do throws(SystemError) { return try privatePipe() } catch {
      throw BrowserFailure(.cannotStart, "no pipe to the browser: \(error)")
    }
  }

  private static func spawn(
    _ command: [String],
    home: URL,
    read: Int32,
    write: Int32
  ) throws(BrowserFailure) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, mode) in [(Int32(0), O_RDONLY), (1, O_WRONLY), (2, O_WRONLY)] {
      unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", mode, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, read, 3)
    unsafe posix_spawn_file_actions_adddup2(&actions, write, 4)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK)
    )
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    // A shell from which the signals of its children are kept away waits for ever.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = home.path
    // So that what Chromium leaves when it is killed goes away with the profile.
    environment["TMPDIR"] = home.path
    for name in environment.keys where name.hasPrefix("XDG_") || name == "DISPLAY" {
      environment[name] = nil
    }
    var process: pid_t = 0
    let variables = environment.map { "\($0.key)=\($0.value)" }
    let status = unsafe withCStrings(command) { arguments in
      unsafe withCStrings(variables) { variables in
        unsafe posix_spawn(&process, command[0], &actions, &attributes, arguments, variables)
      }
    }
    guard status == 0 else {
      throw BrowserFailure(
        .cannotStart,
        "\(command[0]) cannot be started: \(systemWords(for: status))"
      )
    }
    return process
  }
}
