import Foundation
import Keepsake
import KeepsakeLoopback

/// Serves an app's windows to the browsers of this machine.
///
/// The page itself contains nothing of the user's, so that anyone may load it. What it shows comes through the
/// socket, which only the app's own page opens.
@MainActor
struct StageServer {
  let host: WindowHost
  let token: Loopback.Token
  let title: String

  /// Serves on a port, or on the first of several that no other program uses, until the task is canceled.
  ///
  /// - Parameter started: Receives the port once pages can be loaded.
  func run(
    on ports: some Sequence<UInt16>, started: @escaping @MainActor @Sendable (UInt16) -> Void
  ) async throws {
    let (host, images, title) = (host, host.images, title)
    let server = Loopback.Server(token: token) { request in
      switch (request.method, request.path) {
      case ("GET", "/"):
        let page = String(decoding: PackageResources.page_html, as: UTF8.self)
        return file(Array(page.replacing("{title}", with: title).utf8), type: "html")
      case ("GET", "/tokens.css"): return file(PackageResources.tokens_css, type: "css")
      case ("GET", "/page.css"): return file(PackageResources.page_css, type: "css")
      case ("GET", "/page.js"): return file(PackageResources.page_js, type: "javascript")
      case ("GET", "/controls.js"): return file(PackageResources.controls_js, type: "javascript")
      case ("GET", "/places.js"): return file(PackageResources.places_js, type: "javascript")
      case ("GET", "/navigation.js"):
        return file(PackageResources.navigation_js, type: "javascript")
      case ("GET", "/drops.js"): return file(PackageResources.drops_js, type: "javascript")
      case ("GET", let path) where path.hasPrefix("/image/"):
        return .open { _ in Self.image(at: path, among: images) }
      case ("GET", "/socket"):
        return .socket { request, socket in await Self.exchange(socket, request, host) }
      case ("POST", "/access"):
        // A page cannot see why its socket was refused: here it learns whether it has the token.
        return .upload(limit: 0) { _ in Loopback.Response(status: 204) }
      case ("POST", "/upload"):
        return .upload(limit: Self.uploadLimit(request, host.drops.limits)) { request in
          request.value(of: "step") == nil
            ? await Self.receive(request, host) : await Self.receiveDrop(request, host)
        }
      default: return nil
      }
    }
    try await server.run(on: ports) { port in await started(port) }
  }

  private nonisolated static func image(
    at path: String, among images: ImageShelf
  ) -> Loopback.Response {
    guard let (bytes, type) = images.image(at: path) else { return Loopback.Response(status: 404) }
    return Loopback.Response(bytes, type: type)
  }

  /// Carries messages between a page and its window.
  private static func exchange(
    _ socket: Loopback.Socket, _ request: Loopback.Request, _ host: WindowHost
  ) async {
    let connection: WindowHost.WindowConnection
    do {
      connection = try await host.connect(
        sessionID: request.value(of: "session"),
        phase: ScenePhase(page: request.value(of: "phase") ?? "")
      ) { message in
        if let json = try? message.json { socket.send(json) }
      }
    } catch {
      print("A window could not be opened: \(error)")
      return
    }
    defer { connection.close() }
    for await text in socket.messages {
      // What no page of this app sends is not answered.
      guard
        let event = try? JSONDecoder().decode(PageMessage.Numbered.self, from: Data(text.utf8))
      else { continue }
      connection.receive(event.message, number: event.number)
    }
  }

  private static func receive(
    _ request: Loopback.Request, _ host: WindowHost
  ) async -> Loopback.Response {
    func side(_ name: String) -> Double {
      let length = request.value(of: name).flatMap { Double($0) } ?? 1
      return length >= 1 && length <= 1_000_000 ? length : 1
    }
    func coordinate(_ name: String) -> Double? {
      request.value(of: name).flatMap { Double($0) }.flatMap { abs($0) <= 1_000_000 ? $0 : nil }
    }
    let location = coordinate("x").flatMap { x in coordinate("y").map { CGPoint(x: x, y: $0) } }
    let upload = Upload(
      bytes: request.body, size: CGSize(width: side("width"), height: side("height")),
      location: location)
    guard let session = request.value(of: "session"), let element = request.value(of: "element"),
      let id = request.value(of: "upload"),
      let isTaken = host.receive(upload, id: id, session: session, element: element)
    else { return Loopback.Response(status: 404) }
    return Loopback.Response(status: isTaken ? 204 : 415)
  }
}

private func file(_ bytes: [UInt8], type: String) -> Loopback.Route {
  .open { _ in
    Loopback.Response(
      bytes, type: "text/\(type); charset=utf-8",
      policy: "script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:")
  }
}
