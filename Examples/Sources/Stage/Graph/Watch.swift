import Keepsake
import Observation
import Synchronization

/// Tells once when something that a body has read changes.
///
/// Observation keeps a reader until then, even if its view has long been gone. So each reader also
/// reads a value of its own, whose change takes it out of all the others.
final class Watch: Sendable {
  private let end = ObservedSubject()
  private let isOver = Atomic<Bool>(false)
  private let onChange: @Sendable () -> Void

  init(onChange: @escaping @Sendable () -> Void) {
    self.onChange = onChange
  }

  /// Evaluates a body, and begins to watch what it reads.
  func evaluate<Result>(_ body: () -> Result) -> Result {
    let changes = ObservedChanges.count
    let ownChanges = observedValueChanges.load(ordering: .sequentiallyConsistent)
    let result = withObservationTracking {
      end.access()
      return body()
    } onChange: { [self] in
      if isFirst() { onChange() }
    }
    // What another thread changes while the body is evaluated, Observation tells nobody.
    if changes != ObservedChanges.count
      || ownChanges != observedValueChanges.load(ordering: .sequentiallyConsistent)
    {
      onChange()
    }
    return result
  }

  /// Ends the watch, if nothing has changed.
  func cancel() {
    if isFirst() { end.notify() }
  }

  private func isFirst() -> Bool { !isOver.exchange(true, ordering: .sequentiallyConsistent) }
}
