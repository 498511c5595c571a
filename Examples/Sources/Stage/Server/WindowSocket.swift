import FlyingFox
import Foundation
import Keepsake

/// Carries messages between a page and its window.
struct WindowSocket: WSMessageHandler {
  let host: WindowHost
  let sessionID: String?
  let phase: ScenePhase

  func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
    let (messages, page) = AsyncStream<WSMessage>.makeStream()
    let connection = try await host.connect(sessionID: sessionID, phase: phase) { message in
      if let json = try? message.json { page.yield(.text(json)) }
    }
    Task { @MainActor in
      for await case .text(let text) in client {
        // What no page of this app says is not answered.
        guard let message = try? JSONDecoder().decode(PageMessage.self, from: Data(text.utf8))
        else { continue }
        connection.receive(message)
      }
      connection.close()
      page.finish()
    }
    return messages
  }
}
