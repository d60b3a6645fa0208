internal import Foundation
internal import FoundationNetworking
internal import Synchronization

/// Sends requests with Foundation's URLSession.
///
/// Keeps no cookies, credentials or cache, follows no redirects, and stops reading at the limit.
/// Compressed bodies are decompressed as they come, so that the limit counts what they grow to.
public final class URLSessionTransport: LinkTransport {
  private let session: URLSession
  private let delegate = Delegate()

  /// Makes a transport with connections of its own.
  public init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = 4
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  /// Sends a request and waits for the whole answer.
  ///
  /// - Throws: ``FetchFailure``.
  public func send(_ request: LinkRequest) async throws -> LinkResponse {
    guard let url = URL(string: request.address) else {
      throw FetchFailure("\(request.address) is no address that can be fetched")
    }
    var message = URLRequest(url: url, timeoutInterval: request.seconds)
    for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
    let task = session.dataTask(with: message)
    let deadline = Task { [delegate] in
      try await Task.sleep(for: .seconds(request.seconds))
      delegate.fail(task, FetchFailure("it took longer than \(Int(request.seconds)) seconds"))
    }
    defer { deadline.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        delegate.begin(task, limit: request.bodyLimit, continuation)
        // What was cancelled before it began is never completed by the session.
        if Task.isCancelled { return delegate.abandon(task) }
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }

  /// Collects answers; called on the session's queue.
  private final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Transfer {
      let continuation: CheckedContinuation<LinkResponse, any Error>
      let limit: Int
      var response: LinkResponse?
      var failure: FetchFailure?
    }
    private let transfers = Mutex<[Int: Transfer]>([:])

    func begin(
      _ task: URLSessionTask,
      limit: Int,
      _ continuation: CheckedContinuation<LinkResponse, any Error>
    ) {
      transfers.withLock {
        $0[task.taskIdentifier] = Transfer(continuation: continuation, limit: limit)
      }
    }

    /// Ends a transfer that was never started.
    func abandon(_ task: URLSessionTask) {
      let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
      transfer?.continuation.resume(throwing: CancellationError())
    }

    /// Ends a transfer with a failure of our own.
    func fail(_ task: URLSessionTask, _ failure: FetchFailure) {
      let isRunning = transfers.withLock { transfers in
        transfers[task.taskIdentifier]?.failure = failure
        return transfers[task.taskIdentifier] != nil
      }
      if isRunning { task.cancel() }
    }

    func urlSession(
      _ session: URLSession,
      dataTask: URLSessionDataTask,
      didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      keep(response, dataTask)
      completionHandler(.allow)
    }

    private func keep(_ response: URLResponse, _ task: URLSessionTask) {
      guard let response = response as? HTTPURLResponse else { return }
      var headers: [String: String] = [:]
      for (name, value) in response.allHeaderFields {
        if let name = name as? String, let value = value as? String {
          headers[name.lowercased()] = value
        }
      }
      let limit = transfers.withLock { transfers in
        transfers[task.taskIdentifier]?.response =
          LinkResponse(status: response.statusCode, headers: headers)
        return transfers[task.taskIdentifier]?.limit
      }
      if let limit, response.expectedContentLength > Int64(limit) { failForSize(task, limit) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let exceeded = transfers.withLock { transfers -> Int? in
        guard let transfer = transfers[dataTask.taskIdentifier] else { return nil }
        let length = transfer.response?.body.count ?? 0
        guard length + data.count <= transfer.limit else { return transfer.limit }
        transfers[dataTask.taskIdentifier]?.response?.body.append(contentsOf: data)
        return nil
      }
      if let exceeded { failForSize(dataTask, exceeded) }
    }

    private func failForSize(_ task: URLSessionTask, _ limit: Int) {
      fail(task, FetchFailure("the answer exceeds the limit of \(limit) bytes"))
    }

    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest,
      completionHandler: @escaping (URLRequest?) -> Void
    ) {
      keep(response, task)
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
      guard let transfer else { return }
      if let failure = transfer.failure {
        transfer.continuation.resume(throwing: failure)
      } else if let error {
        transfer.continuation.resume(throwing: FetchFailure(Self.sentence(error)))
      } else if let response = transfer.response {
        transfer.continuation.resume(returning: response)
      } else {
        transfer.continuation.resume(throwing: FetchFailure("the server did not answer in HTTP"))
      }
    }

    private static func sentence(_ error: any Error) -> String {
      switch (error as? URLError)?.code {
      case .timedOut: "the server did not answer in time"
      case .cannotFindHost, .dnsLookupFailed: "there is no such host"
      case .cannotConnectToHost: "the host does not take connections"
      case .networkConnectionLost: "the connection broke off"
      case .notConnectedToInternet: "there is no network"
      case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
        "the host's certificate is not trusted"
      case .cancelled: "it was cancelled"
      default: error.localizedDescription
      }
    }
  }
}
