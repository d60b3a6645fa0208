internal import ArgumentParser
internal import CommandArguments
internal import DurableFiles
internal import ExtensionGallery
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import LocalApp
internal import PageNotes
internal import ServiceFolders
internal import SharedLinks
internal import TextOutput

/// Serves the local app.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: CommandAbstract.serve,
    discussion: """
      Serves pages on 127.0.0.1 until it is stopped (Ctrl-C), and prints the address to open. \
      Anyone who knows the address gets in, so keep it to yourself; each start makes a new one. \
      Other sites, other users of this machine and browsers that did not open it are refused.

      If no service runs, also does the work of “tickbird run” while the pages are served.

        tickbird serve --open      open the pages in the browser
        tickbird serve --port 0    listen on any port that is free

      \(TickbirdHost.exitStatusHelp)
      """
  )

  @Option(
    help: ArgumentHelp(
      "The port, or 0 for any; by default \(LocalApp.defaultPort), or any if it is taken."
    )
  )
  var port: Int?

  @Flag(help: "Open the pages in the browser.")
  var open = false

  func validate() throws {
    guard port.map({ (0...65_535).contains($0) }) ?? true else {
      throw ValidationError("--port takes a number from 0 to 65535.")
    }
  }

  func run() async throws {
    let ending = Ending()
    let signals = Signals { ending.ask() }
    defer { withExtendedLifetime(signals) {} }
    StandardError.dropWhereFull()
    do {
      let folders = ServiceFolders()
      let use = try DataRemoval.exclude(folders)
      defer { withExtendedLifetime(use) {} }
      let service = try await Self.service(folders)
      let host: HostCaller = service.map { .service($0.host) } ?? .command(folders)
      // A page whose database is lost says so; the others need it not.
      let store = LinkStore(openedWhenUsed: folders.data)
      let notes = NoteStore(openedWhenUsed: folders)
      let app = LocalApp(
        extensions: AppCalls(host: host),
        gallery: ExtensionInstaller(folders: folders, store: HostBundleStore(host: host)),
        lists: ListsInForce(data: folders.data),
        subscriptions: ListsAccess.updater(folders),
        store: store,
        refresher: LinkRefresher(
          store: store,
          transport: CurlTransport(),
          extensions: HostLinkSource(host: host)
        ),
        notes: notes
      )
      let serving = Task { try await serve(app, folders) }
      let synchronizing = Task { await BackgroundWork.synchronize(notes) }
      let running = service.map { service in Task { await service.run() } }
      ending.whenAsked { serving.cancel() }
      let result = await serving.result
      synchronizing.cancel()
      service?.stop()
      await running?.value
      OpeningFile.remove(folders)
      do { try result.get() } catch is CancellationError {}
    } catch LocalApp.StartError.portTaken(let port) {
      throw Report.failure(
        HostError(
          .badArgument,
          "port \(port) is taken on 127.0.0.1; give another with --port, or 0 for any"
        )
      )
    } catch {
      throw Report.failure(error)
    }
  }

  /// Starts the service in this process, unless one is running.
  private static func service(_ folders: ServiceFolders) async throws -> RunningService? {
    // Either a service that listens, or a command that holds the folder and ends soon.
    if (try? HostClient(socket: folders.hostSocket.path)) != nil { return nil }
    do throws(HostError) {
      return try await RunningService(folders, waiting: 5)
    } catch {
      guard error.code == .locked, (try? HostClient(socket: folders.hostSocket.path)) != nil else {
        throw error
      }
      return nil
    }
  }

  private func serve(_ app: LocalApp, _ folders: ServiceFolders) async throws {
    let opens = open
    let start: @Sendable (URL) async -> Void = { address in
      // Flushed here, since a reader behind a pipe waits for this line.
      StandardOutput.line("\(address.absoluteString)")
      if let lost = StandardOutput.flush(), !opens {
        Report.complain("\(lost.message); --open opens the pages without it")
      }
      guard opens else { return }
      do {
        try OpeningFile.open(address, folders)
      } catch {
        Report.complain("no browser could be opened (\(error)); open the address above")
      }
    }
    guard port == nil else { return try await app.run(port: port ?? 0, onStart: start) }
    do {
      try await app.run(port: LocalApp.defaultPort, onStart: start)
    } catch LocalApp.StartError.portTaken {
      try await app.run(port: 0, onStart: start)
    }
  }
}

/// The pages' access to the host.
private struct AppCalls: HostCalling {
  let host: HostCaller

  func call<Call: HostFunction>(_ call: Call) async throws -> Call.Reply {
    let answer: Result<Call.Reply, any Error>
    do { answer = .success(try await host.call(call)) } catch { answer = .failure(error) }
    if Call.function == .turnOnExtension {
      // A version that a gallery installed meanwhile is now started for the first time, or rolled
      // back.
      for failed in (try? await GalleryEnvironment.installer().settle()) ?? [] {
        Report.complain("\(failed.sentence)")
      }
    }
    return try answer.get()
  }
}

/// A private file that redirects the browser to the pages.
///
/// The address itself would appear among a program's arguments, which every user of the machine can
/// read.
enum OpeningFile {
  private static func place(_ folders: ServiceFolders) -> URL {
    folders.runtime.appending(path: "open.html")
  }

  /// Opens an address in the user's browser.
  ///
  /// - Throws: Errors of the file system, or of starting `xdg-open`.
  static func open(_ address: URL, _ folders: ServiceFolders) throws {
    try folders.makeRuntime()
    let file = place(folders)
    remove(folders)
    let text = String(decoding: PackageResources.open_html, as: UTF8.self)
      .replacing("{{address}}", with: address.absoluteString)
    try DurableFile.create(file.path, with: Data(text.utf8))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["xdg-open", file.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
  }

  static func remove(_ folders: ServiceFolders) {
    try? FileManager.default.removeItem(at: place(folders))
  }
}
