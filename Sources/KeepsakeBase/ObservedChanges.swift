/// Counts what was announced to Observation, so that a view that is drawn on one thread misses no
/// change of another.
///
/// `withObservationTracking` registers a reader only when its body has ended; a change by another
/// thread after the body has read the old value, but before that, is announced to nobody. A framework
/// that draws views compares the count from before the body with the one from after
/// `withObservationTracking`, and evaluates the body again if they differ.
public enum ObservedChanges {
  private static let number = Atomic<UInt64>(0)

  /// How many changes of settings, scenes and documents were announced in this process.
  public static var count: UInt64 { number.load(ordering: .sequentiallyConsistent) }

  /// Counts a change; called after the value was changed and before it is announced.
  package static func increment() { number.add(1, ordering: .sequentiallyConsistent) }
}
