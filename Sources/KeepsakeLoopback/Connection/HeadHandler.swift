#if Console
import NIOCore
import NIOHTTP1

/// Refuses a request: what was sent is answered with a status and nothing else.
struct Refusal {
  let status: HTTPResponseStatus

  init(_ status: HTTPResponseStatus) { self.status = status }
}

/// Limits the first line and the headers of a request, before they are parsed; finds the route once the first
/// line has arrived; and refuses.
final class HeadHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let connection: Connection
  /// The first line; `nil` once it is complete.
  private var line: [UInt8]? = []
  private var length = 0
  /// Whether the last bytes were a line's end, so that another ends the head.
  private var isAtLineStart = true
  private var isComplete = false

  /// How many bytes of a refused request are read, so that its sender receives the response: closing with bytes
  /// unread would discard it.
  private var discardable = 256 * 1024

  init(_ connection: Connection) { self.connection = connection }

  func handlerAdded(context: ChannelHandlerContext) {
    connection.setTimeLimit(connection.limits.headTime)
  }

  func channelInactive(context: ChannelHandlerContext) {
    connection.setTimeLimit(nil)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    if connection.isRefused {
      discardable -= bytes.readableBytes
      if discardable < 0 { context.close(promise: nil) }
      return
    }
    if !isComplete, let status = scan(bytes.readableBytesView) {
      return refuse(status, in: context)
    }
    context.fireChannelRead(data)
  }

  /// Counts the bytes of the head.
  ///
  /// - Returns: The status with which the request is refused, if it is.
  private func scan(_ bytes: ByteBufferView) -> HTTPResponseStatus? {
    for byte in bytes {
      length += 1
      if length > connection.limits.headLength { return .requestHeaderFieldsTooLarge }
      if byte == UInt8(ascii: "\r") { continue }
      guard byte == UInt8(ascii: "\n") else {
        isAtLineStart = false
        line?.append(byte)
        if let line, line.count > connection.limits.lineLength { return .uriTooLong }
        continue
      }
      if let line {
        // RFC 9112, section 2.2: empty lines before the first are ignored.
        if line.isEmpty { continue }
        self.line = nil
        if let status = receive(line) { return status }
      } else if isAtLineStart {
        isComplete = true
        return nil
      }
      isAtLineStart = true
    }
    return nil
  }

  private func receive(_ line: [UInt8]) -> HTTPResponseStatus? {
    guard let text = String(validating: line, as: UTF8.self),
      let request = Loopback.Request(line: text)
    else { return .badRequest }
    guard let route = connection.findRoute(request) else { return .notFound }
    connection.request = request
    connection.route = route
    return nil
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    guard let refusal = event as? Refusal else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    refuse(refusal.status, in: context)
    promise?.succeed()
  }

  private func refuse(_ status: HTTPResponseStatus, in context: ChannelHandlerContext) {
    if connection.isRefused { return }
    connection.isRefused = true
    let text =
      "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\nContent-Length: 0\r\n"
      + "Connection: close\r\n\r\n"
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    context.close(mode: .output, promise: nil)
    connection.setTimeLimit(.milliseconds(500))
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // A request that is complete is answered nevertheless.
    if event as? ChannelEvent == .inputClosed {
      connection.isInputClosed = true
      if connection.isRefused || connection.isSocket || !isComplete {
        return context.close(promise: nil)
      }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
#endif
