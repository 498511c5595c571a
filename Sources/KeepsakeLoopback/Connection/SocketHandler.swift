#if Console
import NIOCore
import NIOWebSocket

/// Receives the frames of a page (RFC 6455).
final class SocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let socket: Loopback.Socket
  private var isClosing = false

  init(_ socket: Loopback.Socket) { self.socket = socket }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isClosing { return }
    let frame = unwrapInboundIn(data)
    var content = frame.unmaskedData
    switch frame.opcode {
    case .text:
      guard let text = String(validating: content.readableBytesView, as: UTF8.self) else {
        return close(.dataInconsistentWithMessage)
      }
      socket.receive(text)
    case .ping:
      let pong = WebSocketFrame(fin: true, opcode: .pong, data: content)
      context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
    case .pong: break
    case .connectionClose: close(content.readWebSocketErrorCode() ?? .normalClosure)
    default: close(.unacceptableData)
    }
  }

  private func close(_ code: WebSocketErrorCode) {
    isClosing = true
    socket.close(code)
  }

  func channelInactive(context: ChannelHandlerContext) {
    socket.finish()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
#endif
