internal import BlockingWork
public import ContentBlocking
internal import DurableFiles
internal import ExtensionBundles
public import ExtensionMessages
internal import Foundation

extension AppExtensionHost {
  /// Returns a blocker with the active lists, for use by one thread.
  public nonisolated func contentBlocker() async -> sending ContentBlocker {
    ContentBlocker(lists: await contentRuleLists)
  }

  /// Starts a content blocker, compiles the list that it answers with, and activates it.
  ///
  /// A call that arrives while an earlier one still waits for its turn is merged with it.
  ///
  /// - Throws: `SFErrorDomain` 1 if there is no such content blocker or it is off, 2 if its answer
  ///   has no attachment with a list, 3 if it crashed, timed out or answered garbage;
  ///   `WKErrorDomain` 6 if the list does not compile; the error it cancelled with;
  ///   `NSCocoaErrorDomain` 4097 if the host ends meanwhile; ``HostError/domain`` if the disk or
  ///   the machine fails. The previous list then stays active.
  public func reload(_ identifier: String) async throws(ErrorReport) {
    let bundle = try turnedOn(identifier)
    guard bundle.hasList else {
      throw .noExtensionFound("\(identifier) is not a content blocker")
    }
    if let waiting = waitingReloads[identifier] { return try await waiting.value.get() }
    let (answered, continuation) = AsyncStream.makeStream(of: Result<Void, ErrorReport>.self)
    // The queue's turn ends with the process; the caller gets the answer earlier.
    let turn = enqueue(identifier) {
      await self.reloadNow(identifier) { continuation.yield($0) }
      continuation.finish()
    }
    let task = Task {
      for await result in answered { return result }
      _ = await turn.value
      return .failure(.internalError("the reload of \(identifier) has no result"))
    }
    waitingReloads[identifier] = task
    try await task.value.get()
  }

  private func reloadNow(
    _ identifier: String,
    _ answer: (Result<Void, ErrorReport>) -> Void
  ) async {
    waitingReloads[identifier] = nil
    let (ending, end) = AsyncStream.makeStream(of: Void.self)
    var result: Result<Void, ErrorReport>
    do throws(ErrorReport) {
      // It may have been turned off or updated while this call waited.
      let bundle = try turnedOn(identifier)
      let json = try await listText(of: bundle) { end.finish() }
      try await putInForce(json, of: identifier, isSetByScript: false)
      result = .success(())
    } catch {
      end.finish()
      result = .failure(error)
    }
    let record = await record(result, of: identifier)
    if case .success = result { result = record }
    answer(result)
    for await _ in ending {}
  }

  /// Requests the text of a content blocker's list.
  private func listText(
    of bundle: InstalledBundle,
    ended: @escaping @Sendable () async -> Void
  ) async throws(ErrorReport) -> [UInt8] {
    guard bundle.executable != nil else {
      defer { Task { await ended() } }
      do throws(FileFailure) {
        let file = bundle.location.appending(path: InstalledBundle.listName)
        let limit = bundles.limits.bytes
        return try await blocking { () throws(FileFailure) in
          try DurableFile.contents(of: file.path, atMost: limit)
        }
      } catch {
        guard error.isAboutFile else { throw HostError(error).report }
        throw .loadingInterrupted("its list cannot be read: \(error.reason)")
      }
    }
    let items = try await ask(bundle, ExtensionItem(), ended: ended)
    guard let items else { throw .noAttachmentFound("the extension answered with nil") }
    guard let item = items.first else {
      throw .noAttachmentFound("the extension answered without an item")
    }
    guard let attachment = item.attachments.first else {
      throw .noAttachmentFound("the item the extension answered with has no attachment")
    }
    var failure: ErrorReport?
    for representation in attachment.representations {
      switch representation.content {
      case .success(.data(let bytes)): return bytes
      case .success(.string(let text)): return [UInt8](text.utf8)
      case .success(let value):
        // The list as objects, as a script may set it too.
        if value.array != nil { return [UInt8](value.json.utf8) }
      case .failure(let error): failure = failure ?? error
      }
    }
    if let failure {
      throw .loadingInterrupted("the attachment could not be loaded: \(failure.description)")
    }
    throw .noAttachmentFound("the attachment holds neither a file, nor data, nor a string")
  }

