#if Console
import KeepsakeBase
import NIOCore
import NIOWebSocket

extension Loopback {
  /// A connection to a page, through which both send text.
  public final class Socket: Sendable {
    /// What the page sends; ends when it has gone.
    public let messages: AsyncStream<String>

    private struct State {
      /// The number of bytes that the page has not read.
      var unread = 0
      /// Whether the channel is open: its event loop, which may have ended since, takes nothing afterwards.
      var isOpen = true
    }

    private let received: AsyncStream<String>.Continuation
    private let channel: any Channel
    private let limits: Loopback.Limits
    private let state = Mutex(State())

    init(_ channel: any Channel, _ limits: Loopback.Limits) {
      self.channel = channel
      self.limits = limits
      (messages, received) = AsyncStream.makeStream(
        bufferingPolicy: .bufferingOldest(limits.unreadMessages))
    }

    /// Sends text to the page. A page that does not read is disconnected, and may connect again.
    public func send(_ text: String) {
      let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
      let length = frame.length
      let unread = state.withLock { state in
        state.unread += length
        return state.unread
      }
      onEventLoop { [self] in
        if unread > limits.unreadLength { return channel.close(promise: nil) }
        channel.writeAndFlush(frame).whenComplete { [self] _ in
          state.withLock { $0.unread -= length }
        }
      }
    }

    /// Ends the connection.
    func close(_ code: WebSocketErrorCode) {
      onEventLoop { [channel] in
        var reason = ByteBuffer()
        reason.write(webSocketErrorCode: code)
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: reason)
        channel.writeAndFlush(frame).whenComplete { _ in channel.close(promise: nil) }
      }
    }

    private func onEventLoop(_ body: @escaping @Sendable () -> Void) {
      if channel.eventLoop.inEventLoop { return body() }
      state.withLock { state in
        if state.isOpen { channel.eventLoop.execute(body) }
      }
    }

    func receive(_ text: String) {
      if case .dropped = received.yield(text) { close(.policyViolation) }
    }

    /// Notes that the channel is closed.
    func finish() {
      state.withLock { $0.isOpen = false }
      received.finish()
    }
  }
}
#endif
