import ExtensionSandbox
import Foundation
import Glibc
import Testing

/// Attacks in two steps: what a first start leaves behind must grant the second one nothing.
@Suite(.enabled(if: CProgram.compiler != nil, "no C compiler is there"))
struct PreparedStartTests {
  /// Does what its arguments say, by two: make something, or read something and say the outcome.
  private static let program = """
    #include <fcntl.h>
    #include <stdio.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <unistd.h>
    static void make(const char *what, const char *path, const char *target) {
      if (!strcmp(what, "folder")) mkdir(path, 0700);
      if (!strcmp(what, "file")) close(open(path, O_CREAT | O_RDWR, 0600));
      if (!strcmp(what, "link") && symlink(target, path)) perror(path);
    }
    int main(int count, char **words) {
      for (int i = 1; i + 2 < count; i += 3) {
        if (strcmp(words[i], "read") && strcmp(words[i], "list")) {
          make(words[i], words[i + 1], words[i + 2]);
          continue;
        }
        char text[64];
        int file = open(words[i + 1], words[i][0] == 'l' ? O_DIRECTORY : O_RDONLY | O_NONBLOCK);
        ssize_t size = file < 0 || words[i][0] == 'l' ? file : read(file, text, sizeof text);
        printf("%s %s %s\\n", words[i], words[i + 1], size < 0 ? "refused" : "DONE");
      }
      printf("end\\n");
      return 0;
    }
    """

