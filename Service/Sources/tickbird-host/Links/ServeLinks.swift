internal import ArgumentParser
internal import Foundation
internal import LinkPublishing
internal import ServiceFolders
internal import SharedLinks
internal import TextOutput

struct ServeLinks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Publishes the stream on this machine, for any feed reader.",
    discussion: """
      Serves http://127.0.0.1:PORT/links.atom and /links.json until it is stopped (Ctrl-C), to this \
      machine alone, and fetches feeds when their time has come.
      """
  )

  @Option(help: "The port; 0 for any that is free.")
  var port = LinkServer.defaultPort

  @Flag(inversion: .prefixedNo, help: "Fetch feeds when they are due.")
  var refresh = true

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port takes a number from 0 to 65535.")
    }
  }

  func run() async throws {
    let store = try LinkOptions().store()
    let server = LinkServer(store: store, port: port)
    let refreshes = refresh
    try await withThrowingTaskGroup(of: Void.self) { group in
      if refreshes {
        group.addTask {
          let refresher = LinkRefresher(
            store: store,
            transport: CurlTransport(),
            extensions: HostLinkSource(host: .command(ServiceFolders()))
          )
          while !Task.isCancelled {
            do {
              _ = try await refresher.refresh(.due)
            } catch let error as LinkError {
              LinkOutput.complain("error: \(error.message)")
            }
            try await Task.sleep(for: .seconds(60))
          }
        }
      }
      group.addTask {
        try await server.run { port in
          // Whoever reads through a pipe waits for these lines.
          let lines = "http://127.0.0.1:\(port)/links.atom\nhttp://127.0.0.1:\(port)/links.json\n"
          StandardOutput.write("\(lines: lines)")
          StandardOutput.flush()
        }
        throw CancellationError()
      }
      do {
        for try await _ in group {}
      } catch is CancellationError {
        group.cancelAll()
      }
    }
  }
}
