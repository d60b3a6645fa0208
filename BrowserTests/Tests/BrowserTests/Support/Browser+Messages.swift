import BrowserDriving
import Foundation

extension Browser {
  /// Begins to note what pages of the extension send to the background.
  ///
  /// What other documents send meanwhile is not noted: in Firefox the empty page of a new tab is one that
  /// tells of itself, and only sometimes before the page of the extension is there.
  ///
  /// - Parameter folder: The folder of those pages, as `popup`.
  /// - Throws: ``DrivingError``.
  func noteMessages(fromPagesIn folder: String) throws {
    _ = try evaluateInBackground(
      """
      (() => {
        if (globalThis.notedMessages === undefined) {
          api.runtime.onMessage.addListener(({ type }, { url }) => {
            const { folder, types } = globalThis.notedMessages;
            if (url?.startsWith(folder)) types.push(type);
          });
        }
        globalThis.notedMessages = { folder: api.runtime.getURL("/\(folder)/"), types: [] };
      })()
      """
    )
  }

  /// Waits until nothing comes any more: the parts of a page ask one after the other.
  ///
  /// - Returns: The types of the messages since ``noteMessages(fromPagesIn:)``, in their order.
  /// - Throws: ``DrivingError``, after a minute of messages.
  func notedMessagesWhenQuiet() throws -> [String] {
    var last: [String] = []
    return try eventually("the page asks nothing more") {
      Thread.sleep(forTimeInterval: 0.5)
      let sent = try evaluateInBackground("globalThis.notedMessages.types") as? [String] ?? []
      defer { last = sent }
      return sent == last && !sent.isEmpty ? sent : nil
    }
  }
}
