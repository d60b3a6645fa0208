import DurableFiles
public import Foundation

/// An Xcode project with its app extensions, which can be imported.
///
///     let project = try XcodeProject(at: URL(fileURLWithPath: "App.xcodeproj"))
///     for target in project.extensionTargets() { print(target.name, target.status) }
///     let plan = try project.plan(ImportRequest(target: "App Extension", modulesPath: path))
///     try plan.write(to: folder)
///
/// Nothing of a project is executed, and nothing outside of its repository is read.
public struct XcodeProject: Sendable {
  /// The project's name, without its extension.
  public let name: String
  /// The folder whose files may be imported: the repository around the project, or its folder.
  public var repository: URL { URL(fileURLWithPath: files.root) }

  let objects: ProjectObjects
  let paths: ReferencePaths
  let files: ProjectFiles

  /// Reads a project.
  ///
  /// - Parameter url: `NAME.xcodeproj`, its `project.pbxproj`, or a folder with one project in it.
  /// - Throws: ``XcodeProjectError`` with code `.file`, `.syntax` or `.project`.
  public init(at url: URL) throws {
    let file = try Self.file(url.standardizedFileURL)
    let bundle = file.deletingLastPathComponent()
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try DurableFile.contents(of: file.path, atMost: PropertyLists.largestFile)
    } catch {
      throw XcodeProjectError(
        .file,
        error.isTooLarge
          ? "\(file.path) has more than \(PropertyLists.largestFile >> 20) MiB"
          : "\(file.path) cannot be read: \(error.reason)"
      )
    }
    try self.init(
      bytes,
      name: bundle.deletingPathExtension().lastPathComponent,
      file: file.path,
      folder: bundle.deletingLastPathComponent().path
    )
  }

  init(_ bytes: [UInt8], name: String, file: String, folder: String) throws {
    self.name = name
    objects = try ProjectObjects(PropertyLists.read(bytes, name: file), name: file)
    paths = ReferencePaths(objects, folder: folder)
    files = ProjectFiles(projectFolder: folder)
  }

  private static func file(_ url: URL) throws -> URL {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw XcodeProjectError(.file, "\(url.path) is not there; give the path of an .xcodeproj")
    }
    if !isFolder.boolValue {
      guard url.pathExtension == "pbxproj" else {
        throw XcodeProjectError(.file, "\(url.path) is not an Xcode project; give an .xcodeproj")
      }
      return url
    }
    switch url.pathExtension {
    case "xcodeproj":
      let file = url.appendingPathComponent("project.pbxproj")
      guard FileManager.default.fileExists(atPath: file.path) else {
        throw XcodeProjectError(.file, "\(url.path) has no project.pbxproj")
      }
      return file
    case "xcworkspace":
      throw XcodeProjectError(
        .file,
        "\(url.path) is a workspace; give the .xcodeproj that has the extension"
      )
    default:
      let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
      let projects = names.filter { $0.hasSuffix(".xcodeproj") }.sorted()
      guard projects.count == 1, let project = projects.first else {
        throw XcodeProjectError(
          .file,
          projects.isEmpty
            ? "\(url.path) has no .xcodeproj"
            : "\(url.path) has several projects; give one of \(projects.joined(separator: ", "))"
        )
      }
      return try file(url.appendingPathComponent(project))
    }
  }
}
