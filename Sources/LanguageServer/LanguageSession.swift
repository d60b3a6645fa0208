internal import CommandOutput
internal import ContentRules
package import TextOutput

/// A conversation with an editor: messages in, messages out; it reads and writes nothing itself.
///
///     var session = LanguageSession(checker: checker)
///     for answer in session.receive(body, now: .now) { write(answer) }
///     if let job = session.nextCheck(now: .now) { … session.finish(job, findings, …) }
///
/// > Source: the Language Server Protocol 3.17.
package struct LanguageSession {
  /// A list to check.
  package struct Check: Sendable {
    /// The document's URI, which is its name.
    package let uri: String
    /// Which opening of the document this is about.
    let opening: Int
    /// The list's text.
    package let text: [UInt8]
    /// Its file.
    package let path: String?
  }

  private enum Phase {
    case new, running, shutDown
  }

  /// The status with which the server ends, once the client has told it to.
  package private(set) var exitStatus: ExitStatus?
  private let checker: any ListChecking
  private var phase = Phase.new
  private var encoding = PositionEncoding.utf16
  private var hasVersions = false
  private var hasRelated = false
  private var canWatch = false
  private var documents: [String: (opening: Int, document: OpenDocument)] = [:]
  private var openingCount = 0

  /// The most documents, and bytes in all of them, that are open at once.
  package static let documentLimit = 256
  package static let byteLimit = 256 << 20
  /// The most bytes of one document.
  package static let documentByteLimit = 64 << 20

  /// Creates the session at its beginning.
  package init(checker: any ListChecking) { self.checker = checker }

  // MARK: Messages

  /// Takes the body of a message.
  ///
  /// - Returns: The messages to send, with their headers.
  package mutating func receive(_ body: [UInt8], now: ContinuousClock.Instant) -> [[UInt8]] {
    let message: IncomingMessage
    do throws(ProtocolError) { message = try IncomingMessage(body) } catch {
      return [OutgoingMessage.error(nil, error)]
    }
    switch message.kind {
    case .answer: return []
    case .notification(let method):
      return notify(method, message.params, now: now)
    case .request(let id, let method):
      do throws(ProtocolError) {
        return [try answer(id, method, message.params)]
      } catch {
        return [OutgoingMessage.error(id, error)]
      }
    }
  }

  /// Returns the answer to bytes that are no message.
  package func refuse(_ fault: String) -> [UInt8] {
    OutgoingMessage.error(nil, ProtocolError(.parseError, fault))
  }

  private mutating func answer(
    _ id: IncomingMessage.Identifier,
    _ method: String,
    _ params: JSONObject
  ) throws(ProtocolError) -> [UInt8] {
    switch phase {
    case .new where method != "initialize":
      throw ProtocolError(.serverNotInitialized, "the first request is initialize, not \(method)")
    case .shutDown:
      throw ProtocolError(.invalidRequest, "the server was shut down; only exit may follow")
    default: break
    }
    switch method {
    case "initialize": return try initialize(id, params)
    case "shutdown":
      phase = .shutDown
      documents.removeAll()
      return OutgoingMessage.answer(id) { $0.null() }
    case "textDocument/hover":
      return try with(params) { (document, encoding, _) throws(ProtocolError) in
        let place = try Self.position(params.object("position"))
        let offset = document.text.offset(of: place, encoding)
        let hover = HoverText.hover(at: offset, in: &document)
        var cursor = PositionCursor(document.text, encoding)
        return OutgoingMessage.answer(id) { json in
          guard let hover else { return json.null() }
          json.object { json in
            json.field("contents") { json in
              json.object { json in
                json.field("kind", "markdown")
                json.field("value", hover.markdown)
              }
            }
            json.field("range") { $0.range(hover.range, &cursor) }
          }
        }
      }
    case "textDocument/documentSymbol":
      return try with(params) { (document, encoding, _) throws(ProtocolError) in
        let symbols = RuleSymbols(&document)
        return OutgoingMessage.answer(id) { symbols.write(to: &$0, document.text, encoding) }
      }
    case "textDocument/codeAction":
      let checker = checker
      let hasVersions = hasVersions
      return try with(params) { (document, encoding, uri) throws(ProtocolError) in
        guard let range = params.object("range") else {
          throw ProtocolError(.invalidParams, "textDocument/codeAction needs a range")
        }
        let start = document.text.offset(of: try Self.position(range.object("start")), encoding)
        let end = document.text.offset(of: try Self.position(range.object("end")), encoding)
        let actions = CodeActions(
          document: document,
          uri: uri,
          encoding: encoding,
          hasVersions: hasVersions
        )
        let context = params.object("context")
        let only = context?.has("only") ?? false ? context?.strings("only") : nil
        return OutgoingMessage.answer(id) { json in
          actions.write(
            to: &json,
            in: min(start, end)..<max(start, end),
            only: only,
            checker: checker
          )
        }
      }
    default:
      throw ProtocolError(.methodNotFound, "there is no method \(DisplayText.line(method)) here")
    }
  }

  private mutating func notify(
    _ method: String,
    _ params: JSONObject,
    now: ContinuousClock.Instant
  ) -> [[UInt8]] {
    if method == "exit" {
      exitStatus = phase == .shutDown ? .fine : .refused
      return []
    }
    // Before the beginning and after the end, the protocol has notifications dropped.
    guard phase == .running else { return [] }
    switch method {
    case "initialized": return canWatch ? [watching()] : []
    case "textDocument/didOpen": return open(params, now: now)
    case "textDocument/didChange": return change(params, now: now)
    case "textDocument/didSave":
      if let uri = params.object("textDocument")?.string("uri") {
        documents[uri]?.document.planCheck(now: now)
      }
    case "textDocument/didClose":
      guard let uri = params.object("textDocument")?.string("uri"),
        documents.removeValue(forKey: uri) != nil
      else { return [] }
      return [PublishedFindings.none(uri)]
    case "workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration":
      for uri in documents.keys { documents[uri]?.document.planCheck(now: now) }
    default: break
    }
    return []
  }

  // MARK: Beginning

  private mutating func initialize(
    _ id: IncomingMessage.Identifier,
    _ params: JSONObject
  ) throws(ProtocolError) -> [UInt8] {
    guard phase == .new else {
      throw ProtocolError(.invalidRequest, "initialize was sent before")
    }
    phase = .running
    let capabilities = params.object("capabilities")
    let encodings = capabilities?.object("general")?.strings("positionEncodings") ?? []
    encoding = encodings.contains(PositionEncoding.utf8.rawValue) ? .utf8 : .utf16
    let workspace = capabilities?.object("workspace")
    hasVersions = workspace?.object("workspaceEdit")?.isTrue("documentChanges") ?? false
    canWatch =
      workspace?.object("didChangeWatchedFiles")?.isTrue("dynamicRegistration") ?? false
    hasRelated =
      capabilities?.object("textDocument")?.object("publishDiagnostics")?
      .isTrue("relatedInformation") ?? false
    let encoding = encoding
    return OutgoingMessage.answer(id) { json in
      json.object { json in
        json.field("capabilities") { json in
          json.object { json in
            json.field("positionEncoding", encoding.rawValue)
            json.field("textDocumentSync") { json in
              json.object { json in
                json.field("openClose", true)
                // Incremental.
                json.field("change", 2)
                json.field("save", true)
              }
            }
            json.field("hoverProvider", true)
            json.field("documentSymbolProvider", true)
            json.field("codeActionProvider") { json in
              json.object { json in
                json.field("codeActionKinds") { json in
                  json.array(of: CodeActions.kinds) { $0.string($1) }
                }
              }
            }
          }
        }
        json.field("serverInfo") { json in
          json.object { json in
            json.field("name", "tickbird")
            json.field("version", ProductVersion.text)
          }
        }
      }
    }
  }

  /// Asks the client to tell when settings change.
  private func watching() -> [UInt8] {
    OutgoingMessage.request("watch-settings", "client/registerCapability") { json in
      json.object { json in
        json.field("registrations") { json in
          json.array { json in
            json.object { json in
              json.field("id", "settings")
              json.field("method", "workspace/didChangeWatchedFiles")
              json.field("registerOptions") { json in
                json.object { json in
                  json.field("watchers") { json in
                    json.array { json in
                      json.object { $0.field("globPattern", "**/tickbird.toml") }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  // MARK: Documents

  private mutating func open(_ params: JSONObject, now: ContinuousClock.Instant) -> [[UInt8]] {
    guard let item = params.object("textDocument"), let uri = item.string("uri"),
      let text = item.bytes("text")
    else { return [Self.message("textDocument/didOpen has no document with uri and text")] }
    let size = documents.values.reduce(0) { $0 + $1.document.text.bytes.count }
    let old = documents.removeValue(forKey: uri)?.document.text.bytes.count ?? 0
    guard text.count <= Self.documentByteLimit, size - old + text.count <= Self.byteLimit,
      documents.count < Self.documentLimit
    else {
      return [
        Self.message(
          "\(DisplayText.line(uri)) is not checked here, because it is too long or too many documents "
            + "are open; tickbird check takes it"
        )
      ]
    }
    openingCount += 1
    documents[uri] = (
      openingCount,
      OpenDocument(uri: uri, text: text, version: item.integer("version"), now: now)
    )
    return []
  }

  private mutating func change(_ params: JSONObject, now: ContinuousClock.Instant) -> [[UInt8]] {
    guard let item = params.object("textDocument"), let uri = item.string("uri"),
      documents[uri] != nil
    else { return [] }
    // Taken out of the table, because otherwise its text would be copied.
    guard case (let opening, var document)? = documents.removeValue(forKey: uri) else { return [] }
    defer { documents[uri] = (opening, document) }
    document.version = item.integer("version")
    for change in params.objects("contentChanges") ?? [] {
      guard let text = change.bytes("text") else {
        document.isOutOfStep = true
        break
      }
      guard change.has("range") else {
        guard text.count <= Self.documentByteLimit else {
          document.isOutOfStep = true
          break
        }
        document.replaceAll(with: text, now: now)
        continue
      }
      guard !document.isOutOfStep, let range = change.object("range"),
        let start = try? Self.position(range.object("start")),
        let end = try? Self.position(range.object("end")),
        document.text.bytes.count + text.count <= Self.documentByteLimit
      else {
        document.isOutOfStep = true
        break
      }
      document.replace(from: start, to: end, encoding, with: text, now: now)
    }
    guard document.isOutOfStep else { return [] }
    return [
      PublishedFindings.none(uri),
      Self.message(
        "a change of \(DisplayText.line(uri)) could not be applied, or makes it too long; close "
          + "and open it to have it checked again"
      ),
    ]
  }

  /// Runs a closure on the document that a request is about.
  private mutating func with(
    _ params: JSONObject,
    _ body: (inout OpenDocument, PositionEncoding, String) throws(ProtocolError) -> [UInt8]
  ) throws(ProtocolError) -> [UInt8] {
    guard let uri = params.object("textDocument")?.string("uri") else {
      throw ProtocolError(.invalidParams, "the request names no textDocument by its uri")
    }
    guard case (let opening, var document)? = documents.removeValue(forKey: uri) else {
      throw ProtocolError(
        .requestFailed,
        "\(DisplayText.line(uri)) is not open; send textDocument/didOpen before"
      )
    }
    defer { documents[uri] = (opening, document) }
    guard !document.isOutOfStep else {
      throw ProtocolError(
        .requestFailed,
        "the text of \(DisplayText.line(uri)) is not known any more; close and open it"
      )
    }
    return try body(&document, encoding, uri)
  }

  private static func position(_ object: JSONObject?) throws(ProtocolError) -> TextPosition {
    guard let line = object?.integer("line"), let character = object?.integer("character"),
      line >= 0, character >= 0
    else {
      throw ProtocolError(
        .invalidParams,
        "a position has a line and a character, whole numbers from 0"
      )
    }
    return TextPosition(line: line, character: character)
  }

  private static func message(_ text: String) -> [UInt8] {
    OutgoingMessage.notification("window/showMessage") { json in
      json.object { json in
        // A warning.
        json.field("type", 2)
        json.field("message", "tickbird: " + text)
      }
    }
  }

  // MARK: Checking

  /// The time of the next check; `nil` if there is nothing to check.
  package var nextCheckTime: ContinuousClock.Instant? {
    documents.values.compactMap { $0.document.mayBeChecked ? $0.document.checkTime : nil }.min()
  }

  /// Begins the check of a document whose time has come.
  package mutating func nextCheck(now: ContinuousClock.Instant) -> Check? {
    let due = documents.filter {
      guard let time = $0.value.document.checkTime else { return false }
      return time <= now && $0.value.document.mayBeChecked
    }
    guard let uri = due.min(by: { $0.value.opening < $1.value.opening })?.key,
      let (opening, document) = documents[uri]
    else { return nil }
    documents[uri]?.document.beginCheck()
    return Check(uri: uri, opening: opening, text: document.text.bytes, path: document.path)
  }

  /// Ends a check.
  ///
  /// - Returns: The messages to send.
  package mutating func finish(
    _ check: Check,
    _ findings: DocumentFindings,
    duration: Duration
  ) -> [[UInt8]] {
    guard documents[check.uri]?.opening == check.opening,
      documents[check.uri]?.document.endCheck(findings, duration: duration) == true,
      documents[check.uri]?.document.isOutOfStep == false
    else { return [] }
    guard case (let opening, var document)? = documents.removeValue(forKey: check.uri) else {
      return []
    }
    defer { documents[check.uri] = (opening, document) }
    return [
      PublishedFindings.message(
        &document,
        uri: check.uri,
        encoding: encoding,
        hasRelated: hasRelated
      )
    ]
  }
}
