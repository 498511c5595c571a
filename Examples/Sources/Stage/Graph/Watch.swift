import Keepsake
import Observation
import Synchronization

/// Tells once after each evaluation of a body when something that it has read changes.
///
/// Observation keeps a reader until then, even if its view has long been gone. So each reader also
/// reads a value of its own, whose change takes it out of all the others.
final class Watch: Sendable {
  private let end = ObservedSubject()
  /// The number of the evaluation that is being watched; zero if there is none.
  private let watched = Atomic<UInt64>(0)
  private let last = Atomic<UInt64>(0)
  private let onChange: @Sendable () -> Void

  init(onChange: @escaping @Sendable () -> Void) {
    self.onChange = onChange
  }

  /// Evaluates a body, and watches what it reads in place of what it read before.
  func evaluate<Result>(_ body: () -> Result) -> Result {
    cancel()
    let number = last.add(1, ordering: .relaxed).newValue
    watched.store(number, ordering: .sequentiallyConsistent)
    let changes = ObservedChanges.count
    let ownChanges = observedValueChanges.load(ordering: .sequentiallyConsistent)
    let result = withObservationTracking {
      end.access()
      return body()
    } onChange: { [self] in
      let isFirst = watched.compareExchange(
        expected: number, desired: 0, ordering: .sequentiallyConsistent
      ).exchanged
      if isFirst { onChange() }
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
    if watched.exchange(0, ordering: .sequentiallyConsistent) != 0 { end.notify() }
  }
}