  /// Compiles a list and activates it.
  private func putInForce(
    _ json: [UInt8],
    of identifier: String,
    isSetByScript: Bool
  ) async throws(ErrorReport) {
    let store = lists
    countCompile()
    let list: ContentRuleList
    do throws(RuleListStoreError) {
      list = try await blocking { () throws(RuleListStoreError) in
        try freeingMemory { () throws(RuleListStoreError) in
          try store.compileContentRuleList(
            forIdentifier: identifier,
            encodedContentRuleList: json
          )
        }
      }
    } catch {
      throw ErrorReport(error)
    }
    let kept = await change(identifier) { state in
      state.listDate = Date()
      state.isListSetByScript = isSetByScript
    }
    try kept.get()
    // It may have been turned off during the compilation.
    if try isOn(identifier) { setListInForce(list, of: identifier) }
  }

  /// Sets an extension's list from a script.
  ///
  /// - Parameters:
  ///   - rules: The list as JSON text or as an array; null removes it.
  ///   - identifier: A web extension that is turned on.
  ///   - owner: Whose extension it is, if its own script asks: one of an older folder of Safari's,
  ///     since scripts of web extensions cannot do so in Safari. nil for anybody's.
  /// - Throws: `WKErrorDomain` 6 if the list does not compile, in which case the previous one stays
  ///   active; `SFErrorDomain` 1 if there is no such extension; ``HostError/domain`` with code
  ///   `.refused` if the extension is another developer's.
  public func setContentBlocker(
    _ rules: MessageValue,
    of identifier: String,
    owner: ExtensionOwner? = nil
  ) async throws(ErrorReport) {
    let bundle = try turnedOn(identifier, owner: owner)
    guard bundle.extensionPoint == .webExtension else {
      throw .noExtensionFound("\(identifier) is no web extension, so it has no script")
    }
    guard owner == nil || bundle.olderFolder != nil else {
      throw HostError(
        .refused,
        "\(identifier) is a web extension, whose own scripts set no list in Safari either"
      )
      .report
    }
    let result: Result<Void, ErrorReport> = await inOrder(identifier) {
      let result = await self.setContentBlockerNow(rules, of: identifier)
      let record = await self.record(result, of: identifier)
      if case .success = result { return record }
      return result
    }
    try result.get()
  }

  private func setContentBlockerNow(
    _ rules: MessageValue,
    of identifier: String
  ) async -> Result<Void, ErrorReport> {
    do throws(ErrorReport) {
      switch rules {
      case .null:
        setListInForce(nil, of: identifier)
        do throws(HostError) { try removeKeptList(of: identifier) } catch { throw error.report }
        return await change(identifier) { state in
          state.listDate = nil
          state.isListSetByScript = false
        }
      case .string(let text):
        try await putInForce([UInt8](text.utf8), of: identifier, isSetByScript: true)
      case .array, .dictionary:
        try await putInForce([UInt8](rules.json.utf8), of: identifier, isSetByScript: true)
      default:
        throw HostError(
          .badArgument,
          "a content blocker is set to JSON text, an array of rules or null"
        ).report
      }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  /// Stores a failure, or clears the last one.
  func record(
    _ result: Result<Void, ErrorReport>,
    of identifier: String
  ) async -> Result<Void, ErrorReport> {
    var failure: FailureRecord?
    if case .failure(let error) = result {
      failure = FailureRecord(error, at: Date())
      log.add(
        "the list was not replaced: \(error.domain) \(error.code): \(error.description)"
          + (failure?.place.map { " (\($0))" } ?? ""),
        by: .host,
        of: identifier
      )
    }
    // An extension removed meanwhile must not leave a state behind.
    guard (try? installed(identifier)) != nil,
      let kept = try? states.state(of: identifier), kept.lastError != failure
    else { return .success(()) }
    return await change(identifier) { [failure] in $0.lastError = failure }
  }
}
