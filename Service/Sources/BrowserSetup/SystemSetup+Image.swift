public import Foundation
public import NativeMessaging

/// What an image has of Tickbird, which its browsers are to be given: never what the system has that makes it.
extension SystemSetup {
  /// Where Debian's package and the tarball put the program.
  private static let programPlaces = ["/usr/bin/tickbird-host", "/usr/local/bin/tickbird-host"]

  /// Returns the program that an image's browsers are to start.
  ///
  /// - Parameters:
  ///   - name: Its path in the image; nil for where packages put it.
  ///   - root: The image.
  /// - Returns: Its path in the image.
  /// - Throws: ``SetupError`` if it is not there, or others than root could change it.
  public static func program(_ name: String?, in root: SystemRoot) throws(SetupError) -> URL {
    guard let path = (name.map { [$0] } ?? programPlaces).first(where: { isProgram($0, root) })
    else {
      throw SetupError(
        .file,
        name.map {
          "\($0) is no program in the image; --host takes the absolute path that it has there"
        }
          ?? "the image has neither \(programPlaces.joined(separator: " nor ")); install Tickbird in it "
          + "first, or name the path that the program has there by --host"
      )
    }
    if let weakness = try root.weakness(of: path, owners) {
      throw SetupError(
        .unsafe,
        "\(path) of the image is not given to all users' browsers, because others than root could "
          + "change it: \(weakness); make it and its folders root's alone, or name another by --host"
      )
    }
    return URL(filePath: path)
  }

  /// Returns the built extension that an image has beside a program.
  ///
  /// - Parameters:
  ///   - program: The program's path in the image.
  ///   - family: The browsers that it is for.
  ///   - root: The image.
  /// - Returns: Its folder for this process; nil if there is none.
  /// - Throws: ``SetupError`` if others than root could put another there.
  public static func extensionFolder(
    near program: URL,
    family: BrowserFamily,
    in root: SystemRoot
  ) throws(SetupError) -> URL? {
    // The program may be a link to where all of it is.
    let real = root.path(of: try root.real(program.path))
    for program in [program, URL(filePath: real)] {
      let folder = LoadingInstructions.extensionPlace(near: program, family: family).path
      guard root.has(folder + "/manifest.json") else { continue }
      if let weakness = try root.weakness(of: folder, owners) {
        throw SetupError(
          .unsafe,
          "\(folder) of the image is not used, because others than root could change it: \(weakness)"
        )
      }
      return URL(filePath: try root.real(folder), directoryHint: .isDirectory)
    }
    return nil
  }

  private static var owners: Trust { Trust(only: [0, geteuid()]) }

  private static func isProgram(_ path: String, _ root: SystemRoot) -> Bool {
    path.hasPrefix("/") && root.hasProgram(path)
  }
}
