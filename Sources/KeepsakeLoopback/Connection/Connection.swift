#if Console
import KeepsakeBase
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// What a server knows about one connection; used on its event loop only.
final class Connection {
  let channel: any Channel
  let connections: OpenConnections
  let token: Loopback.Token
  let limits: Loopback.Limits
  let findRoute: (Loopback.Request) -> Loopback.Route?

  /// The request, once its first line has arrived.
  var request: Loopback.Request?
  var route: Loopback.Route?
  /// Whether it was refused; what still arrives is discarded.
  var isRefused = false
  /// Whether the client sends nothing more.
  var isInputClosed = false
  /// Whether it is the socket of a page.
  private(set) var isSocket = false
  private var timeout: Scheduled<Void>?

  init(
    _ channel: any Channel, _ connections: OpenConnections, _ token: Loopback.Token,
    _ limits: Loopback.Limits, _ findRoute: @escaping (Loopback.Request) -> Loopback.Route?
  ) {
    self.channel = channel
    self.connections = connections
    self.token = token
    self.limits = limits
    self.findRoute = findRoute
  }

  /// Adds the handlers: the limits first, then the parser of HTTP, then the responses.
  func start() throws {
    let head = HeadHandler(self)
    let responder = ResponseHandler(self)
    let encoder = HTTPResponseEncoder()
    let decoder = ByteToMessageHandler(
      HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
    let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: limits.messageLength,
      shouldUpgrade: { channel, head in
        channel.eventLoop.makeSucceededFuture(
          bound.value.isOwnSocket(head) ? ["Sec-WebSocket-Protocol": Self.socketProtocol] : nil)
      },
      upgradePipelineHandler: { channel, _ in
        channel.eventLoop.makeCompletedFuture { try bound.value.startSocket() }
      })
    try channel.pipeline.syncOperations.addHandlers([
      head, encoder, decoder,
      HTTPServerUpgradeHandler(
        upgraders: [upgrader], httpEncoder: encoder, extraHTTPHandlers: [decoder, responder],
        upgradeCompletionHandler: { _ in }),
      responder,
    ])
  }

  /// Closes the connection after a time, unless this is called again before; `nil` allows any time.
  func setTimeLimit(_ duration: Duration?) {
    timeout?.cancel()
    timeout = duration.map { [channel] in
      channel.eventLoop.scheduleTask(in: TimeAmount($0)) { channel.close(promise: nil) }
    }
  }

  /// The protocol that pages name beside the token.
  static let socketProtocol = "keepsake"

  /// Whether a request names the server by one of its own names, and no other.
  func isForThisServer(_ head: HTTPRequestHead) -> Bool {
    let port = channel.localAddress?.port ?? 0
    let names = head.headers["Host"]
    return names.count == 1 && (names[0] == "127.0.0.1:\(port)" || names[0] == "localhost:\(port)")
  }

  /// Whether a request is that of the server's own page, with the token.
  ///
  /// - Parameter guess: The token that it contains.
  func isOwnPage(_ head: HTTPRequestHead, _ guess: Substring?) -> Bool {
    guard isForThisServer(head), let guess, token.matches(guess) else { return false }
    return head.headers["Origin"] == ["http://\(head.headers["Host"][0])"]
  }

  private func isOwnSocket(_ head: HTTPRequestHead) -> Bool {
    guard case .socket = route, !isRefused else { return false }
    let protocols = head.headers[canonicalForm: "Sec-WebSocket-Protocol"]
    guard protocols.contains(where: { $0 == Self.socketProtocol }) else { return false }
    let guess = protocols.first { $0.hasPrefix("bearer.") }?.dropFirst(7)
    return isOwnPage(head, guess)
  }

  private func startSocket() throws {
    guard case .socket(let body) = route, let request else { return }
    connections.trust(channel)
    setTimeLimit(nil)
    isSocket = true
    let socket = Loopback.Socket(channel, limits)
    try channel.pipeline.syncOperations.addHandlers([
      NIOWebSocketFrameAggregator(
        minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1024,
        maxAccumulatedFrameSize: limits.messageLength),
      SocketHandler(socket),
    ])
    let task = Task {
      await body(request, socket)
      socket.close(.goingAway)
    }
    channel.closeFuture.whenComplete { _ in task.cancel() }
    // The handlers added above did not receive that event.
    if isInputClosed { channel.close(promise: nil) }
  }
}
#endif
