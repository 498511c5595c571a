import NIOCore
import NIOHTTP1
import NIOPosix

/// A real server on this machine, which answers by the path and keeps the header fields that arrive.
final class LocalServer: Sendable {
  struct Answer: Sendable {
    var status = HTTPResponseStatus.ok
    var headers: [(String, String)] = []
    var body: [UInt8] = []
    /// Whether the response ends.
    var ends = true
  }

  let port: Int
  private let channel: any Channel

  init(_ answer: @escaping @Sendable (HTTPRequestHead) -> Answer?) async throws {
    channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(Handler(answer))
        }
      }.bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress!.port!
  }

  deinit { channel.close(promise: nil) }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    let answer: @Sendable (HTTPRequestHead) -> Answer?

    init(_ answer: @escaping @Sendable (HTTPRequestHead) -> Answer?) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(let request) = unwrapInboundIn(data) else { return }
      // A server that never answers.
      guard let answer = answer(request) else { return }
      var headers = HTTPHeaders(answer.headers)
      headers.add(name: "Connection", value: "close")
      let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.writeAndFlush(
        wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
      if !answer.ends { return }
      context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete {
        [channel = context.channel] _ in
        channel.close(promise: nil)
      }
    }
  }
}
