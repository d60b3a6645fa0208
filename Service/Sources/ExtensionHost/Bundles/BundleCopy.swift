internal import CLibrary
internal import Foundation

/// Copies a tree of files and folders durably, and refuses anything else.
///
/// The target of a link may be missing in the sandbox or on another machine, so links are refused,
/// and so are devices. The source may change meanwhile; what was copied counts.
struct BundleCopy {
  private let limits: BundleLimits
  private var entries = 0
  private var bytes = 0
  private let end: ContinuousClock.Instant

  init(limits: BundleLimits) {
    self.limits = limits
    end = ContinuousClock.now + limits.time
  }

  mutating func copy(_ source: Folder, into target: Folder, depth: Int = 1) throws(HostError) {
    guard depth <= limits.depth else {
      throw HostError(
        .badBundle,
        "\(source.path) is nested deeper than \(limits.depth) folders"
      )
    }
    for name in try source.names() {
      entries += 1
      guard entries <= limits.entries else {
        throw HostError(.badBundle, "the bundle has more than \(limits.entries) files and folders")
      }
      try checkTime()
      switch try source.kind(of: name) {
      case nil: continue
      case .folder:
        try copy(
          source.folder(name),
          into: target.makeFolder(name, mode: 0o755),
          depth: depth + 1
        )
      case .file: try copyFile(name, from: source, into: target)
      case .link, .other:
        throw HostError(.badBundle, "\(source.path(of: name)) is neither a file nor a folder")
      }
    }
    try target.synchronize()
  }

  private mutating func copyFile(
    _ name: String,
    from source: Folder,
    into target: Folder
  ) throws(HostError) {
    let path = source.path(of: name)
    let input = try source.openFile(name)
    var status = stat()
    guard unsafe fstat(input.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw HostError(.badBundle, "\(path) is neither a file nor a folder")
    }
    let isExecutable = status.st_mode & S_IXUSR != 0
    let output = try target.makeFile(name, mode: isExecutable ? 0o755 : 0o644)
    while true {
      try checkTime()
      let run = try input.read(1 << 20, path: path)
      if run.isEmpty { break }
      bytes += run.count
      guard bytes <= limits.bytes else {
        throw HostError(.badBundle, "the bundle has more than \(limits.bytes) bytes")
      }
      try output.write(run, path: target.path(of: name))
    }
    try output.synchronize(path: target.path(of: name))
  }

  private func checkTime() throws(HostError) {
    guard ContinuousClock.now < end else {
      throw HostError(.badBundle, "the bundle takes longer than \(limits.time) to be read")
    }
  }
}
