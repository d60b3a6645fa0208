import ExtensionSandbox
import Foundation
import Glibc
import LoopbackSockets
import Testing

@Suite struct WorkTests {
  @Test(arguments: NetworkAccess.allCases) func allWorks(_ network: NetworkAccess) async throws {
    let workspace = try Workspace()
    let (status, run) = try await workspace.run(["work"], profile: workspace.profile(network))
    #expect(status == .exited(0))
    #expect(run.lines == ["done"])
    #expect(run.refusals == [])
  }

  @Test func connectionsNeedTheEntitlement() async throws {
    let server = try LoopbackServer(answer: "items")
    for host in ["127.0.0.1", "localhost"] {
      let address = "http://\(host):\(server.port)/list.json"
      let refused = try await Workspace().run(["fetch", address])
      #expect(refused.run.lines.first?.hasPrefix("failed: NSURLErrorDomain") == true)
      #expect(
        refused.run.process.refusals.contains {
          $0.description.hasPrefix("network refused: no outgoing-connections entitlement")
            && $0.call == "socket"
        }
      )
      let workspace = try Workspace()
      let allowed = try await workspace.run(
        ["fetch", address],
        profile: workspace.profile(.client)
      )
      #expect(allowed.run.lines == ["fetched: items"])
      #expect(allowed.run.refusals.map(\.description) == [])
    }
  }

  @Test func lookUpsOfTheCLibraryAreMarked() async throws {
    let (_, run) = try await Workspace().run(["use", "users"])
    #expect(run.lines == ["done"])
    let told = run.process.refusals
    #expect(told.contains { $0.detail == "to read, /etc/passwd" })
    for refusal in told {
      let sentence = refusal.description
      #expect(refusal.isUsualLookUp, "\(sentence)")
      #expect(sentence.hasSuffix("look-up of a user or host, which is harmless)"), "\(sentence)")
    }
  }

  @Test func otherRefusalsAreNotMarked() {
    let others = [
      Refusal(kind: .socket, call: "socket", detail: "AF_UNIX, SOCK_SEQPACKET"),
      Refusal(kind: .socket, call: "connect", detail: "AF_UNIX, SOCK_STREAM"),
      Refusal(kind: .network, call: "socket", detail: "AF_INET, SOCK_STREAM"),
      Refusal(kind: .file, call: "openat", detail: "to write, /etc/passwd"),
      Refusal(kind: .file, call: "openat", detail: "to read, /etc/shadow"),
      Refusal(kind: .file, call: "unlinkat", detail: "/etc/passwd"),
    ]
    for refusal in others {
      #expect(!refusal.isUsualLookUp)
      #expect(!refusal.description.contains("harmless"), "\(refusal)")
    }
  }

  @Test func listeningNeedsTheServerEntitlement() async throws {
    let workspace = try Workspace()
    let client = try await workspace.run(["listen"], profile: workspace.profile(.client))
    #expect(client.run.lines == ["failed: bind 1", "failed: listen 1", "done"])
    #expect(client.run.refusals.map(\.kind) == [.listening, .listening])
    let server = try await workspace.run(["listen"], profile: workspace.profile(.clientAndServer))
    #expect(server.run.lines == ["done"])
  }
}

/// Answers every request on a free port of loopback until it is let go.
final class LoopbackServer: Sendable {
  let port: UInt16
  private let descriptor: Int32

  init(answer: String) throws {
    let (server, port) = try LoopbackSocket.listening()
    descriptor = server
    self.port = port
    let text =
      "HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\nConnection: close\r\n\r\n\(answer)"
    Thread {
      while true {
        let connection = accept(server, nil, nil)
        guard connection >= 0 else { return }
        var request = [UInt8](repeating: 0, count: 4096)
        _ = unsafe recv(connection, &request, request.count, 0)
        let bytes = Array(text.utf8)
        _ = unsafe send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        close(connection)
      }
    }.start()
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }
}
