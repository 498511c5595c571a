#if Identity
/// The operation took too long.
struct TimeLimitExceeded: Error, CustomStringConvertible {
  let limit: Duration

  var description: String { "no answer within \(limit)" }
}

/// Waits for an operation, but not longer than a limit; it is then canceled, and may go on.
func withTimeLimit<Success: Sendable>(
  _ limit: Duration, _ operation: @escaping @Sendable () async throws -> Success
) async throws -> Success {
  let (results, continuation) = AsyncStream.makeStream(
    of: Result<Success, any Error>.self, bufferingPolicy: .bufferingOldest(1))
  let work = Task {
    do {
      continuation.yield(.success(try await operation()))
    } catch {
      continuation.yield(.failure(error))
    }
  }
  let timer = Task {
    try await Task.sleep(for: limit)
    continuation.yield(.failure(TimeLimitExceeded(limit: limit)))
  }
  defer {
    work.cancel()
    timer.cancel()
  }
  for await result in results { return try result.get() }
  throw CancellationError()
}
#endif
