internal import Foundation
internal import NativeMessaging

/// Answers the question where the local app is, which is started for it.
struct BrowserLocalApp: Sendable {
  /// The kinds of questions.
  enum Kind: String, CaseIterable {
    case localApp
  }

  /// Starts the app unless it is running, and returns the address that lets a browser in; nil where
  /// there is no app.
  let start: (@Sendable () async throws -> URL)?

  /// Answers a question of one of these kinds, as soon as the app is serving.
  func reply(_ kind: Kind) -> BrowserAnswers.Reply {
    .later {
      guard let start else {
        return .error(
          WireError("no-app", "there is no local app here; start it: tickbird serve --open")
        )
      }
      do {
        return .localApp(Address(address: try await start().absoluteString))
      } catch {
        return .error(
          WireError(
            "no-app",
            "the local app could not be started (\(error)); start it yourself: tickbird serve --open"
          )
        )
      }
    }
  }

  /// The answer to `localApp`; whoever knows the address is let in.
  struct Address: Encodable {
    var address: String
  }
}
