#if Console
import KeepsakeCoding
import KeepsakeLoopback

/// Serves the console's page, and sends it what changes.
///
/// The page itself contains nothing of the app, so that anyone may load it.
struct ConsoleServer {
  let model: ConsoleModel
  let token: Loopback.Token

  func run(
    on ports: [UInt16], started: @escaping @Sendable (UInt16) async -> Void
  ) async throws {
    let server = Loopback.Server(token: token) { [model] request in
      guard request.method == "GET" else { return nil }
      return switch request.path {
      case "/": file(PackageResources.console_html, type: "html")
      case "/console.css": file(PackageResources.console_css, type: "css")
      case "/console.js": file(PackageResources.console_js, type: "javascript")
      case "/socket": .socket { _, socket in await Self.exchange(socket, model) }
      default: nil
      }
    }
    try await server.run(on: ports, started: started)
  }

  private static func exchange(_ socket: Loopback.Socket, _ model: ConsoleModel) async {
    let showing = Task { await show(model, on: socket) }
    defer { showing.cancel() }
    for await text in socket.messages {
      // What no page of the console sends is not answered.
      guard let request = try? JSON.Decoder().decode(ConsoleRequest.self, from: Array(text.utf8))
      else { continue }
      if request.action == .show, let id = request.id {
        let detail = model.detail(of: id) ?? ConsoleDetail("(it cannot be read)")
        send(
          ConsoleMessage(shown: id, text: detail.text, isEditable: detail.isEditable), on: socket)
        continue
      }
      do throws(ConsoleRefusal) {
        try model.perform(request)
      } catch {
        send(ConsoleMessage(refusal: error.message), on: socket)
      }
    }
  }

  /// Sends what changes until the task is canceled.
  private static func show(_ model: ConsoleModel, on socket: Loopback.Socket) async {
    var view = ConsoleView()
    var undoing = ""
    var app: String? = model.app
    while !Task.isCancelled {
      let difference = view.show(model.rows())
      var message = ConsoleMessage(
        app: app, rows: difference.changed.map(\.row), removed: difference.removed.map(\.id))
      let newUndoing = model.undoing
      if newUndoing != undoing { message.undoing = newUndoing }
      if app != nil || !difference.isEmpty || message.undoing != nil {
        send(message, on: socket)
      }
      (undoing, app) = (newUndoing, nil)
      try? await Task.sleep(for: ConsoleView.interval)
    }
  }

  private static func send(_ message: ConsoleMessage, on socket: Loopback.Socket) {
    if let bytes = try? JSON.Encoder().encodeToBytes(message) {
      socket.send(String(decoding: bytes, as: UTF8.self))
    }
  }
}

private func file(_ bytes: [UInt8], type: String) -> Loopback.Route {
  .open { _ in
    Loopback.Response(
      bytes, type: "text/\(type); charset=utf-8",
      policy: "script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:")
  }
}
#endif
