extension SyncEngine {
  /// The answer of the engine, or an error if it takes too long.
  func answer<Answer: Sendable>(
    within limit: Duration,
    to ask: @escaping @Sendable (any SyncEngine) async throws(SyncError) -> Answer
  ) async throws(SyncError) -> Answer {
    let result: Result<Answer, SyncError> = await withTaskGroup(of: Result<Answer, SyncError>.self)
    { group in
      group.addTask {
        do throws(SyncError) { return .success(try await ask(self)) } catch {
          return .failure(error)
        }
      }
      group.addTask {
        try? await Task.sleep(for: limit)
        return .failure(.unreachable("The engine did not answer within \(limit)."))
      }
      defer { group.cancelAll() }
      return await group.next() ?? .failure(.unreachable("The request was canceled."))
    }
    return try result.get()
  }
}
