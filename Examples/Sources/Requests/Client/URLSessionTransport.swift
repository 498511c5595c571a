import Foundation
import HTTPTypesFoundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests with `URLSession`.
///
/// A redirect to another server is followed without `Authorization` and cookies, and one from HTTPS to HTTP is
/// not followed.
struct URLSessionTransport: Transport {
  private let limit: Int
  private let time: TimeInterval

  /// A transport.
  ///
  /// - Parameters:
  ///   - limit: The largest response that is accepted, in bytes.
  ///   - time: How long the server may send nothing, in seconds.
  init(limit: Int = 16 << 20, time: TimeInterval = 30) {
    self.limit = limit
    self.time = time
  }

  func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    guard var urlRequest = URLRequest(httpRequest: request.head) else {
      throw RequestError(.noBaseURL, "the request has no address")
    }
    urlRequest.httpBody = request.body.map { Data($0) }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = time
    let exchange = Exchange(limit: limit)
    let session = URLSession(configuration: configuration, delegate: exchange, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let task = session.dataTask(with: urlRequest)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        exchange.start(task, continuation)
      }
    } onCancel: {
      task.cancel()
    }
  }
}

/// One request and its response.
private final class Exchange: NSObject, URLSessionDataDelegate, Sendable {
  private struct State {
    var body: [UInt8] = []
    var isTooLarge = false
    var continuation: CheckedContinuation<IncomingResponse, any Error>?
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  func start(
    _ task: URLSessionDataTask, _ continuation: CheckedContinuation<IncomingResponse, any Error>
  ) {
    state.withLock { $0.continuation = continuation }
    task.resume()
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = state.withLock { state in
      if state.body.count + data.count > limit {
        state.isTooLarge = true
      } else {
        state.body += data
      }
      return state.isTooLarge
    }
    if isTooLarge { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let old = task.currentRequest?.url ?? response.url, let new = request.url,
      old.scheme == new.scheme || new.scheme == "https"
    else { return completionHandler(nil) }
    var request = request
    if (old.scheme, old.host, old.port) != (new.scheme, new.host, new.port) {
      request.setValue(nil, forHTTPHeaderField: "Authorization")
      request.setValue(nil, forHTTPHeaderField: "Cookie")
    }
    completionHandler(request)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let (body, isTooLarge, continuation) = state.withLock { state in
      defer { state.continuation = nil }
      return (state.body, state.isTooLarge, state.continuation)
    }
    if isTooLarge {
      continuation?.resume(
        throwing: RequestError(.tooLarge, "the response has more than \(limit) bytes"))
    } else if let head = (task.response as? HTTPURLResponse)?.httpResponse, error == nil {
      continuation?.resume(returning: IncomingResponse(head, body: body))
    } else {
      continuation?.resume(
        throwing: RequestError(.unreachable, "the server cannot be reached", cause: error))
    }
  }
}
