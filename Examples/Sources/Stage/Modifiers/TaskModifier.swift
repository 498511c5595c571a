/// Runs an asynchronous action while its view is on screen, again for each new value.
struct TaskModifier<Value: Equatable>: PrimitiveModifier {
  let value: Value
  let action: @MainActor () async -> Void

  private final class Running: Slot {
    var value: Value?
    var task: Task<Void, Never>?

    func remove() {
      task?.cancel()
      task = nil
    }
  }

  func resolve(_ content: some View, in scope: Scope) -> [Output] {
    let running = scope.slot { Running() }
    if !scope.isVisible || running.value != value { running.remove() }
    if scope.isVisible, running.task == nil {
      running.value = value
      running.task = Task { await action() }
    }
    return scope.child(.content).resolve(content)
  }
}

extension View {
  /// Runs an action while the view is on screen, and again when a value has changed; the task is canceled
  /// when the view leaves the screen or the value changes.
  public func task<Value: Equatable>(
    id value: Value, _ action: @escaping @MainActor () async -> Void
  ) -> some View {
    modified(TaskModifier(value: value, action: action))
  }
}
