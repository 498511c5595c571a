import FlyingFox
import KeepsakeCoding
import Synchronization

/// Tells one page of all that changes, and does what it asks for.
struct ConsoleSocket: WSMessageHandler {
  let model: ConsoleModel

  /// How often is looked for changes, which are in memory already, while a page is open.
  private static let interval = Duration.milliseconds(150)

  func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
    let (messages, page) = AsyncStream<WSMessage>.makeStream()
    let telling = Task {
      var shown: [String: ConsoleRow] = [:]
      var undoing = ""
      var first: String? = model.app
      while !Task.isCancelled {
        let rows = model.rows()
        let now = Dictionary(rows.map { ($0.id, $0) }) { $1 }
        var message = ConsoleMessage(
          app: first, rows: rows.filter { shown[$0.id] != $0 },
          removed: shown.keys.filter { now[$0] == nil }.sorted())
        let newUndoing = model.undoing
        if newUndoing != undoing { message.undoing = newUndoing }
        if first != nil || !message.rows.isEmpty || !message.removed.isEmpty
          || message.undoing != nil
        {
          Self.send(message, to: page)
        }
        (shown, undoing, first) = (now, newUndoing, nil)
        try? await Task.sleep(for: Self.interval)
      }
    }
    Task {
      for await case .text(let text) in client {
        // What no page of the console says is not answered.
        guard let request = try? JSON.Decoder().decode(ConsoleRequest.self, from: Array(text.utf8))
        else { continue }
        if request.action == .show, let id = request.id {
          let text = model.detail(of: id) ?? "(it cannot be read)"
          Self.send(ConsoleMessage(shown: id, text: text), to: page)
          continue
        }
        do throws(ConsoleRefusal) {
          try model.perform(request)
        } catch {
          Self.send(ConsoleMessage(refusal: error.message), to: page)
        }
      }
      telling.cancel()
      page.finish()
    }
    return messages
  }

  private static func send(
    _ message: ConsoleMessage, to page: AsyncStream<WSMessage>.Continuation
  ) {
    if let bytes = try? JSON.Encoder().encodeBytes(message) {
      page.yield(.text(String(decoding: bytes, as: UTF8.self)))
    }
  }
}
