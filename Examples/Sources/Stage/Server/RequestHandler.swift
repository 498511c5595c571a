import FlyingFox
import Foundation
import Keepsake

/// Answers the requests of the app's own pages, and refuses all others.
///
/// The page itself holds nothing of the user's, so anyone may load it. What it shows comes through
/// the socket, which only a page of this very address that knows the token can open.
struct RequestHandler: HTTPHandler {
  let host: WindowHost
  let token: AccessToken
  let port: UInt16
  let title: String

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    // A name that someone has made to point here is not ours (DNS rebinding).
    guard request.method == .GET, let authority = request.headers[.host],
      authority == "127.0.0.1:\(port)" || authority == "localhost:\(port)"
    else { return refusal }
    switch request.path {
    case "/":
      return response(PackageResources.page_html, type: "text/html") {
        $0.replacingOccurrences(of: "{title}", with: title)
      }
    case "/page.css": return response(PackageResources.page_css, type: "text/css")
    case "/page.js": return response(PackageResources.page_js, type: "text/javascript")
    case "/socket": return try await socket(request, authority: authority)
    default: return refusal
    }
  }

  private func socket(_ request: HTTPRequest, authority: String) async throws -> HTTPResponse {
    func query(_ name: String) -> String? { request.query.first { $0.name == name }?.value }
    guard request.headers[HTTPHeader("Origin")] == "http://\(authority)",
      let guess = query("token"), token.matches(guess)
    else { return refusal }
    let handler = WindowSocket(
      host: host, sessionID: query("session"), phase: ScenePhase(page: query("phase") ?? ""))
    return try await WebSocketHTTPHandler(handler: MessageFrameWSHandler(handler: handler))
      .handleRequest(request)
  }

  private func response(
    _ bytes: [UInt8], type: String, edit: (String) -> String = { $0 }
  ) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok,
      headers: [
        .contentType: "\(type); charset=utf-8",
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
      body: Data(edit(String(decoding: bytes, as: UTF8.self)).utf8))
  }

  private var refusal: HTTPResponse {
    HTTPResponse(statusCode: .forbidden)
  }
}
