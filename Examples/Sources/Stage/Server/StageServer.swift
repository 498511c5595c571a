import FlyingFox
import FlyingSocks
import Foundation

/// Serves an app's windows to the browsers of this machine, and to nobody else.
@MainActor
struct StageServer {
  let host: WindowHost
  let token: AccessToken
  let title: String

  /// Serves on a port, or on the first free one of several, until the task is cancelled.
  ///
  /// - Parameter started: Called with the port once pages can be loaded.
  func run(
    on ports: some Sequence<UInt16>, started: @escaping @MainActor (UInt16) -> Void
  ) async throws {
    var failure: any Error = SocketError.unsupportedAddress
    for port in ports {
      let server = HTTPServer(
        // The loopback address itself: no other machine can reach it.
        address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled,
        handler: RequestHandler(
          host: host, images: host.images, token: token, port: port, title: title))
      let running = Task { try await server.run() }
      let announcing = Task {
        try await server.waitUntilListening()
        started(port)
      }
      do {
        return try await withTaskCancellationHandler {
          try await running.value
        } onCancel: {
          running.cancel()
        }
      } catch SocketError.failed(_, let code, _) where code == EADDRINUSE {
        announcing.cancel()
        failure = PortInUse(port: port)
      }
    }
    throw failure
  }
}

/// Another program serves on the port.
struct PortInUse: Error, CustomStringConvertible {
  let port: UInt16

  var description: String { "Another program serves on port \(port)." }
}
