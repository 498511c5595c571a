import HTTPTypes
import KeepsakeConfiguration

/// Logs each request in one line, without what is secret.
struct LoggingAdapter: RequestAdapter {
  private let log: @Sendable (String) -> Void

  /// An adapter.
  ///
  /// - Parameter log: Receives each line.
  init(_ log: @escaping @Sendable (String) -> Void) { self.log = log }

  func send(
    _ request: OutgoingRequest,
    through next: @Sendable (OutgoingRequest) async throws -> IncomingResponse
  ) async throws -> IncomingResponse {
    let start = ContinuousClock.now
    let text = Self.text(of: request)
    func finish(_ result: String) {
      log("\(text): \(result) after \((ContinuousClock.now - start) / .milliseconds(1)) ms")
    }
    do {
      let response = try await next(request)
      finish("\(response.head.status.code), \(response.body.count) bytes")
      return response
    } catch {
      finish("\(error)")
      throw error
    }
  }

  /// The method and the address, with the values of the query and the header fields that are not secret.
  private static func text(of request: OutgoingRequest) -> String {
    let head = request.head
    let parts = (head.path ?? "").split(separator: "?", maxSplits: 1)
    var text = "\(head.method) \(head.authority ?? "")\(parts.first ?? "/")"
    if parts.count > 1 {
      let items = parts[1].split(separator: "&").map { item in
        let name = item.prefix { $0 != "=" }
        return EnvironmentConfiguration.isSecret(String(name)) ? "\(name)=•••" : String(item)
      }
      text += "?" + items.joined(separator: "&")
    }
    // A field that nobody thought of may be secret: only these are shown.
    for field in head.headerFields {
      let isShown = [.accept, .contentType, .userAgent].contains(field.name)
      text += " \(field.name)=\(isShown ? field.value : "•••")"
    }
    if let body = request.body { text += " (\(body.count) bytes)" }
    return text
  }
}
