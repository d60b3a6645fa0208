import Foundation
import HostTestSupport

@testable import ExtensionHost

/// An extension in C that does what the lines of its `script.txt` say, prints what came of each, and
/// answers with a list.
///
///     put GROUP TEXT        writes a file into a group's folder
///     get GROUP             prints it
///     call FUNCTION TARGET  calls a function of the host, and prints the reply
///     connect PATH          tries to reach a socket, in two ways
///     cancel DOMAIN TEXT    gives the request up with an error, and ends
enum ScriptedExtension {
  private static let program = Result<URL, any Error> {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-scripted-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (text, file) = (folder.appending(path: "main.c"), folder.appending(path: "main"))
    try Data(source.utf8).write(to: text)
    let compiler = TestProcess()
    compiler.executableURL = URL(filePath: "/usr/bin/gcc")
    compiler.arguments = ["-O1", "-w", "-o", file.path, text.path]
    try compiler.run()
    compiler.waitUntilExit()
    guard compiler.terminationStatus == 0 else {
      throw HostError(.system, "gcc cannot compile \(text.path)")
    }
    return file
  }

  /// Whether there is a compiler for it.
  static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/gcc")

  /// Makes a content blocker's bundle an extension that follows a script.
  static func write(_ script: [String], network: Bool = false, into bundle: URL) throws {
    try FileManager.default.removeItem(at: bundle.appending(path: "blockerList.json"))
    try FileManager.default.copyItem(at: program.get(), to: bundle.appending(path: "main"))
    try Data((script.joined(separator: "\n") + "\n").utf8)
      .write(to: bundle.appending(path: "script.txt"))
    for (name, key, value) in [
      ("Info.plist", "CFBundleExecutable", "main" as Any),
      ("Entitlements.plist", "com.apple.security.network.client", network),
    ] {
      let file = bundle.appending(path: name)
      let old = try? unsafe PropertyListSerialization.propertyList(
        from: Data(contentsOf: file),
        format: nil
      )
      var values = old as? [String: Any] ?? [:]
      values[key] = value
      try SampleExtensions.write(values, to: file)
    }
  }

  private static let source = #"""
    #include <errno.h>
    #include <fcntl.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <sys/un.h>
    #include <unistd.h>

    static uint8_t body[1 << 16];
    static uint32_t used;
    static void byte(uint8_t b) { body[used++] = b; }
    static void raw(const void *p, uint32_t n) { memcpy(body + used, p, n); used += n; }
    static void key(const char *s) { uint32_t n = strlen(s); raw(&n, 4); raw(s, n); }
    static void text(const char *s) { byte(5); key(s); }
    static void dictionary(uint32_t n) { byte(0x0B); raw(&n, 4); }
    static void array(uint32_t n) { byte(0x0A); raw(&n, 4); }
    static void begin(void) { used = 0; byte(1); }
    static void finish(void) { write(3, &used, 4); write(3, body, used); }

    static void receive(int isShown) {
      uint32_t n = 0;
      if (read(3, &n, 4) != 4) return;
      char *reply = calloc(1, n + 1);
      uint32_t have = 0;
      while (have < n) { ssize_t r = read(3, reply + have, n - have); if (r <= 0) break; have += r; }
      for (uint32_t i = 0; i < have; i++) if (reply[i] < 32 || reply[i] > 126) reply[i] = '.';
      if (isShown) printf(" -> %s\n", reply);
      free(reply);
    }

    static void call(const char *function, const char *target) {
      begin(); dictionary(4);
      key("arguments"); dictionary(3);
      key("identifier"); text(target); key("name"); text("hello"); key("userInfo"); text("forged");
      key("function"); text(function);
      key("id"); byte(3); int64_t id = 1; raw(&id, 8);
      key("message"); text("call");
      finish();
      printf("call %s %s", function, target);
      receive(1);
    }

    static int groupFile(const char *group, char *path) {
      char link[4096];
      snprintf(link, sizeof link, "%s/%s.plist", getenv("XDG_CONFIG_HOME"), group);
      ssize_t n = readlink(link, path, 4000);
      if (n < 0) return 0;
      path[n] = 0;
      strcat(path, ".test");
      return 1;
    }

    static void reach(const char *path) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      strncpy(address.sun_path, path, sizeof address.sun_path - 1);
      int s = socket(AF_UNIX, SOCK_STREAM, 0), pair[2] = {-1, -1};
      int isReached = s >= 0 && connect(s, (void *)&address, sizeof address) == 0;
      socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
      isReached |= pair[0] >= 0 && connect(pair[0], (void *)&address, sizeof address) == 0;
      isReached |= connect(3, (void *)&address, sizeof address) == 0;
      printf("connect -> %s\n", isReached ? "reached" : "refused");
    }

    static int cancel(const char *domain, const char *description) {
      begin(); dictionary(2);
      key("error"); dictionary(4);
      key("code"); byte(3); int64_t code = 1; raw(&code, 8);
      key("description"); text(description); key("domain"); text(domain);
      key("userInfo"); dictionary(0);
      key("message"); text("cancel");
      finish();
      return 0;
    }

    int main(int count, char **arguments) {
      char line[4096], path[8192];
      receive(0);
      snprintf(path, sizeof path, "%s", arguments[0]);
      strcpy(strrchr(path, '/'), "/script.txt");
      FILE *script = fopen(path, "r");
      while (script && fgets(line, sizeof line, script)) {
        line[strcspn(line, "\n")] = 0;
        char *word = strtok(line, " "), *first = strtok(0, " "), *rest = strtok(0, "");
        if (!strcmp(word, "call")) call(first, rest);
        if (!strcmp(word, "connect")) reach(first);
        if (!strcmp(word, "cancel")) return cancel(first, rest);
        if (!strcmp(word, "put") || !strcmp(word, "get")) {
          int isPut = word[0] == 'p', file = -1;
          char content[200] = "nothing";
          if (groupFile(first, path)) file = open(path, isPut ? O_CREAT | O_RDWR : O_RDONLY, 0600);
          if (file >= 0 && isPut) write(file, rest, strlen(rest));
          if (file >= 0 && !isPut) content[read(file, content, 199)] = 0;
          printf("%s %s -> %s\n", word, first, isPut ? "done" : content);
        }
        fflush(stdout);
      }
      begin(); dictionary(3);
      key("items"); array(1); dictionary(2);
      key("attachments"); array(1); dictionary(1); key("representations"); array(1); dictionary(2);
      key("type"); text("public.json");
      key("value"); byte(6);
      key("[{\"trigger\":{\"url-filter\":\"ads\"},\"action\":{\"type\":\"block\"}}]");
      key("userInfo"); dictionary(0);
      key("message"); text("answer");
      key("notes"); array(0);
      finish();
      return 0;
    }
    """#
}
