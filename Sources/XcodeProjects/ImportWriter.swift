internal import DurableFiles
import ExtensionBundles
public import Foundation

extension ImportPlan {
  /// Writes the folder, completely or not at all.
  ///
  /// - Parameters:
  ///   - folder: The folder of the new extension.
  ///   - isReplacing: Whether an existing folder of an extension may be replaced. Any other
  ///     non-empty folder never is, nor
  ///     one with the project's own files.
  /// - Throws: ``XcodeProjectError`` with code `.file`; existing files are then unchanged.
  public func write(to folder: URL, replacing isReplacing: Bool = false) throws {
    let folder = folder.standardizedFileURL
    try check(folder, isReplacing)
    let parent = folder.deletingLastPathComponent()
    let new = parent.appendingPathComponent(
      ".\(folder.lastPathComponent).\(UUID().uuidString)"
    )
    try attempt("\(parent.path) cannot be written to") {
      try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(at: new) }
    for file in files { try write(file, below: new) }
    try attempt("\(folder.path) cannot be made") {
      try DurableFolder.replace(folder.path, with: new.path)
    }
  }

  /// Returns the folder for the result if the user names none: the product's name in a folder.
  ///
  /// A project often has a folder of that name itself. The result is then beside it, with
  /// `-tickbird` behind its name.
  public func defaultFolder(in parent: URL) -> URL {
    let folder = parent.appendingPathComponent(names.product).standardizedFileURL
    let contents = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    let isFree = (try? FileManager.default.attributesOfItem(atPath: folder.path)) == nil
    let isOurs = !isOwn(folder) && (try? ExtensionProject(folder: folder)) != nil
    guard isFree || contents?.isEmpty == true || isOurs else {
      return parent.appendingPathComponent("\(names.product)-tickbird").standardizedFileURL
    }
    return folder
  }

  /// Whether a folder has files of the project.
  private func isOwn(_ folder: URL) -> Bool {
    let real = folder.resolvingSymlinksInPath().path
    let needed = files.compactMap { file -> String? in
      if case .copied(let path) = file.contents { path } else { nil }
    }
    return (needed + [projectFolder]).contains { path in
      let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      return path == real || path.hasPrefix(real + "/")
    }
  }

  private func check(_ folder: URL, _ isReplacing: Bool) throws {
    let manager = FileManager.default
    let isThere = (try? manager.attributesOfItem(atPath: folder.path)) != nil
    guard isThere else { return }
    guard let names = try? manager.contentsOfDirectory(atPath: folder.path) else {
      throw XcodeProjectError(.file, "\(folder.path) is in the way")
    }
    guard !names.isEmpty else { return }
    guard isReplacing else {
      throw XcodeProjectError(
        .file,
        "\(folder.path) is in the way; give --output, or --replace if it is from an earlier import"
      )
    }
    let isOwn = isOwn(folder)
    guard !isOwn, (try? ExtensionProject(folder: folder)) != nil else {
      throw XcodeProjectError(
        .file,
        isOwn
          ? "\(folder.path) has files of the project itself; give another --output"
          : "\(folder.path) is not an extension's folder, so it is not replaced; give another --output"
      )
    }
  }

  private func write(_ file: File, below folder: URL) throws {
    let url = folder.appendingPathComponent(file.path)
    try attempt("\(file.path) cannot be written") {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      switch file.contents {
      case .made(let data): try data.write(to: url)
      case .copied(let path):
        // The target of a link, not the link itself.
        let source = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        try FileManager.default.copyItem(at: source, to: url)
      }
    }
  }

  private func attempt(_ failure: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as XcodeProjectError {
      throw error
    } catch let error as FileFailure {
      throw XcodeProjectError(.file, error.description)
    } catch {
      throw XcodeProjectError(.file, "\(failure): \(FileFailure.reason(of: error))")
    }
  }
}
