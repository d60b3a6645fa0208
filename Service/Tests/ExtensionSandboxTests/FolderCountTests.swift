import Foundation
import Glibc
import Testing

@testable import ExtensionSandbox

/// Counting folders that somebody has made to be counted badly.
@Suite struct FolderCountTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "count-\(UUID().uuidString)")
  private let limits = DiskLimits(bytes: 1 << 20, files: 100, depth: 4)

  private func counted(_ prepare: (String) throws -> Void) throws -> FolderCount.Progress {
    let path = folder.path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try prepare(path)
    return FolderCount.count(path, limits: limits)
  }

  private func write(_ count: Int, to path: String) throws {
    try Data(repeating: 1, count: count).write(to: URL(filePath: path))
  }

  @Test func bytesAndFilesAreCounted() throws {
    let progress = try counted { path in
      try write(5000, to: path + "/a")
      try FileManager.default.createDirectory(
        atPath: path + "/b/c",
        withIntermediateDirectories: true
      )
      try write(100_000, to: path + "/b/c/d")
    }
    guard case .done(let content) = progress else {
      Issue.record("\(progress)")
      return
    }
    #expect(content.files == 4)
    #expect(content.bytes >= 105_000)
    #expect(content.bytes < 200_000)
  }

  @Test func aFileOfManyNamesCountsOnce() throws {
    let progress = try counted { path in
      try write(600_000, to: path + "/a")
      for name in ["b", "c", "d"] { unsafe link(path + "/a", path + "/" + name) }
    }
    guard case .done(let content) = progress else {
      Issue.record("\(progress)")
      return
    }
    #expect(content.files == 4)
    #expect(content.bytes < 700_000)
  }

  @Test func theSizeOfASparseFileCounts() throws {
    #expect(
      try counted { path in
        try write(1, to: path + "/a")
        unsafe truncate(path + "/a", 2 << 20)
      } == .exceeded(.diskSpace)
    )
  }

  @Test func noLinkIsFollowed() throws {
    let progress = try counted { path in
      unsafe symlink("/usr", path + "/usr")
      unsafe symlink(".", path + "/again")
      unsafe symlink("/nothing", path + "/nothing")
    }
    guard case .done(let content) = progress else {
      Issue.record("\(progress)")
      return
    }
    #expect(content.files == 3)
  }

  @Test func namesThatAreNotTextCount() throws {
    let progress = try counted { path in
      for name in [[0xFF, 0xFE], [0xC3, 0x28]] as [[UInt8]] {
        let bytes = Array(path.utf8) + [0x2F] + name + [0]
        let file = unsafe bytes.withUnsafeBytes { bytes in
          unsafe open(
            bytes.baseAddress!.assumingMemoryBound(to: CChar.self),
            O_CREAT | O_RDWR,
            0o600
          )
        }
        try #require(file >= 0)
        close(file)
      }
    }
    guard case .done(let content) = progress else {
      Issue.record("\(progress)")
      return
    }
    #expect(content.files == 2)
  }

  @Test func aCountEndsWithTheFirstLimit() throws {
    let path = folder.path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    for number in 0..<1000 { try write(0, to: path + "/\(number)") }
    let count = FolderCount(path, limits: limits)
    // "." and ".." are looks too.
    #expect(count.go(on: 104) == .exceeded(.files))
  }

  @Test(arguments: [3, 4, 5, 500]) func depthIsLimited(_ depth: Int) throws {
    let progress = try counted { path in
      try FileManager.default.createDirectory(
        atPath: path + String(repeating: "/d", count: depth),
        withIntermediateDirectories: true
      )
    }
    if depth <= 4 {
      guard case .done = progress else {
        Issue.record("\(progress)")
        return
      }
    } else {
      #expect(progress == .exceeded(.folderDepth))
    }
  }

  @Test func whatCannotBeReadIsTooMuch() {
    #expect(FolderCount.count("/nothing/here", limits: limits) == .exceeded(.unreadableFolder))
    #expect(FolderCount.unreadable(EACCES) == .unreadableFolder)
    for number in [EIO, EMFILE, ENFILE, ENOMEM] {
      #expect(FolderCount.unreadable(number) == .notCounted)
    }
    #expect(FolderCount.count("/etc/passwd", limits: limits) == .exceeded(.unreadableFolder))
  }
}

/// The lines in which the kernel says what a process uses.
@Suite struct ProcessUsageTests {
  private func usage(_ text: String) -> ProcessUsage? { ProcessUsage(status: Array(text.utf8)) }

  @Test func linesAreRead() {
    let text = "Name:\tx\nVmPTE:\t 4 kB\nVmRSS:\t  100 kB\nThreads:\t7\nVmSwap:\t 20 kB\n"
    #expect(usage(text)?.memory == 124 * 1024)
    #expect(usage(text)?.threads == 7)
  }

  @Test func emptyLinesAndALastOneWithoutAnEndAreRead() {
    let expected = 5 * 1024
    #expect(usage("Name:\tx\n\nThreads:\t1\nVmRSS:\t5 kB")?.memory == expected)
    #expect(usage("\n\nThreads:\t1\nVmRSS:\t5 kB\n\n")?.memory == expected)
  }

  @Test(arguments: [
    "", "Name:\tx\n", "Name:\tx\nThreads:\t1\n", "Name:\tx\nVmRSS:\t0 kB\nThreads:\t1\n",
    "Name:\tx\nVmRSS:\tmany kB\nThreads:\t1\n", "Threads:\t1\nVmRSS:\t5 kB\n", "VmRSS:\t5 kB",
  ]) func whatSaysNothingOfMemoryIsNotZero(_ text: String) {
    #expect(usage(text) == nil)
  }

  @Test func ofTwoLinesTheLargerCounts() {
    #expect(
      usage("Name:\tx\nVmRSS:\t9 kB\nVmRSS:\t1 kB\nThreads:\t9\nThreads:\t1\n")?.memory == 9216
    )
    #expect(usage("Name:\tx\nVmRSS:\t9223372036854775807 kB\nThreads:\t1\n")?.memory == .max)
  }
}
