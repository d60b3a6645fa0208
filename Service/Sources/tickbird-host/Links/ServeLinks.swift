internal import ArgumentParser
internal import Foundation
internal import LinkPublishing
internal import LoopbackServing
internal import ServiceFolders
internal import SharedLinks
internal import TextOutput

struct ServeLinks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Publishes the stream on this machine, for any feed reader.",
    discussion: """
      Serves the stream as Atom and as JSON Feed until it is stopped (Ctrl-C), to this machine alone, \
      at addresses that it prints, and fetches feeds when they are due.

      Whoever knows the address can read the stream; other users and programs of this machine do \
      not know it. It stays the same until --new-address makes another, which readers need from \
      then on.
      """
  )

  @Option(help: "The port; 0 for any that is free.")
  var port = LinkServer.defaultPort

  @Flag(inversion: .prefixedNo, help: "Fetch feeds when they are due.")
  var refresh = true

  @Flag(help: "Make a new address; the old one stops working.")
  var newAddress = false

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port takes a number from 0 to 65535.")
    }
  }

  func run() async throws {
    let store = try LinkOptions().store()
    let folder = ServiceFolders().data
    let file = SecretFile(folder.appending(path: "links-address"))
    let server = LinkServer(
      store: store,
      secret: newAddress ? try file.renew() : try file.secret(),
      port: port
    )
    StandardError.dropWhereFull()
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
              HostOutput.complain("error: \(error.message)")
            }
            try await Task.sleep(for: .seconds(60))
          }
        }
      }
      group.addTask {
        try await server.run { address in
          // Flushed here, since a reader behind a pipe waits for these lines.
          StandardOutput.write("\(address)/links.atom\n\(address)/links.json\n")
          if let lost = StandardOutput.flush() { HostOutput.complain("warning: \(lost.message)") }
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
