import FlyingFox
import Foundation
import Keepsake

/// Answers the requests of the app's own pages, and refuses all others.
///
/// The page itself holds nothing of the user's, so anyone may load it. What it shows comes through
/// the socket, which only a page of this very address that knows the token can open.
struct RequestHandler: HTTPHandler {
  let host: WindowHost
  let images: ImageShelf
  let token: AccessToken
  let port: UInt16
  let title: String

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    // A name that someone has made to point here is not ours (DNS rebinding).
    guard let authority = request.headers[.host],
      authority == "127.0.0.1:\(port)" || authority == "localhost:\(port)"
    else { return refusal() }
    switch (request.method, request.path) {
    case (.GET, "/"):
      let page = String(decoding: PackageResources.page_html, as: UTF8.self)
      return text(Array(page.replacingOccurrences(of: "{title}", with: title).utf8), type: "html")
    case (.GET, "/page.css"): return text(PackageResources.page_css, type: "css")
    case (.GET, "/page.js"): return text(PackageResources.page_js, type: "javascript")
    case (.GET, "/controls.js"): return text(PackageResources.controls_js, type: "javascript")
    case (.GET, "/places.js"): return text(PackageResources.places_js, type: "javascript")
    case (.GET, "/socket"): return try await socket(request, authority: authority)
    case (.GET, let path) where path.hasPrefix("/image/"): return image(at: path)
    case (.POST, "/upload"): return try await upload(request, authority: authority)
    default: return refusal()
    }
  }

  private func isOwnPage(_ request: HTTPRequest, _ authority: String, _ guess: String?) -> Bool {
    guard let guess else { return false }
    return request.headers[HTTPHeader("Origin")] == "http://\(authority)" && token.matches(guess)
  }

  private func socket(_ request: HTTPRequest, authority: String) async throws -> HTTPResponse {
    guard isOwnPage(request, authority, request.query("token")) else { return refusal() }
    let handler = WindowSocket(
      host: host, sessionID: request.query("session"),
      phase: ScenePhase(page: request.query("phase") ?? ""))
    return try await WebSocketHTTPHandler(handler: MessageFrameWSHandler(handler: handler))
      .handleRequest(request)
  }

  private func image(at path: String) -> HTTPResponse {
    guard let (bytes, type) = images.image(at: path) else {
      return HTTPResponse(statusCode: .notFound)
    }
    return response(bytes, type: type.mimeType, policy: "sandbox")
  }

  private func upload(_ request: HTTPRequest, authority: String) async throws -> HTTPResponse {
    let authorization = request.headers[.authorization]
    guard authorization?.hasPrefix("Bearer ") == true,
      isOwnPage(request, authority, authorization.map { String($0.dropFirst(7)) }),
      let session = request.query("session"), let element = request.query("element")
    else { return refusal() }
    let length = request.headers[.contentLength].flatMap { Int($0) }
    guard let length, length <= Upload.limit else { return refusal(.payloadTooLarge) }
    let bytes = [UInt8](try await request.bodyData)
    guard AssetType.of(bytes, among: AssetType.pageImages) != nil else {
      return refusal(.unsupportedMediaType)
    }
    func side(_ name: String) -> Double {
      let length = request.query(name).flatMap { Double($0) } ?? 1
      return length >= 1 && length <= 1_000_000 ? length : 1
    }
    let upload = Upload(
      bytes: bytes, size: CGSize(width: side("width"), height: side("height")))
    let isTaken = await host.receive(upload, session: session, element: element)
    return isTaken ? HTTPResponse(statusCode: .noContent) : refusal()
  }

  private func text(_ bytes: [UInt8], type: String) -> HTTPResponse {
    response(
      bytes, type: "text/\(type); charset=utf-8",
      policy: "script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:")
  }

  private func response(_ bytes: [UInt8], type: String, policy: String) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok,
      headers: [
        .contentType: type,
        HTTPHeader("Cache-Control"): "no-store",
        HTTPHeader("Content-Security-Policy"):
          "default-src 'none'; \(policy); base-uri 'none'; form-action 'none'; "
          + "frame-ancestors 'none'",
        HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
        HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
        HTTPHeader("Referrer-Policy"): "no-referrer",
        HTTPHeader("X-Content-Type-Options"): "nosniff",
        HTTPHeader("X-Frame-Options"): "DENY",
      ],
      body: Data(bytes))
  }

  /// The connection ends with it, for what else was sent on it is not read.
  private func refusal(_ status: HTTPStatusCode = .forbidden) -> HTTPResponse {
    HTTPResponse(statusCode: status, headers: [.connection: "close"])
  }
}

extension HTTPRequest {
  fileprivate func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
