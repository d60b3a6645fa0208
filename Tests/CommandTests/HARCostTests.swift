import Foundation
import TestSupport
import Testing

/// Counts the bytes that a command asks the system for, with a library of a few lines of C in front.
private struct AllocationCounter {
  private static let compiler = "/usr/bin/gcc"
  static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: compiler) }

  private static let source = """
    #include <stdio.h>
    #include <stdlib.h>
    #include <errno.h>
    extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t);
    extern void *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
    static unsigned long total;
    static void count(size_t size) { __atomic_fetch_add(&total, size, __ATOMIC_RELAXED); }
    void *malloc(size_t size) { count(size); return __libc_malloc(size); }
    void *calloc(size_t n, size_t size) { count(n * size); return __libc_calloc(n, size); }
    void *realloc(void *p, size_t size) { count(size); return __libc_realloc(p, size); }
    void *aligned_alloc(size_t a, size_t size) { count(size); return __libc_memalign(a, size); }
    int posix_memalign(void **p, size_t a, size_t size) {
      count(size);
      *p = __libc_memalign(a, size);
      return *p ? 0 : ENOMEM;
    }
    __attribute__((destructor)) static void tell(void) {
      FILE *file = fopen(getenv("COUNTED"), "w");
      if (file) { fprintf(file, "%lu", total); fclose(file); }
    }
    """

  let scratch: Scratch

  init(_ scratch: Scratch) throws {
    self.scratch = scratch
    try scratch.file("counter.c", Self.source)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.compiler)
    process.arguments = ["-shared", "-fPIC", "-fno-builtin", "-o", "counter.so", "counter.c"]
    process.currentDirectoryURL = scratch.folder
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  /// The bytes that a run of the command allocates, those that it gives back included.
  func bytes(_ arguments: [String]) throws -> Int {
    let file = scratch.folder.appendingPathComponent("counted")
    let result = try Command.run(
      arguments,
      in: scratch.folder,
      variables: [
        "LD_PRELOAD": scratch.folder.appendingPathComponent("counter.so").path,
        "COUNTED": file.path,
      ]
    )
    try #require(result.status == 0, "\(result.error)")
    return try #require(Int(String(contentsOf: file, encoding: .utf8)))
  }
}

/// What reading an archive costs, counted in bytes that are allocated.
///
/// Twice the entries may cost twice as much; what grows with their square is an archive's way to
/// stop the command for hours.
@Suite(.enabled(if: AllocationCounter.isPossible))
struct HARCostTests {
  enum Shape: String, CaseIterable {
    case manyFrames, manyPages, manyLoadsOfOneFrame, manyReferrers, manyRedirects

    /// An entry of the archive.
    func entry(_ number: Int) -> String {
      switch self {
      case .manyFrames: Self.entry("http://f.test/\(number)", type: "document")
      case .manyPages: Self.entry("http://a.test/\(number)", type: "document", page: "p\(number)")
      case .manyLoadsOfOneFrame:
        number == 1
          ? Self.entry("http://f.test/", type: "document")
          : Self.entry("http://b.test/\(number)", type: "image", referrer: "http://f.test/")
      case .manyReferrers:
        Self.entry(
          "http://f.test/\(number)",
          type: "document",
          referrer: "http://f.test/\(number - 1)"
        )
      case .manyRedirects:
        Self.entry(
          "http://a.test/\(number)",
          type: "document",
          redirect: "http://a.test/\(number + 1)"
        )
      }
    }

    private static func entry(
      _ url: String,
      type: String,
      page: String = "p",
      referrer: String? = nil,
      redirect: String = ""
    ) -> String {
      let headers = referrer.map { #"{"name":"Referer","value":"\#($0)"}"# } ?? ""
      return #"{"pageref":"\#(page)","_resourceType":"\#(type)","#
        + #""request":{"method":"GET","url":"\#(url)","headers":[\#(headers)]},"#
        + #""response":{"redirectURL":"\#(redirect)"}}"#
    }

    func archive(_ count: Int) -> String {
      let entries = (0..<count).map(entry).joined(separator: ",")
      return #"{"log":{"entries":[\#(entries)]}}"#
    }
  }

  @Test(arguments: Shape.allCases)
  func anArchiveCostsInProportionToItsEntries(_ shape: Shape) throws {
    let scratch = try Scratch()
    try scratch.file("list.json", #"[{"trigger":{"url-filter":"ad"},"action":{"type":"block"}}]"#)
    let counter = try AllocationCounter(scratch)
    func bytes(_ count: Int) throws -> Int {
      try scratch.file("log.har", shape.archive(count))
      return try counter.bytes(["explain", "--list", "list.json", "--har", "log.har", "--matched"])
    }
    let base = try bytes(1)
    let once = try bytes(1_000) - base
    let twice = try bytes(2_000) - base
    // A square would make it four times as much; tables that double are not full alike.
    #expect(Double(twice) < 2.4 * Double(once), "\(base), \(once), \(twice)")
    #expect(once > 1_000)
  }

  @Test(
    "explaining costs in proportion to the loads, however it is shown",
    arguments: [
      [], ["--blocked", "--hidden"], ["--format", "json"],
    ]
  )
  func explainingCostsInProportionToTheLoads(_ options: [String]) throws {
    let scratch = try Scratch()
    let hides = (0..<50).map {
      #"{"trigger":{"url-filter":".*","unless-domain":["x.test"]},"#
        + #""action":{"type":"css-display-none","selector":".a\#($0)"}}"#
    }
    let block = #"{"trigger":{"url-filter":"/ad"},"action":{"type":"block"}}"#
    try scratch.file("list.json", "[\((hides + [block]).joined(separator: ","))]")
    let counter = try AllocationCounter(scratch)
    func bytes(_ count: Int) throws -> Int {
      let lines = (0..<count).map { number in
        #"{"url":"https://h\#(number).test/ad","top_url":"https://page\#(number / 20).test/","#
          + #""resource_type":"script"}"#
      }
      try scratch.file("log.ndjson", lines.joined(separator: "\n"))
      return try counter.bytes(["explain", "--list", "list.json", "log.ndjson"] + options)
    }
    let base = try bytes(1)
    let once = try bytes(300) - base
    let twice = try bytes(600) - base
    #expect(Double(twice) < 2.4 * Double(once), "\(base), \(once), \(twice)")
    #expect(once > 1_000)
  }
}