  struct Attack: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// `CONTAINER`, `GROUP` and `OUTSIDE` are put in.
    var flags: [String]
    /// Words for the program's first start, by three.
    var preparation: [String]
    /// What somebody else does meanwhile.
    var meanwhile: @Sendable (Workspace) throws -> Void = { _ in }
    var environment: [String: String] = [:]
  }

  private static let runtime = ["file", "x/libswiftCore.so", "-"]
  private static let folder = ["folder", "x", "-"] + runtime

  private static let attacks: [Attack] = [
    Attack(
      testDescription: "a link named like a library, to the root",
      flags: ["-Wl,-rpath,$ORIGIN/../container/x"],
      preparation: folder + ["link", "x/libloot.so", "/"]
    ),
    Attack(
      testDescription: "a link to the secret itself",
      flags: ["-Wl,-rpath,CONTAINER/x"],
      preparation: folder + ["link", "x/libloot.so.1", "OUTSIDE/secret"]
    ),
    Attack(
      testDescription: "the older way to name folders",
      flags: ["-Wl,--disable-new-dtags", "-Wl,-rpath,CONTAINER/x"],
      preparation: folder + ["link", "x/libloot.so", "OUTSIDE"]
    ),
    Attack(
      testDescription: "a folder in an application group",
      flags: ["-Wl,-rpath,GROUP/x"],
      preparation: [
        "folder", "GROUP/x", "-", "file", "GROUP/x/libswiftCore.so", "-",
        "link", "GROUP/x/libloot.so", "OUTSIDE",
      ]
    ),
    Attack(
      testDescription: "a folder by way of ..",
      flags: ["-Wl,-rpath,$ORIGIN/../outside/../container/y/../x"],
      preparation: folder + ["folder", "y", "-", "link", "x/libloot.so", "OUTSIDE"]
    ),
    Attack(
      testDescription: "a folder that is a link",
      flags: ["-Wl,-rpath,CONTAINER/z"],
      preparation: folder + ["link", "z", "x", "link", "x/libloot.so", "OUTSIDE"]
    ),
    Attack(
      testDescription: "a folder that is a link to the victim's",
      flags: ["-Wl,-rpath,CONTAINER/z"],
      preparation: ["link", "z", "OUTSIDE"],
      meanwhile: { workspace in
        // The victim's folder happens to hold a runtime and other files named like libraries.
        for name in ["libswiftCore.so", "libsecret.so"] {
          try Data("secret".utf8).write(to: workspace.outside.appending(path: name))
        }
      }
    ),
    Attack(
      testDescription: "a folder named like a library, in a link named like one",
      flags: ["-Wl,-rpath,CONTAINER/x"],
      preparation: folder + ["folder", "x/liba.so", "-", "link", "x/libb.so", "OUTSIDE"]
    ),
    Attack(
      testDescription: "a chain of links",
      flags: ["-Wl,-rpath,CONTAINER/x"],
      preparation: folder + [
        "link", "x/liba.so", "libb.so", "link", "x/libb.so", "../hop", "link", "hop", "OUTSIDE",
      ]
    ),
    Attack(
      testDescription: "a pipe and a socket named like libraries",
      flags: ["-Wl,-rpath,CONTAINER/x"],
      preparation: folder,
      meanwhile: { workspace in
        let folder = workspace.container.appending(path: "x").path(percentEncoded: false)
        try #require(unsafe mkfifo(folder + "/libpipe.so", 0o600) == 0)
        try #require(unsafe mkfifo(folder + "/libswiftCore.so.1", 0o600) == 0)
        _ = try DatagramReceiver(
          at: workspace.container.appending(path: "x").appending(path: "libs.so")
        )
      }
    ),
    Attack(
      testDescription: "a hard link to the secret",
      flags: ["-Wl,-rpath,CONTAINER/x"],
      preparation: folder,
      meanwhile: { workspace in
        let secret = workspace.outside.appending(path: "secret").path(percentEncoded: false)
        let other = workspace.container.appending(path: "x/libhard.so")
        try #require(unsafe link(secret, other.path(percentEncoded: false)) == 0)
      }
    ),
    Attack(
      testDescription: "the environment's folders",
      flags: [],
      preparation: folder + ["link", "x/libloot.so", "OUTSIDE"],
      environment: ["LD_LIBRARY_PATH": "CONTAINER/x", "LD_PRELOAD": "CONTAINER/x/libloot.so/a.so"]
    ),
    Attack(
      testDescription: "the container itself",
      flags: ["-Wl,-rpath,CONTAINER:GROUP:/:$ORIGIN/.."],
      preparation: [
        "file", "libswiftCore.so", "-", "link", "libloot.so", "OUTSIDE", "link", "libroot.so", "/",
      ]
    ),
  ]

  @Test(arguments: attacks, [true, false]) func aSecondStartIsGrantedNoMore(
    _ attack: Attack,
    _ namespaces: Bool
  ) async throws {
    let workspace = try Workspace()
    var availability = Sandbox.available()
    if !namespaces { availability.namespaces = .none(reason: "for this test") }
    func full(_ text: String) -> String {
      text.replacing("CONTAINER", with: workspace.container.path(percentEncoded: false))
        .replacing("GROUP", with: workspace.group.path(percentEncoded: false))
        .replacing("OUTSIDE", with: workspace.outside.path(percentEncoded: false))
    }
    try CProgram.build(Self.program, attack.flags.map(full), at: workspace.program)
    let loot = [
      "read", "OUTSIDE/secret", "-", "list", "OUTSIDE", "-", "read", "/etc/passwd", "-",
      "list", "/", "-", "read", "x/libloot.so", "-", "read", "x/libloot.so.1", "-",
      "read", "OUTSIDE/libsecret.so", "-", "list", "x/libb.so", "-",
    ].map(full)
    for start in 1...3 {
      let (status, run) = try await workspace.run(
        (start == 1 ? attack.preparation.map(full) : []) + loot,
        adding: attack.environment.mapValues(full),
        availability: availability
      )
      #expect(status == .exited(0), "\(run.text)")
      #expect(run.lines.last == "end")
      #expect(!run.text.contains("DONE"), "start \(start): \(run.text)")
      if start == 1 { try attack.meanwhile(workspace) }
    }
  }

  /// The loader is the system's, by a name that nobody can turn to something else.
  @Test(arguments: [
    "CONTAINER/ld-linux.so", "/lib64/../CONTAINER/ld-linux.so", "/proc/self/cwd/ld-linux.so",
    "/usr/lib/../../CONTAINER/ld-linux.so", "ld-linux.so", "/lib//x86_64-linux-gnu/libc.so.6",
  ])
  func theLoaderIsTheSystems(_ name: String) async throws {
    let workspace = try Workspace()
    let container = workspace.container.path(percentEncoded: false)
    let processor = try #require(ExecutableInterpreter.ofThisProcess)
    try FileManager.default.createSymbolicLink(
      atPath: container + "/ld-linux.so",
      withDestinationPath: processor
    )
    let path = name.replacing("/CONTAINER", with: container)
      .replacing("CONTAINER", with: container)
    try CProgram.build(
      Self.program,
      ["-Wl,--dynamic-linker=\(path)"],
      at: workspace.program
    )
    let error = #expect(throws: SandboxError.self) { try workspace.start(["-"]) }
    #expect(error?.code == .executable)
    #expect(error?.message.contains("loader") == true, "\(error?.message ?? "")")
  }

  /// Folders that a program could have put where the host looks for its own.
  @Test func foldersOfProgramsAreNoOnesElse() async throws {
    let workspace = try Workspace()
    let containers = workspace.root.appending(path: "Containers")
    let own = containers.appending(path: "com.example.own")
    let other = containers.appending(path: "com.example.other")
    for folder in [own, other, own.appending(path: "deep")] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    func link(_ url: URL, to target: URL) throws -> URL {
      try FileManager.default.createSymbolicLink(at: url, withDestinationURL: target)
      return url
    }
    func bundle(in folder: URL) throws -> URL {
      let copy = folder.appending(path: "Copy.appex")
      try FileManager.default.copyItem(at: workspace.bundle, to: copy)
      return copy
    }
    let profile = SandboxProfile(
      bundle: workspace.bundle,
      readWrite: [own],
      writableRoots: [containers]
    )
    _ = try await workspace.run(["hello"], profile: profile)
    let wrong: [(String, (inout SandboxProfile) throws -> Void)] = [
      (
        "a container that a link leads to",
        {
          $0.readWrite = [try link(containers.appending(path: "linked"), to: workspace.outside)]
        }
      ),
      ("a group in another's container", { $0.readWrite.append(own.appending(path: "deep")) }),
      (
        "a group that is a link in a container",
        {
          $0.readWrite.append(try link(own.appending(path: "group"), to: workspace.group))
        }
      ),
      ("all containers", { $0.readWrite = [containers] }),
      ("what is around all containers", { $0.readWrite = [workspace.root] }),
      ("a bundle in a container", { $0.bundle = try bundle(in: own) }),
      ("a bundle in another's container", { $0.bundle = try bundle(in: other) }),
      (
        "a bundle behind a link in a container",
        {
          $0.bundle = try link(own.appending(path: "b"), to: workspace.bundle)
        }
      ),
      ("a bundle that is around the containers", { $0.bundle = workspace.root }),
    ]
    for (name, change) in wrong {
      var profile = profile
      try change(&profile)
      let error = #expect(throws: SandboxError.self, "\(name)") {
        try workspace.start(["hello"], profile: profile)
      }
      #expect(error?.code == .folder, "\(name): \(String(describing: error))")
    }
  }
}

/// The loader of this process, as a program of this machine names it.
enum ExecutableInterpreter {
  static let ofThisProcess: String? = [
    "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1",
  ].first { FileManager.default.fileExists(atPath: $0) }
}
