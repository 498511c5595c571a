#if Console
import FlyingFox
import KeepsakeBase
import KeepsakeCoding

/// Tells one page of all that changes, and does what it asks for.
struct ConsoleSocket: WSMessageHandler {
  let model: ConsoleModel

  func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
    let (messages, page) = AsyncStream<WSMessage>.makeStream()
    let telling = Task {
      var view = ConsoleView()
      var undoing = ""
      var first: String? = model.app
      while !Task.isCancelled {
        let difference = view.show(model.rows())
        var message = ConsoleMessage(
          app: first, rows: difference.changed.map(\.row), removed: difference.removed.map(\.id))
        let newUndoing = model.undoing
        if newUndoing != undoing { message.undoing = newUndoing }
        if first != nil || !difference.isEmpty || message.undoing != nil {
          Self.send(message, to: page)
        }
        (undoing, first) = (newUndoing, nil)
        try? await Task.sleep(for: ConsoleView.interval)
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
#endif
