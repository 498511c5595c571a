import Observation

/// Evaluates a body, and tells when anything that it read has changed.
///
/// Observation watches from the moment the body has returned. What another thread changes after the
/// body has read it and before that would go unnoticed, so the body is evaluated twice: the first
/// evaluation watches over the second.
@MainActor
func watching<Result>(
  _ body: () -> Result, onChange: @escaping @Sendable () -> Void
) -> Result {
  _ = withObservationTracking(body) { onChange() }
  return withObservationTracking(body) { onChange() }
}
