#if Console
import KeepsakeBase
import NIOCore
import NIOPosix

extension Loopback {
  /// An HTTP server for the pages of an app, on the loopback address of this machine.
  ///
  /// It answers requests for its own names alone (no name that somebody has made to point here, as DNS rebinding
  /// does), and closes each connection after one response. All limits take effect before any code of the app runs:
  /// what is refused is refused at its first line or its headers, and no body of it is read.
  ///
  /// It serves the windows of the package's examples and its console; for other uses it is not supported.
  public final class Server: Sendable {
    private let token: Loopback.Token
    private let limits: Loopback.Limits
    private let route: @Sendable (Loopback.Request) -> Loopback.Route?

    /// A server that does not run yet.
    ///
    /// - Parameters:
    ///   - token: What the server's own pages know.
    ///   - limits: What a client may cost.
    ///   - route: What to do with a request, of which only the first line is known; `nil` refuses it. It is called
    ///     on the server's thread, and must not wait.
    public init(
      token: Loopback.Token, limits: Loopback.Limits = Loopback.Limits(),
      route: @escaping @Sendable (Loopback.Request) -> Loopback.Route?
    ) {
      self.token = token
      self.limits = limits
      self.route = route
    }

    /// Serves on the first port that no other program uses, until the task is canceled.
    ///
    /// - Parameters:
    ///   - ports: The ports to try; 0 is any that is free.
    ///   - started: Receives the port once pages can be loaded.
    /// - Throws: ``Loopback/ServerError/portInUse(_:)`` if other programs use all of them.
    public func run(
      on ports: some Sequence<UInt16>, started: @escaping @Sendable (UInt16) async -> Void
    ) async throws {
      // A thread of its own: a flood of requests keeps no other code of the app waiting.
      let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
      let connections = OpenConnections(limit: limits.connections)
      do {
        let (server, port) = try await open(ports, on: threads, connections)
        await started(port)
        try await withTaskCancellationHandler {
          try await server.closeFuture.get()
        } onCancel: {
          server.close(promise: nil)
        }
      } catch {
        await close(threads, connections)
        throw error
      }
      await close(threads, connections)
      try Task.checkCancellation()
    }

    private func close(
      _ threads: MultiThreadedEventLoopGroup, _ connections: OpenConnections
    ) async {
      connections.closeAll()
      // It fails only if it was done before.
      try? await threads.shutdownGracefully()
    }

    private func open(
      _ ports: some Sequence<UInt16>, on threads: MultiThreadedEventLoopGroup,
      _ connections: OpenConnections
    ) async throws -> (any Channel, UInt16) {
      var failure: any Error = Loopback.ServerError.portInUse(0)
      for port in ports {
        do {
          let bootstrap = ServerBootstrap(group: threads)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { [token, limits, route] channel in
              channel.eventLoop.makeCompletedFuture {
                connections.add(channel)
                try Connection(channel, connections, token, limits, route).start()
              }
            }
          // The loopback address itself: no other machine can reach it.
          let server = try await bootstrap.bind(host: "127.0.0.1", port: Int(port)).get()
          return (server, UInt16(server.localAddress?.port ?? Int(port)))
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
          failure = Loopback.ServerError.portInUse(port)
        }
      }
      throw failure
    }
  }
}
#endif
