extension RequestClient {
  /// Sends a request, and calls its closure on the main actor.
  func send<Response>(request: CallbackRequest<Response>) {
    Task {
      let result: Result<Response, any Error>
      do { result = .success(try await send(request.request)) } catch { result = .failure(error) }
      await request.completion(result)
    }
  }
}

/// A request with a closure that receives its response, for code without `async`.
struct CallbackRequest<Response: Sendable>: Sendable {
  let request: Request<Response>
  let completion: @MainActor @Sendable (Result<Response, any Error>) -> Void

  init(
    _ request: Request<Response>,
    completion: @escaping @MainActor @Sendable (Result<Response, any Error>) -> Void
  ) {
    self.request = request
    self.completion = completion
  }
}
