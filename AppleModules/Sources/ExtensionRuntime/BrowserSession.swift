import ExtensionMessages
import Foundation
import Synchronization

/// The process of an extension while it serves a browser's session.
///
/// Events are handled on the main queue, one at a time, each by a new object of the principal class,
/// as in Safari: what has to last longer than an event is in statics. The process ends when the host
/// closes the channel or sends SIGTERM.
enum BrowserSession {
  /// How long one event may keep the main queue, in seconds.
  private static let patience = 60.0
  private static let current = Mutex<(name: String, began: Date)?>(nil)
  private static let willSynchronize = Mutex(false)

  static func run(
    _ channel: Channel,
    _ makePrincipal: @escaping @MainActor @Sendable () -> any NSExtensionRequestHandling
  ) -> Never {
    BrowserConnection.open(channel)
    let termination = Termination { ApplicationGroups.synchronizeDefaults() }
    let thread = Thread {
      while let event = ExtensionProcess.nextEvent(of: channel) {
        if event.name == "result" {
          BrowserConnection.receive(event)
        } else {
          DispatchQueue.main.async { handle(event, makePrincipal) }
        }
      }
      ApplicationGroups.synchronizeDefaults()
      ExtensionProcess.end(0)
    }
    thread.name = "extension host"
    thread.start()
    let watch = DispatchSource.makeTimerSource(queue: .global())
    watch.schedule(deadline: .now() + 5, repeating: 5)
    watch.setEventHandler { endIfStuck() }
    watch.resume()
    withExtendedLifetime((termination, watch)) { ExtensionProcess.runMainLoop() }
  }

  private static func handle(
    _ event: BrowserEvent,
    _ makePrincipal: @escaping @MainActor @Sendable () -> any NSExtensionRequestHandling
  ) {
    current.withLock { $0 = (event.name, Date()) }
    defer { current.withLock { $0 = nil } }
    // Another process, such as the app's or a command, may have changed what is shared.
    ApplicationGroups.synchronizeDefaults()
    let principal = MainActor.assumeIsolated { Unshared(makePrincipal()) }.value
    guard let handler = principal as? any BrowserEventHandling else {
      HandlerOutput.tell("\(type(of: principal)) is no SFSafariExtensionHandler.")
      ExtensionProcess.end(1)
    }
    handler.handle(event)
    synchronizeSoon()
  }

  /// Writes shared defaults a moment after the last event.
  private static func synchronizeSoon() {
    let isFirst = willSynchronize.withLock { isPlanned in
      defer { isPlanned = true }
      return !isPlanned
    }
    guard isFirst else { return }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
      willSynchronize.withLock { $0 = false }
      ApplicationGroups.synchronizeDefaults()
    }
  }

  private static func endIfStuck() {
    guard let event = current.withLock({ $0 }), -event.began.timeIntervalSinceNow > patience else {
      return
    }
    HandlerOutput.tell(
      "The handler of \(event.name) kept the main thread for \(Int(patience)) s; the process ends."
    )
    ExtensionProcess.end(3)
  }
}
