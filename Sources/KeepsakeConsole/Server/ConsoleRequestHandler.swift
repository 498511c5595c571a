#if Console
import FlyingFox
import KeepsakeBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Answers the console's own page, and refuses all others.
///
/// The page itself holds nothing of the app's, so anyone may load it. What it shows comes through the
/// socket, which only a page of this very address that knows the token can open.
final class ConsoleRequestHandler: HTTPHandler {
  let model: ConsoleModel
  let token: ConsoleToken
  /// The names under which the console is reached; none until it is known where it listens.
  let authorities = Mutex<[String]>([])

  init(model: ConsoleModel, token: ConsoleToken) {
    self.model = model
    self.token = token
  }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    // A name that someone has made to point here is not ours (DNS rebinding).
    guard request.method == .GET, let authority = request.headers[.host],
      authorities.withLock({ $0.contains(authority) })
    else { return refusal() }
    switch request.path {
    case "/": return text(PackageResources.console_html, type: "html")
    case "/console.css": return text(PackageResources.console_css, type: "css")
    case "/console.js": return text(PackageResources.console_js, type: "javascript")
    case "/socket":
      guard request.headers[HTTPHeader("Origin")] == "http://\(authority)",
        let guess = request.query.first(where: { $0.name == "token" })?.value,
        token.matches(guess)
      else { return refusal() }
      let socket = MessageFrameWSHandler(handler: ConsoleSocket(model: model))
      return try await WebSocketHTTPHandler(handler: socket).handleRequest(request)
    default: return refusal()
    }
  }

  private func text(_ bytes: [UInt8], type: String) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok,
      headers: [
        .contentType: "text/\(type); charset=utf-8",
        HTTPHeader("Cache-Control"): "no-store",
        HTTPHeader("Content-Security-Policy"):
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
          + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
        HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
        HTTPHeader("Referrer-Policy"): "no-referrer",
        HTTPHeader("X-Content-Type-Options"): "nosniff",
        HTTPHeader("X-Frame-Options"): "DENY",
      ],
      body: Data(bytes))
  }

  /// The connection ends with it, for what else was sent on it is not read.
  private func refusal() -> HTTPResponse {
    HTTPResponse(statusCode: .forbidden, headers: HTTPHeaders([.connection: "close"]))
  }
}
#endif
