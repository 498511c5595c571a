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
  /// Style sheets and scripts of the app's own, by their names.
  var files: KeyValuePairs<String, [UInt8]> = [:]

  /// Serves on a port, or on the first of several that no other program uses, until the task is canceled.
  ///
  /// - Parameter started: Receives the port once pages can be loaded.
  func run(
    on ports: some Sequence<UInt16>, started: @escaping @MainActor @Sendable (UInt16) -> Void
  ) async throws {
    let (host, images, page) = (host, host.images, page)
    let files = Dictionary(uniqueKeysWithValues: allFiles.map { ("/" + $0.key, $0.value) })
    let server = Loopback.Server(token: token) { request in
      switch (request.method, request.path) {
      case ("GET", "/"): return file(page, type: "html")
      case ("GET", let path) where files[path] != nil:
        return file(files[path] ?? [], type: path.hasSuffix(".css") ? "css" : "javascript")
      case ("GET", let path) where path.hasPrefix("/image/"):
        return .open { _ in
          images.image(at: path).map { Loopback.Response($0.bytes, type: $0.type) }
            ?? Loopback.Response(status: 404)
        }
      case ("GET", "/socket"):
        return .socket { request, socket in await Self.exchange(socket, request, host) }
      case ("POST", "/access"):
        // A page cannot see why its socket was refused: here it learns whether it has the token.
        return .upload(limit: 0) { _ in Loopback.Response(status: 204) }
      case ("POST", "/upload"):
        return .upload(limit: Self.uploadLimit) { request in await host.receive(request) }
      default: return nil
      }
    }
    try await server.run(on: ports) { port in await started(port) }
  }

  /// Stage's files and the app's, in the order in which a page loads them.
  private var allFiles: [(key: String, value: [UInt8])] {
    [
      ("tokens.css", PackageResources.tokens_css), ("page.css", PackageResources.page_css),
      ("page.js", PackageResources.page_js), ("connection.js", PackageResources.connection_js),
      ("controls.js", PackageResources.controls_js),
      ("navigation.js", PackageResources.navigation_js),
    ] + Array(files)
  }

  private var page: [UInt8] {
    let loading = allFiles.map { name, _ in
      name.hasSuffix(".css")
        ? "<link rel=\"stylesheet\" href=\"/\(name)\">"
        : "<script src=\"/\(name)\" defer></script>"
    }
    return Array(
      String(decoding: PackageResources.page_html, as: UTF8.self)
        .replacing("{title}", with: title)
        .replacing("{files}", with: loading.joined(separator: "\n  ")).utf8)
  }

  /// The most bytes that an element is sent at once.
  private nonisolated static let uploadLimit = 64 << 20

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
}

private func file(_ bytes: [UInt8], type: String) -> Loopback.Route {
  .open { _ in
    Loopback.Response(
      bytes, type: "text/\(type); charset=utf-8",
      policy: "script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:")
  }
}
