#if Postgres
import Dispatch
import KeepsakeBase

/// Waits for a socket of libpq on a queue, until this value is released or ends.
///
/// It watches a duplicate: libpq closes its socket itself, and a number that is in use again would be taken for
/// the socket that had it.
final class SocketWatch {
  enum Event { case readable, writable }

  private let source: any DispatchSourceProtocol

  /// - Returns: nil if no more files can be opened.
  init?(_ event: Event, of socket: Int32, on queue: DispatchQueue, _ handle: @escaping () -> Void) {
    let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    guard duplicate >= 0 else { return nil }
    source =
      switch event {
      case .readable: DispatchSource.makeReadSource(fileDescriptor: duplicate, queue: queue)
      case .writable: DispatchSource.makeWriteSource(fileDescriptor: duplicate, queue: queue)
      }
    source.setEventHandler(handler: handle)
    source.setCancelHandler { close(duplicate) }
    source.resume()
  }

  deinit { source.cancel() }
}
#endif
