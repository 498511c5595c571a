#if Console
import KeepsakeBase
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Checks who sent a request, collects its body, and writes the response of its route.
final class ResponseHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let connection: Connection
  private var body: [UInt8] = []
  private var response: Task<Void, Never>?
  private var isReceived = false
  /// Whether the channel is open: its event loop, which may have ended since, takes nothing afterwards.
  private let isOpen = OpenFlag()

  private final class OpenFlag: Sendable {
    let value = Mutex(true)
  }

  init(_ connection: Connection) { self.connection = connection }

  func channelInactive(context: ChannelHandlerContext) {
    isOpen.value.withLock { $0 = false }
    response?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // One request for each connection.
    if connection.isRefused || isReceived { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      if let status = refusal(of: head) {
        context.triggerUserOutboundEvent(Refusal(status), promise: nil)
      } else {
        connection.setTimeLimit(connection.limits.transferTime)
      }
    case .body(let bytes):
      body.append(contentsOf: bytes.readableBytesView)
    case .end:
      isReceived = true
      respond(context)
    }
  }

  private func refusal(of head: HTTPRequestHead) -> HTTPResponseStatus? {
    guard connection.isForThisServer(head), let route = connection.route else { return .forbidden }
    let length = head.headers.first(name: "Content-Length").flatMap { Int($0) }
    let isChunked = head.headers.contains(name: "Transfer-Encoding")
    switch route {
    case .open:
      return length ?? 0 == 0 && !isChunked ? nil : .badRequest
    case .upload(let limit, _):
      let authorizations = head.headers["Authorization"]
      guard authorizations.count == 1, authorizations[0].hasPrefix("Bearer "),
        connection.isOwnPage(head, authorizations[0].dropFirst(7))
      else { return .forbidden }
      guard let length, !isChunked else { return .lengthRequired }
      return length <= limit ? nil : .payloadTooLarge
    case .socket:
      // The page with the token would have been upgraded.
      return .forbidden
    }
  }

  private func respond(_ context: ChannelHandlerContext) {
    guard var request = connection.request, let route = connection.route else { return }
    request.body = body
    body = []
    let make: @Sendable (Loopback.Request) async -> Loopback.Response
    switch route {
    case .open(let body), .upload(_, let body): make = body
    case .socket: return
    }
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    response = Task { [request, isOpen, eventLoop = context.eventLoop] in
      let response = await make(request)
      isOpen.value.withLock { isOpen in
        if isOpen { eventLoop.execute { handler.value.write(response, bound.value) } }
      }
    }
  }

  private func write(_ response: Loopback.Response, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    var headers: HTTPHeaders = [
      "Content-Length": "\(response.body.count)", "Connection": "close",
      "Cache-Control": "no-store",
      "Content-Security-Policy": "default-src 'none'; \(response.policy); base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'",
      "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
      "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
    ]
    if !response.type.isEmpty { headers.add(name: "Content-Type", value: response.type) }
    if response.status == 204 { headers.remove(name: "Content-Length") }
    let head = HTTPResponseHead(
      version: .http1_1, status: .init(statusCode: response.status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !response.body.isEmpty {
      context.write(
        wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
    }
    let channel = context.channel
    connection.setTimeLimit(connection.limits.transferTime)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      channel.close(promise: nil)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed, !isReceived { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A socket that is refused, or what the parser does not accept.
    let status: HTTPResponseStatus =
      switch error {
      case is NIOWebSocketUpgradeError: .forbidden
      case HTTPParserError.headerOverflow: .requestHeaderFieldsTooLarge
      default: .badRequest
      }
    context.triggerUserOutboundEvent(Refusal(status), promise: nil)
  }
}
#endif
