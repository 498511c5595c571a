import HTTPTypes
import Synchronization

@testable import Requests

/// A transport that answers by a closure, and keeps what was sent.
final class FakeServer: Transport {
  private let received = Mutex<[OutgoingRequest]>([])
  private let answer: @Sendable (OutgoingRequest) async throws -> IncomingResponse

  init(_ answer: @escaping @Sendable (OutgoingRequest) async throws -> IncomingResponse) {
    self.answer = answer
  }

  /// The requests that arrived.
  var requests: [OutgoingRequest] { received.withLock { $0 } }

  func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    received.withLock { $0.append(request) }
    return try await answer(request)
  }
}

extension OutgoingRequest {
  var token: String? { head.headerFields[.authorization] }

  /// The address as text.
  var address: String { "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")" }
}
