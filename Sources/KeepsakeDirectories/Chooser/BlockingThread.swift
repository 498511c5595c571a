import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// Runs a closure that blocks on a thread of its own, since the user may take hours to answer.
///
/// - Parameter body: Receives a descriptor that becomes readable when the task is canceled.
/// - Throws: What `body` throws; an error of the system, as when no file can be opened any more, as
///   ``DirectoryChooserError/unavailable(_:)``.
func onBlockingThread<Result: Sendable>(
  _ body: @escaping @Sendable (_ cancellation: FileDescriptor) throws -> Result
) async throws -> Result {
  do {
    let cancellation = try CancellationPipe()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isStarted = startThread {
          continuation.resume(with: Swift.Result { try body(cancellation.descriptor) })
        }
        if !isStarted { continuation.resume(throwing: Errno.resourceTemporarilyUnavailable) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  } catch let code as Errno {
    throw DirectoryChooserError.unavailable("\(code)")
  }
}

/// A pipe that wakes a thread that waits in poll(2); it is closed when neither side needs it.
private final class CancellationPipe: Sendable {
  let descriptor: FileDescriptor
  private let canceler: FileDescriptor

  init() throws {
    (descriptor, canceler) = try FileDescriptor.pipe()
    for end in [descriptor, canceler] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
  }

  func cancel() { _ = try? canceler.writeAll([0]) }

  deinit {
    try? descriptor.close()
    try? canceler.close()
  }
}

/// Waits until a descriptor has bytes to read.
///
/// - Returns: Whether it has; `false` if the time has passed.
/// - Throws: `CancellationError` if the task was canceled meanwhile.
func waitForBytes(
  in descriptor: Int32, orCancellation cancellation: FileDescriptor, milliseconds: Int32 = -1
) throws -> Bool {
  var requests = [descriptor, cancellation.rawValue].map {
    pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
  }
  while true {
    let count = poll(&requests, nfds_t(requests.count), milliseconds)
    if count < 0 {
      guard errno == EINTR else { throw Errno(rawValue: errno) }
      continue
    }
    if requests[1].revents != 0 { throw CancellationError() }
    return requests[0].revents != 0
  }
}
